import { queryError } from '../../messages/query-messages.ts'
import type { MeasureMember } from '../../resolve/model-index.ts'
import { measureKinds } from '../../shapes/measure-kinds.ts'
import type { BoundSql, Measure, Stage } from '../../shapes/model.ts'
import type { Condition, Expression, From, Output, Selection } from '../../shapes/plan.ts'
import { snakeCase } from '../aliases.ts'
import { aggregateFunctionOf } from '../measures.ts'
import { type Composition, compose, measuresIn, sameGroup } from './compose.ts'
import { includedItems, innerState, keptItems } from './inner-state.ts'
import { memberId, type StagePlanning } from './planning.ts'
import { columnOf, type Place, relationOf } from './stage-tables.ts'
import { isCalculatedType } from './staged-measures.ts'
import { bindingKey, type GrainItem, type State, stateKey } from './state.ts'

/**
 * A multi-stage measure in a state. Its inner measures are computed first, in a state of their own: with more in their
 * grain, other filters, time shifted. Then it calculates with them, or aggregates them: over what is finer than the
 * state's grain, and over the groups that are the same in what `keep_only` and `exclude` leave of it.
 */
export function placeMultiStage(planning: StagePlanning, member: MeasureMember, stage: Stage, state: State): Place {
  return planning.once(`multi-stage ${memberId(member)} ${stateKey(state)} ${bindingKey(state)}`, () => {
    const { type } = member.definition
    const asked: Asked = { planning, member, stage, state, inner: innerState(planning, member, stage, state) }
    if (type === 'rank') return placeRank(asked)
    return isCalculatedType(member.definition) ? placeCalculation(asked) : placeAggregate(asked)
  })
}

interface Asked {
  readonly planning: StagePlanning
  readonly member: MeasureMember
  readonly stage: Stage
  readonly state: State
  /** With the state's own grain. */
  readonly inner: State
}

/** The inner measures of these pieces of SQL for the groups of a grain. */
const composeInner = (asked: Asked, sqls: readonly BoundSql[], grain: readonly GrainItem[]) =>
  compose(asked.planning, measuresIn(asked.planning.index, asked.member, sqls), asked.member, { ...asked.inner, grain })

/** What is calculated for each inner group: the SQL, or the branches among which a dimension of the group chooses. */
function valueSql({ sql, stage }: Measure): readonly BoundSql[] {
  if (sql) return [sql]
  const cases = stage?.cases
  return cases ? [...cases.when.map(branch => branch.sql), ...(cases.otherwise ? [cases.otherwise] : [])] : []
}

const ownSql = (measure: Measure) => [...valueSql(measure), ...measure.filters]

function valueIn({ member }: Asked, composition: Composition): Expression {
  const { sql, stage } = member.definition
  if (sql) return composition.expand(member, sql)
  return stage?.cases ? composition.choose(member, stage.cases) : { kind: 'one' }
}

const takeColumn = ({ planning: { names }, member: { cube, definition } }: Asked) =>
  names.take(`${snakeCase(cube.name)}__${snakeCase(definition.name)}_part`)

const selection = (from: From, grain: readonly Output[], outputs: readonly Output[], grouped: boolean): Selection => ({
  kind: 'selection',
  from,
  where: [],
  grain,
  outputs,
  grouped,
  having: [],
})

/** A stage of the composition's groups with one more column. */
function placeBeside(asked: Asked, composition: Composition, expression: Expression): Place {
  const { planning, member, state } = asked
  const column = takeColumn(asked)
  const { from, grain, neverNull } = composition
  const name = planning.addStage(snakeCase(member.definition.name), () =>
    selection(from, grain, [{ alias: column, expression }], false),
  )
  return { table: { name, grain: state.grain, neverNull }, column }
}

function placeRank(asked: Asked): Place {
  const { planning, member, stage, state } = asked
  checkNotFiner(asked, includedItems(planning, member, stage, state.grain))
  const composition = composeInner(
    asked,
    stage.orderBy.map(({ sql }) => sql),
    state.grain,
  )
  return placeBeside(asked, composition, {
    kind: 'rank',
    partition: keptItems(stage, state.grain).map(composition.column),
    order: stage.orderBy.map(({ sql, descending }) => ({ expression: composition.expand(member, sql), descending })),
  })
}

/** What has a value for each finer group can't be told for a group of them. */
function checkNotFiner({ member }: Asked, finer: readonly GrainItem[]): void {
  if (finer.length === 0) return
  const { type } = member.definition
  throw queryError('stage_finer', { measure: memberId(member), dimensions: finer.map(({ key }) => key), type })
}

function placeCalculation(asked: Asked): Place {
  const { planning, member, stage, state } = asked
  const sqls = valueSql(member.definition)
  if (sqls.length === 0) throw new Error(`'${memberId(member)}' calculates nothing`)
  checkNotFiner(asked, includedItems(planning, member, stage, state.grain))
  const kept = keptItems(stage, state.grain)
  const composition = composeInner(asked, sqls, kept)
  const value = valueIn(asked, composition)
  if (kept.length === state.grain.length) return placeBeside(asked, composition, value)
  return placeRepeated(asked, composeInner(asked, sqls, state.grain), composition, kept, value, false)
}

function placeAggregate(asked: Asked): Place {
  const { planning, member, stage, state } = asked
  const finer = includedItems(planning, member, stage, state.grain)
  const kept = keptItems(stage, state.grain)
  const { definition } = member
  const composition = composeInner(asked, ownSql(definition), [...state.grain, ...finer])
  if (kept.length === state.grain.length) {
    const column = takeColumn(asked)
    const output = { alias: column, expression: aggregated(asked, composition) }
    const grain = state.grain.map((item): Output => ({ alias: item.alias, expression: composition.column(item) }))
    const { from, neverNull } = composition
    const name = planning.addStage(snakeCase(definition.name), () => selection(from, grain, [output], true))
    return { table: { name, grain: state.grain, neverNull }, column }
  }
  if (finer.length === 0 && measureKinds[definition.type].overPartition) {
    return placeBeside(asked, composition, {
      kind: 'window',
      function: aggregateFunctionOf(definition),
      input: inputOf(asked, composition),
      partition: kept.map(composition.column),
    })
  }
  return placeRepeated(asked, composition, composition, kept, aggregated(asked, composition), true)
}

/** What is aggregated of each inner group. */
function inputOf(asked: Asked, composition: Composition): Expression {
  const { member } = asked
  const { filters } = member.definition
  const input = valueIn(asked, composition)
  if (filters.length === 0) return input
  const conditions = filters.map(
    (filter): Condition => ({ kind: 'sql', expression: composition.expand(member, filter) }),
  )
  return { kind: 'case', when: [{ condition: { kind: 'and', conditions }, result: input }], otherwise: null }
}

/** The aggregate of all inner groups of an outer one; `number_agg` has it in its own SQL. */
function aggregated(asked: Asked, composition: Composition): Expression {
  const { definition } = asked.member
  const input = inputOf(asked, composition)
  return definition.type === 'number_agg'
    ? input
    : { kind: 'aggregate', function: aggregateFunctionOf(definition), input }
}

/** A value for each group of `kept`, repeated for every group of the state's grain that is in it. */
function placeRepeated(
  asked: Asked,
  groups: Composition,
  values: Composition,
  kept: readonly GrainItem[],
  value: Expression,
  isAggregate: boolean,
): Place {
  const { planning, member, state } = asked
  const column = takeColumn(asked)
  const label = snakeCase(member.definition.name)
  const outputsOf = (composition: Composition, items: readonly GrainItem[]) =>
    items.map((item): Output => ({ alias: item.alias, expression: composition.column(item) }))
  const groupName = planning.addStage(`${label} groups`, () =>
    selection(groups.from, outputsOf(groups, state.grain), [], true),
  )
  const valueName = planning.addStage(`${label} values`, () =>
    selection(values.from, outputsOf(values, kept), [{ alias: column, expression: value }], isAggregate),
  )
  const on = kept.length > 0 ? sameGroup(kept, { name: groupName }, { name: valueName }, values.neverNull) : null
  const from: From = {
    root: relationOf({ name: groupName }),
    joins: [{ relation: relationOf({ name: valueName }), on }],
  }
  const grain = state.grain.map(({ alias }): Output => ({ alias, expression: columnOf({ name: groupName }, alias) }))
  const output = { alias: column, expression: columnOf({ name: valueName }, column) }
  const name = planning.addStage(label, () => selection(from, grain, [output], false))
  return { table: { name, grain: state.grain, neverNull: groups.neverNull }, column }
}
