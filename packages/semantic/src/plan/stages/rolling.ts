import { queryError } from '../../messages/query-messages.ts'
import { defaultGranularity } from '../../resolve/granularities.ts'
import type { MeasureMember } from '../../resolve/model-index.ts'
import { measureKinds } from '../../shapes/measure-kinds.ts'
import type { Bucket } from '../../shapes/model.ts'
import type { AggregateFunction, Condition, Expression, Join, Output, Selection } from '../../shapes/plan.ts'
import type { RollingWindow } from '../../shapes/window.ts'
import type { NestedUnit } from '../../time/calendar.ts'
import { formatLocal, type LocalTime } from '../../time/local-time.ts'
import { snakeCase } from '../aliases.ts'
import { expandTime } from '../expand-grain.ts'
import { isMultiplied, isToOne } from '../join-tree.ts'
import { keyedSelection } from '../keyed-selection.ts'
import { aggregateFunctionOf, aggregateInput, isAffectedByRepetition, primaryKeys } from '../measures.ts'
import { filteredMeasures } from '../query-members.ts'
import { memberId, type StagePlanning } from './planning.ts'
import { type PeriodItem, periodsOf, type RollingTime, rollingTime } from './rolling-time.ts'
import { stageDimensionsOf } from './stage-dimension-members.ts'
import type { StateRows } from './stage-rows.ts'
import { columnOf, type Place, relationOf, type Table } from './stage-tables.ts'
import { dimensionId, type GrainItem, type State, stateKey } from './state.ts'
import { type PeriodWindow, unitOfWindow, windowExpressions, windowTimes } from './window-bounds.ts'

/**
 * A rolling measure in a state: a series of the periods that the query's range touches, joined with the rows whose time
 * lies in each period's window. Without a granularity the range itself is the one period; without any time, there is no
 * window and the measure is over all rows.
 */
export function placeRolling(
  planning: StagePlanning,
  member: MeasureMember,
  window: RollingWindow,
  state: State,
): Place {
  const time = rollingTime(member, window, state)
  if (!time) return leafPlace(planning, member, state)
  // A window is gathered from rows or short periods, of which a filter on groups of the answer can't be asked.
  const [filtered] = filteredMeasures(planning.index, state.groupFilters)
  if (filtered) throw queryError('stage_group_filter', { measure: memberId(member), filtered: memberId(filtered) })
  const [finest] = time.items
  if (!finest) {
    const { from, to } = windowTimes(wholeRange(window, time), time.range[0])
    return leafPlace(planning, member, { ...state, ranges: [rangeOf(time, from, to)] })
  }
  const period: PeriodWindow = { window, period: finest.granularity.bucket, toDate: time.toDate }
  return placeInPeriods(planning, member, { period, time, finest, state })
}

/** The measure without its window. */
function leafPlace(planning: StagePlanning, member: MeasureMember, state: State): Place {
  const { definition } = member
  if (definition.stage) return planning.place({ ...member, definition: { ...definition, window: null } }, state)
  const table = planning.leaf([member], null, state)
  return { table, column: table.column(member) }
}

/** The range of a query as a period of its own. */
function wholeRange(window: RollingWindow, { range: [from, to], toDate }: RollingTime): PeriodWindow {
  const period: Bucket = { kind: 'interval', seconds: (to + 1 - from) / 1000, origin: formatLocal(from) }
  return { window, period, toDate }
}

const rangeOf = ({ dimension }: RollingTime, from: LocalTime | null, to: LocalTime | null) => ({
  member: dimension,
  dateRange: [from === null ? null : formatLocal(from), to === null ? null : formatLocal(to - 1)] as const,
})

interface Rolling {
  readonly period: PeriodWindow
  readonly time: RollingTime
  readonly finest: PeriodItem
  readonly state: State
}

/** A table of rows, or of groups for short periods, to be gathered by windows. */
interface Base {
  readonly table: Pick<Table, 'name'>
  /** Its column of local times. */
  readonly time: string
}

function placeInPeriods(planning: StagePlanning, member: MeasureMember, rolling: Rolling): Place {
  const { state, time, period } = rolling
  const [dimension] = stageDimensionsOf(planning.index, state)
  if (dimension) {
    throw queryError('stage_dimension_window', { measure: memberId(member), dimension: dimensionId(dimension) })
  }
  const { first, last } = periodsOf(period.period, time.range)
  const { from } = windowTimes(period, first)
  const { to } = windowTimes(period, last)
  // Every window is within this range, so nothing else need be read.
  const whole: State = { ...state, ranges: [rangeOf(time, from, to)] }
  const unit = unitOfWindow(period)
  const { definition, cube } = member
  const sum = measureKinds[definition.type].combine
  const dimensions = state.grain.filter(({ granularity }) => granularity === null)
  const item = unit && unitItem(planning, time, unit)
  const base = { ...whole, grain: item ? [...dimensions, item] : dimensions }
  if (definition.stage) {
    if (sum && item) return placeSums(planning, member, rolling, leafPlace(planning, member, base), item, sum)
    const reason = `the values that it is of type ${definition.type} of can't be added up over a window`
    throw queryError('window_granularity', { measure: memberId(member), reason })
  }
  if (sum && item) {
    const tree = planning.tree(member, base)
    const hasOneTime = !isMultiplied(tree, cube.name) || isToOne(tree, cube.name, time.dimension.cube.name)
    if (!isAffectedByRepetition(definition) || hasOneTime) {
      return placeSums(planning, member, rolling, leafPlace(planning, member, base), item, sum)
    }
  }
  return placeRows(planning, member, rolling, { ...whole, grain: dimensions }, item)
}

/** Time in a unit of which windows are made; null where the dimension means something else by its name. */
function unitItem(planning: StagePlanning, { dimension }: RollingTime, unit: NestedUnit): PeriodItem | null {
  if (dimension.definition.granularities.some(({ name }) => name === unit)) return null
  const granularity = defaultGranularity(unit)
  return { ...planning.item(dimension, granularity), granularity }
}

interface RollingTable extends Table {
  readonly outputs: Map<string, Output>
}

/** Adds up what was aggregated for short periods: the same result from far fewer rows. */
function placeSums(
  planning: StagePlanning,
  member: MeasureMember,
  rolling: Rolling,
  base: Place,
  item: GrainItem,
  sum: AggregateFunction,
): Place {
  const input = columnOf(base.table, base.column)
  const key = `sums ${base.table.name} ${periodKey(rolling)}`
  const table = planning.once(key, () =>
    rollingTable(planning, rolling, { table: base.table, time: item.alias }, (rows, outputs) => ({
      kind: 'selection',
      ...rows,
      where: [],
      outputs,
      grouped: true,
      having: [],
    })),
  )
  return addOutput(planning, table, member, { kind: 'aggregate', function: sum, input })
}

const periodKey = ({ period, state }: Rolling) => `${JSON.stringify(period)} ${stateKey(state)}`

function addOutput(planning: StagePlanning, table: RollingTable, member: MeasureMember, expression: Expression): Place {
  const id = memberId(member)
  const known = table.outputs.get(id)
  if (known) return { table, column: known.alias }
  const alias = planning.names.take(`${snakeCase(member.cube.name)}__${snakeCase(member.definition.name)}_part`)
  table.outputs.set(id, { alias, expression })
  return { table, column: alias }
}

type GatheredRows = Pick<Selection, 'from' | 'grain'>

/** The periods with, for each, what of `base` lies in its window. Periods with nothing in their window are there too. */
function rollingTable(
  planning: StagePlanning,
  { period, time, finest, state }: Rolling,
  base: Base,
  build: (rows: GatheredRows, outputs: readonly Output[]) => ReturnType<Parameters<StagePlanning['addStage']>[1]>,
): RollingTable {
  const column = 'period'
  const { series } = periodsOf(period.period, time.range)
  const periods = planning.once(`periods ${JSON.stringify(series)}`, () => ({
    name: planning.addSource('periods', () => ({ kind: 'series', column, ...series })),
  }))
  const start = columnOf(periods, column)
  const { from, to } = windowExpressions(period, start)
  const at = columnOf(base.table, base.time)
  const conditions: Condition[] = [
    { kind: 'everyPair', left: start, right: at },
    ...(from ? [{ kind: 'comparison', left: at, operator: '>=', right: from } as const] : []),
    ...(to ? [{ kind: 'comparison', left: at, operator: '<', right: to } as const] : []),
  ]
  const join: Join = { relation: relationOf(base.table), on: { kind: 'and', conditions } }
  const grain = state.grain.map((item): Output => {
    const { alias } = item
    const granularity = time.items.find(({ key }) => key === item.key)?.granularity
    if (!granularity) return { alias, expression: columnOf(base.table, alias) }
    if (item === finest) return { alias, expression: start }
    return { alias, expression: { kind: 'bucket', time: start, bucket: granularity.bucket, timezone: 'UTC' } }
  })
  const outputs = new Map<string, Output>()
  const rows: GatheredRows = { from: { root: relationOf(periods), joins: [join] }, grain }
  const name = planning.addStage('windows', () => build(rows, [...outputs.values()]))
  return { name, grain: state.grain, neverNull: new Set(time.items.map(({ key }) => key)), outputs }
}

/** Gathers rows, where values of short periods don't add up, and aggregates those of each window. */
function placeRows(
  planning: StagePlanning,
  member: MeasureMember,
  rolling: Rolling,
  state: State,
  item: PeriodItem | null,
): Place {
  const { cube, definition } = member
  const id = memberId(member)
  const key = `rows ${id} ${periodKey(rolling)}`
  const made = planning.once(key, () => {
    const rows = planning.rows(member, state)
    const time = timeOutput(planning, rows, rolling.time, item)
    const isKeyed = isAffectedByRepetition(definition) && isMultiplied(rows.tree, cube.name)
    return {
      place: isKeyed
        ? keyedPlace(planning, member, rolling, rows, time)
        : valuesPlace(planning, member, rolling, rows, time),
    }
  })
  return made.place
}

function timeOutput(
  planning: StagePlanning,
  { expander }: StateRows,
  { dimension }: RollingTime,
  item: PeriodItem | null,
): Output {
  const { time, timezone } = expandTime(expander, dimension.cube.name, dimension.definition)
  if (item) {
    return { alias: item.alias, expression: { kind: 'bucket', time, bucket: item.granularity.bucket, timezone } }
  }
  const alias = planning.names.take(`${snakeCase(dimension.cube.name)}__${snakeCase(dimension.definition.name)}_local`)
  return { alias, expression: { kind: 'localTime', time, timezone } }
}

/** Each row with the value that is to be aggregated. What is counted once need be there once for each time. */
function valuesPlace(
  planning: StagePlanning,
  member: MeasureMember,
  rolling: Rolling,
  { expander, tree, from, where, grain }: StateRows,
  time: Output,
): Place {
  const { cube, definition } = member
  const aggregation = aggregateFunctionOf(definition)
  const input = aggregateInput({ expander, root: tree.root }, cube.name, definition) ?? { kind: 'one' }
  const value = planning.names.take(`${snakeCase(cube.name)}__${snakeCase(definition.name)}_value`)
  const isDistinct = !isAffectedByRepetition(definition)
  const columns = [...grain, time, { alias: value, expression: input }]
  const name = planning.addSource('rows', () => ({
    kind: 'selection',
    from,
    where,
    grain: columns,
    outputs: [],
    grouped: isDistinct,
    having: [],
  }))
  const table = rollingTable(planning, rolling, { table: { name }, time: time.alias }, (rows, outputs) => ({
    kind: 'selection',
    ...rows,
    where: [],
    outputs,
    grouped: true,
    having: [],
  }))
  return addOutput(planning, table, member, {
    kind: 'aggregate',
    function: aggregation,
    input: columnOf({ name }, value),
  })
}

/** The keys of the rows in each window, each once; then every row is read once for each of its keys. */
function keyedPlace(
  planning: StagePlanning,
  member: MeasureMember,
  rolling: Rolling,
  { expander, tables, from, where, grain }: StateRows,
  time: Output,
): Place {
  const { cube, definition } = member
  const keys = primaryKeys(expander, cube).map(
    (expression, position): Output => ({ alias: `key_${position + 1}`, expression }),
  )
  const name = planning.addSource('rows', () => ({
    kind: 'selection',
    from,
    where,
    grain: [...grain, time, ...keys],
    outputs: [],
    grouped: true,
    having: [],
  }))
  const alias = planning.names.take(`${snakeCase(cube.name)}__${snakeCase(definition.name)}_part`)
  const keyColumns = keys.map(key => columnOf({ name }, key.alias))
  const table = rollingTable(planning, rolling, { table: { name }, time: time.alias }, rows => {
    const leaf = { alias, cube: cube.name, measure: definition }
    const { selection, tree } = keyedSelection(expander, tables, { ...rows, where: [] }, cube.name, [leaf], keyColumns)
    for (const read of tree.cubes) planning.cubes.add(read)
    return selection
  })
  return { table, column: alias }
}
