import type { SecuredIndex } from '../access/secured-index.ts'
import { queryError } from '../messages/query-messages.ts'
import { checkFilter, isDateOperator, takesNoValues } from '../operators/check-filter.ts'
import {
  type DimensionMember,
  isDimension,
  isMeasure,
  type MeasureMember,
  type Member,
} from '../resolve/model-index.ts'
import type { MemberFilter, QueryFilter } from '../shapes/query.ts'
import type { Clock } from '../time/date-range.ts'
import { normalizeDates } from '../time/filter-dates.ts'
import { findMember } from './find-member.ts'
import type { FilterInput } from './query-input.ts'

/** Checks one filter and settles its values: all text, dates as local times of the query's zone. */
export function normalizeFilter(index: SecuredIndex, filter: FilterInput, clock: Clock): QueryFilter {
  if (filter.kind === 'member') return normalizeMemberFilter(index, filter, clock)
  const kinds = new Set(levelsOf(index, filter))
  if (kinds.size > 1) throw queryError('mixed_group', { filter: filter.written() })
  const filters = filter.filters.map(item => normalizeFilter(index, item, clock))
  return filter.kind === 'and' ? { and: filters } : { or: filters }
}

/** Whether filters hold for rows or for groups; a group of filters can't do both. */
function levelsOf(index: SecuredIndex, filter: FilterInput): ('row' | 'group')[] {
  if (filter.kind !== 'member') return filter.filters.flatMap(item => levelsOf(index, item))
  const member = findMember(
    index,
    filter.member,
    found => isDimension(found) || isMeasure(found),
    'measures and dimensions',
  )
  return [isMeasure(member) && filter.operator !== 'measureFilter' ? 'group' : 'row']
}

const isFilterable = (member: Member): member is DimensionMember | MeasureMember =>
  isDimension(member) || isMeasure(member)

/** What of a member decides which filters it takes. */
export type FilteredMember = Pick<DimensionMember['definition'] | MeasureMember['definition'], 'kind' | 'type'>

type MemberInput = Extract<FilterInput, { kind: 'member' }>

function normalizeMemberFilter(index: SecuredIndex, input: MemberInput, clock: Clock): MemberFilter {
  const { member: id, operator: written } = input
  const { definition } = findMember(index, id, isFilterable, 'measures and dimensions')
  if (written === null) throw queryError('operator_required', { filter: input.written() })
  const settled = settleValues(definition, written, input.values, clock)
  if ('operator' in settled) return { member: id, operator: settled.operator, values: settled.values }
  if (settled.problem === 'values_missing') throw queryError('values_required', { filter: input.written() })
  if (settled.problem === 'values')
    throw queryError('values_invalid', { filter: input.written(), reason: settled.reason })
  throw queryError('operator_unsupported', { operator: written, filter: input.written(), hint: settled.reason })
}

type SettledValues =
  | Pick<MemberFilter, 'operator' | 'values'>
  | { readonly problem: 'operator' | 'values_missing' | 'values'; readonly reason: string }

/**
 * The values of a filter as its plan takes them; or why it can't be.
 *
 * @param given null: none were
 * @throws {QueryError} `date`
 */
export function settleValues(
  { kind, type }: FilteredMember,
  written: string,
  given: readonly (string | null)[] | null,
  clock: Clock,
): SettledValues {
  const values = given ?? []
  const checked = checkFilter({ operator: written, values, kind, type })
  if ('reason' in checked) return checked
  const { operator } = checked
  if (takesNoValues(operator)) return { operator, values: [] }
  if (isDateOperator(operator) && given === null) return { problem: 'values_missing', reason: 'It has no values.' }
  return { operator, values: type === 'time' ? normalizeDates(operator, values, clock) : values }
}
