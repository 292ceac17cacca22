import { unsupported } from '../messages/sql-error.ts'
import { Unprintable } from '../print/piece.ts'
import type { Bound } from '../shapes/bound.ts'
import { someValue } from '../shapes/walk.ts'
import { adHocMember, type Building, dimensionType, isOf, output, type PartBuilder, pieces } from './part.ts'

type Column = Extract<Bound, { kind: 'column' }>

/** A column of a row: a dimension, the value that a measure has for the row, or whether the row is in a segment. */
export function rowOutput(building: Building, part: PartBuilder, column: Column): Bound {
  const { member, at, type } = column
  if (!member)
    throw unsupported(`The column ${column.name} here`, at, 'It can be compared in WHERE or in the condition of a join')
  if (member.kind === 'measure') {
    if (!part.isUngrouped) throw new Error('a measure is aggregated')
    if (!member.hasRowValue) {
      throw unsupported(
        `'${member.id}' for a single row, as it aggregates by itself,`,
        at,
        `Group, and write MEASURE(${member.name})`,
      )
    }
    return output(part, { kind: 'measure', id: member.id, granularity: null, type }, at)
  }
  return groupOutput(building, part, column)
}

/**
 * What rows are grouped by: a dimension, a time cut to a granularity, or a value of dimensions.
 *
 * @throws {Unprintable} where it is none of them
 */
export function groupOutput(building: Building, part: PartBuilder, key: Bound): Bound {
  const { type, at } = key
  if (key.kind === 'column' && key.member?.kind === 'dimension' && isOf(part, key.relation)) {
    const isLocal = key.member.type !== 'time' || building.timezone === 'UTC'
    // Values of times are local times of the session wherever they are shown; the data API shows them in UTC.
    const id = isLocal ? key.member.id : adHocMember(part, { kind: 'dimension', type: 'time' }, plain(key))
    return output(part, { kind: 'dimension', id, granularity: null, type }, at)
  }
  const cut = granularityOf(part, key)
  if (cut) return output(part, { kind: 'time', ...cut, type }, at)
  if (someValue(key, inner => inner.kind === 'aggregate' || inner.kind === 'window' || inner.kind === 'measure')) {
    throw new Unprintable('Grouping by an aggregate', at)
  }
  const id = adHocMember(part, { kind: 'dimension', type: dimensionType(type) }, key)
  return output(part, { kind: 'dimension', id, granularity: null, type }, at)
}

const plain = ({ relation, name }: Column) => [{ kind: 'column', relation, name }] as const

/** The granularity of the model by which a value cuts a time; null: it is another value. */
export function granularityOf(
  part: PartBuilder,
  key: Bound,
): { readonly id: string; readonly granularity: string } | null {
  if (key.kind !== 'call' || key.call !== 'date_trunc') return null
  const [unit, time] = key.arguments
  if (
    unit?.kind !== 'constant' ||
    time?.kind !== 'column' ||
    time.member?.kind !== 'dimension' ||
    !isOf(part, time.relation)
  )
    return null
  const granularity = time.member.granularities.find(name => name === unit.value?.toLowerCase())
  return granularity === undefined ? null : { id: time.member.id, granularity }
}

const addable = new Map([
  ['sum', 'sum'],
  ['avg', 'avg'],
  ['min', 'min'],
  ['max', 'max'],
  ['count', 'count'],
] as const)

/** A measure of the model, or an aggregate over dimensions as a measure that this question alone has. */
export function aggregateOutput(part: PartBuilder, value: Extract<Bound, { kind: 'measure' | 'aggregate' }>): Bound {
  const { type, at } = value
  if (value.kind === 'measure') {
    return output(part, { kind: 'measure', id: value.member.id, granularity: null, type }, at)
  }
  const id = countOfRows(part, value) ?? adHocAggregate(part, value)
  return output(part, { kind: 'measure', id, granularity: null, type }, at)
}

type Aggregate = Extract<Bound, { kind: 'aggregate' }>

/** COUNT(*) is the measure that counts the rows of the table, or of the cube at which a view begins. */
function countOfRows(part: PartBuilder, { call, arguments: given, filter, at }: Aggregate): string | null {
  if (call !== 'count' || given.length > 0) return null
  const [relation, more] = part.relations
  if (!relation || more) throw new Unprintable('COUNT(*) over several tables', at)
  const { source } = relation
  const counts = [...source.members.values()].filter(member => member.kind === 'measure' && member.countsRows)
  const own = counts.find(({ cube }) => cube === source.root)
  if (own && !filter) return own.id
  return adHocMember(part, { kind: 'measure', type: 'count', filters: filter ? [filter] : [] }, null)
}

function adHocAggregate(part: PartBuilder, value: Aggregate): string {
  const { call, arguments: given, distinct, order, withinGroup, filter, at } = value
  const [input] = given
  const measured = given.find(argument =>
    someValue(argument, inner => inner.kind === 'column' && inner.member?.kind === 'measure'),
  )
  if (measured) {
    throw unsupported(
      'An aggregate over a calculation with a measure',
      measured.at,
      'Aggregate the measure by MEASURE, then calculate',
    )
  }
  const filters = filter ? [filter] : []
  const simple = [...addable].find(([name]) => name === call)?.[1]
  if (simple && input && given.length === 1 && order.length === 0 && !withinGroup) {
    if (!distinct) return adHocMember(part, { kind: 'measure', type: simple, filters }, input)
    if (call === 'count') return adHocMember(part, { kind: 'measure', type: 'count_distinct', filters }, input)
    if (call === 'min' || call === 'max') return adHocMember(part, { kind: 'measure', type: simple, filters }, input)
  }
  if (part.dialect === null) throw new Unprintable(`${call} on this data source`, at)
  return adHocMember(part, { kind: 'measure', type: 'number', filters: [] }, pieces(part, value))
}
