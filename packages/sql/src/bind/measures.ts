import type { ListedMember } from '@hedron/semantic'
import { SqlError, unsupported } from '../messages/sql-error.ts'
import type { Bound } from '../shapes/bound.ts'
import type { Call } from '../shapes/tree.ts'
import type { SqlType } from '../shapes/types.ts'

type MeasureType = Extract<ListedMember, { kind: 'measure' }>['type']

/** The aggregates by which a measure may be asked for beside MEASURE (query.md, section 7); empty: any. */
const aggregatesOf: Readonly<Record<MeasureType, readonly string[]>> = {
  count: ['count'],
  count_distinct: ['count distinct'],
  count_distinct_approx: ['count distinct'],
  sum: ['sum'],
  running_total: ['sum'],
  avg: ['avg'],
  min: ['min'],
  max: ['max'],
  number: [],
  number_agg: [],
  rank: [],
  boolean: [],
  string: ['string_agg'],
  time: ['min', 'max'],
}

/** `SUM(orders.total)` is the measure where that is a sum. */
export function matchMeasure(column: Extract<Bound, { kind: 'column' }>, call: Call): Bound {
  const { member } = column
  if (member?.kind !== 'measure') throw new Error('a measure is matched')
  if (call.filter) throw unsupported('FILTER of a measure', call.at, 'Filter rows by WHERE, or aggregate a dimension')
  if (call.name === 'xirr') {
    const hint = 'Write it over a sub-query that gives MEASURE(…) and the date of each payment'
    throw unsupported('XIRR of a measure', call.at, hint)
  }
  const asked = call.distinct ? `${call.name} distinct` : call.name
  const allowed = aggregatesOf[member.type]
  if (allowed.length > 0 && !allowed.includes(asked)) {
    const written = (name: string) => (name.endsWith(' distinct') ? 'COUNT(DISTINCT ...)' : `${name.toUpperCase()}()`)
    throw new SqlError(
      '42804',
      `Measure aggregation type doesn't match. The aggregation type for '${member.name}' is '${allowed.map(written).join(' or ')}' but '${written(asked)}' was provided`,
      call.at,
      'MEASURE() takes a measure of any type',
    )
  }
  return { kind: 'measure', relation: column.relation, member, type: column.type, at: call.at }
}

/** PostgreSQL's type of a member's values. */
export function typeOfMember(member: ListedMember): SqlType {
  if (member.kind === 'segment') return 'bool'
  if (member.kind === 'dimension') {
    return (
      { string: 'text', number: 'numeric', boolean: 'bool', time: 'timestamp', geo: 'text', switch: 'text' } as const
    )[member.type]
  }
  switch (member.type) {
    case 'count':
    case 'count_distinct':
    case 'count_distinct_approx':
    case 'rank':
      return 'int8'
    case 'string':
      return 'text'
    case 'time':
      return 'timestamp'
    case 'boolean':
      return 'bool'
    default:
      return 'numeric'
  }
}
