import type { SecuredIndex } from '../../access/secured-index.ts'
import { filteredMember } from '../../query/find-member.ts'
import type { QueryMembers } from '../query-members.ts'
import { keptRanges } from './filter-range.ts'
import type { FoundPart } from './found-part.ts'
import { held } from './places.ts'
import type { Rollup } from './rollup.ts'

/** Of all times. */
export const wholeRange = [null, null] as const

/** Of which times of a rollup's rows a query is: the rows outside of every range are not asked for. */
export function rangeOf(index: SecuredIndex, { times: [time] }: Rollup, members: QueryMembers): FoundPart['range'] {
  const filtered = keptRanges(members.rowFilters).map(({ filter, range }) => ({
    member: filteredMember(index, filter),
    dateRange: range,
  }))
  const ranges = [...members.ranges, ...filtered].flatMap(({ member, dateRange }) =>
    time && held([time], member) ? [dateRange] : [],
  )
  return ranges.reduce<FoundPart['range']>(
    ([from, to], [first, last]) => [
      from === null || (first !== null && first > from) ? first : from,
      to === null || (last !== null && last < to) ? last : to,
    ],
    wholeRange,
  )
}
