import { queryError } from '../messages/query-messages.ts'
import type { ModelIndex } from '../resolve/model-index.ts'
import { measureKinds } from '../shapes/measure-kinds.ts'
import type { Cube, Measure } from '../shapes/model.ts'
import type { AggregateFunction, Condition, Expression } from '../shapes/plan.ts'
import { isCalculation } from './calculations.ts'
import { isColumn } from './column-names.ts'
import { expandDimension, expandSql } from './expand.ts'
import type { Expander, MeasureReference } from './expander.ts'

/** The aggregation of a measure that has one in its type. */
export function aggregateFunctionOf({ name, type }: Measure): AggregateFunction {
  const found = measureKinds[type].aggregate
  if (!found) throw new Error(`'${name}' is of type ${type}, which aggregates nothing by itself`)
  return found
}

/** Whether a row that joins repeat changes the measure. */
export const isAffectedByRepetition = (measure: Measure) => !measureKinds[measure.type].ignoresRepetition

/** The measures that have to be aggregated from rows to know this one, as `cube` and name. */
export function leavesOf(index: ModelIndex, cube: string, measure: Measure): { cube: string; measure: Measure }[] {
  const leaves: { cube: string; measure: Measure }[] = []
  addLeaves(index, cube, measure, leaves)
  return leaves
}

/** Adds the leaves of a measure that are not among those there are. */
export function addLeaves(
  index: ModelIndex,
  cube: string,
  measure: Measure,
  leaves: { readonly cube: string; readonly measure: Measure }[],
): void {
  if (!isCalculation(index, measure)) {
    const place = leaves.findIndex(leaf => leaf.cube === cube && leaf.measure.name === measure.name)
    if (place === -1) leaves.push({ cube, measure })
    return
  }
  for (const part of measure.sql?.parts ?? []) {
    if (typeof part === 'string' || part.kind !== 'member') continue
    addLeaves(index, part.cube, asMeasure(index, part.cube, part.member), leaves)
  }
}

export function asMeasure(index: ModelIndex, cube: string, name: string): Measure {
  const member = index.member(cube, name)
  if (member.kind !== 'measure') throw new Error(`'${cube}.${name}' is not a measure`)
  return member
}

/** Where measures are aggregated: from the rows of which table others are reached. */
export interface Rows {
  readonly expander: Expander
  /** Every row of this cube is there; rows of all others may be absent, because joins are outer joins. */
  readonly root: string | null
}

/** A measure aggregated from rows, together with all that it refers to. */
export function aggregate(rows: Rows, cubeName: string, measure: Measure): Expression {
  const { expander } = rows
  const aggregateFunction = measureKinds[measure.type].aggregate
  const reference: MeasureReference = (cube, name) => aggregate(rows, cube, asMeasure(expander.index, cube, name))
  if (!aggregateFunction) return measure.sql ? expandSql(expander, cubeName, measure.sql, reference) : { kind: 'one' }
  return { kind: 'aggregate', function: aggregateFunction, input: aggregateInput(rows, cubeName, measure) }
}

/** What a measure aggregates of each row; null where it counts rows that are all there. */
export function aggregateInput(rows: Rows, cubeName: string, measure: Measure): Expression | null {
  const { expander, root } = rows
  const cube = expander.index.cube(cubeName)
  const mayBeAbsent = cubeName !== root
  const filters = measure.filters.map(
    (filter): Condition => ({ kind: 'sql', expression: expandSql(expander, cubeName, filter) }),
  )
  if (!measure.sql) {
    if (!mayBeAbsent) return filters.length > 0 ? when(filters, { kind: 'one' }) : null
    const key = primaryKey(expander, cube)
    return filters.length > 0 ? when(filters, key) : key
  }
  const input = expandSql(expander, cubeName, measure.sql)
  if (!mayBeAbsent || isColumn(input)) return filters.length > 0 ? when(filters, input) : input
  if (cube.primaryKey.length === 0 && !isAffectedByRepetition(measure)) {
    return filters.length > 0 ? when(filters, input) : input
  }
  const isThere: Condition = { kind: 'null', expression: primaryKey(expander, cube), negated: true }
  return when([isThere, ...filters], input)
}

const when = (conditions: readonly Condition[], result: Expression): Expression => ({
  kind: 'case',
  when: [{ condition: { kind: 'and', conditions }, result }],
  otherwise: null,
})

/** The first part of the primary key: null exactly where the cube's row is absent. */
function primaryKey(expander: Expander, cube: Cube): Expression {
  const name = cube.primaryKey[0]
  const only = cube.primaryKey.length === 1 ? cube.dimensions.find(dimension => dimension.name === name) : undefined
  if (only) return expandDimension(expander, cube.name, only)
  const [key] = primaryKeys(expander, cube)
  if (!key) throw queryError('primary_key_required', { cube: cube.name })
  return key
}

export function primaryKeys(expander: Expander, cube: Cube): Expression[] {
  return cube.dimensions.flatMap(dimension =>
    dimension.isPrimaryKey ? [expandDimension(expander, cube.name, dimension)] : [],
  )
}

/** The value of a measure for one row, for ungrouped queries. */
export function rowValue(rows: Rows, cubeName: string, measure: Measure): Expression {
  const { expander } = rows
  const aggregateFunction = measureKinds[measure.type].aggregate
  if (aggregateFunction) {
    const input = aggregateInput(rows, cubeName, measure)
    return aggregateFunction.startsWith('count') ? counted(input) : (input ?? { kind: 'one' })
  }
  if (!isCalculation(expander.index, measure) || !measure.sql) {
    throw queryError('ungrouped_measure', { measure: `${cubeName}.${measure.name}` })
  }
  const reference: MeasureReference = (cube, name) => rowValue(rows, cube, asMeasure(expander.index, cube, name))
  return expandSql(expander, cubeName, measure.sql, reference)
}

/** One where there is something to count: the value that is counted is no number of it. */
function counted(input: Expression | null): Expression {
  if (!input) return { kind: 'one' }
  const isCounted = input.kind === 'case' && input.when.every(({ result }) => result.kind === 'one')
  return isCounted ? input : when([{ kind: 'null', expression: input, negated: true }], { kind: 'one' })
}

const none: readonly never[] = []

/** The leaves that a leaf refers to, however far: none, unless it aggregates in its own SQL beside other measures. */
export function nestedLeaves(
  index: ModelIndex,
  measure: Measure,
): readonly { readonly cube: string; readonly measure: Measure }[] {
  if (measureKinds[measure.type].aggregate) return none
  return (measure.sql?.parts ?? []).flatMap(part => {
    if (typeof part === 'string' || part.kind !== 'member') return []
    const member = index.member(part.cube, part.member)
    if (member.kind !== 'measure') return []
    const leaves = leavesOf(index, part.cube, member)
    return [...leaves, ...leaves.flatMap(leaf => nestedLeaves(index, leaf.measure))]
  })
}
