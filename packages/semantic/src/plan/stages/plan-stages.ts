import { maskMeasure } from '../../access/mask-measures.ts'
import type { SecuredIndex } from '../../access/secured-index.ts'
import { queryError } from '../../messages/query-messages.ts'
import type { MeasureMember } from '../../resolve/model-index.ts'
import type { Measure } from '../../shapes/model.ts'
import type { Condition, Expression, From, Output, Selection, Stage } from '../../shapes/plan.ts'
import { createAliases } from '../aliases.ts'
import type { PlanRequest, Restrictions } from '../expander.ts'
import type { JoinPath } from '../join-paths.ts'
import { buildJoinTree } from '../join-tree.ts'
import { literalMask } from '../literal-masks.ts'
import { seesWays } from '../mask-ways.ts'
import { groupCondition, type WantedMeasure } from '../plan-groups.ts'
import { filteredMeasures, neededPaths, type QueryMembers } from '../query-members.ts'
import { bindingsOf, chooseValues, isSwitch } from './choices.ts'
import { compose } from './compose.ts'
import { placeMultiStage } from './multi-stage.ts'
import { createStagePlanning, type LeafReader, memberId, type StagePlanning } from './planning.ts'
import { placeRolling } from './rolling.ts'
import { placeDimension } from './stage-dimensions.ts'
import { columnOf, type Place, relationOf } from './stage-tables.ts'
import { unmasked } from './staged-measures.ts'
import { type GrainItem, grainKey, type State } from './state.ts'

interface StagedQuery {
  readonly index: SecuredIndex
  readonly timezone: string
  readonly securityContext: PlanRequest['securityContext']
  readonly restrictions: Restrictions
  readonly joinHints: readonly JoinPath[]
  readonly members: QueryMembers
  /** Columns of the answer: those of its groups, first dimensions, then times; and its measures. */
  readonly grainAliases: readonly string[]
  readonly measures: readonly WantedMeasure[]
  readonly reader: LeafReader | null
}

export interface StagedPlan {
  readonly stages: readonly Stage[]
  readonly body: Selection
  readonly cubes: readonly string[]
}

/**
 * Plans a query whose measures are computed in stages. A measure is computed in a state: for some groups, of some rows,
 * with time as it is or shifted. Stages change the state in which what they refer to is computed. In the end, all measures
 * stand side by side for the groups of the query; filters on measures choose among those groups and change no value.
 */
export function planStages(query: StagedQuery): StagedPlan {
  const { index, joinHints, members } = query
  const { choices, rowFilters } = chooseValues(index, members)
  const { grain, root } = stateOf(query, rowFilters)
  const joined = { ...members, dimensions: members.dimensions.filter(member => !isSwitch(member)), rowFilters }
  const chosen: ChosenQuery = {
    grain,
    root,
    bindings: bindingsOf(choices),
    paths: neededPaths(index, { joinHints }, joined),
  }
  // Rows are read once for all values of a switch, unless it turns out that they depend on it.
  let rowSwitches: ReadonlySet<string> = new Set()
  for (;;) {
    const { plan, asked } = planChosen(query, chosen, rowSwitches)
    if (chosen.bindings.length < 2 || [...asked].every(id => rowSwitches.has(id))) return plan
    rowSwitches = new Set([...rowSwitches, ...asked])
  }
}

/** A query and the ways to choose values of its switches. */
interface ChosenQuery {
  readonly grain: readonly GrainItem[]
  readonly root: State
  readonly bindings: readonly State['bindings'][]
  readonly paths: readonly JoinPath[]
}

/** @returns also the switches on whose value it depends what is read from rows */
function planChosen(
  query: StagedQuery,
  { grain, root, bindings, paths }: ChosenQuery,
  rowSwitches: ReadonlySet<string>,
): { readonly plan: StagedPlan; readonly asked: ReadonlySet<string> } {
  const { index, timezone, securityContext, restrictions, joinHints, measures, reader } = query
  const aliases = [...grain, ...measures].map(({ alias }) => alias)
  const names = createAliases()
  for (const alias of aliases) names.take(alias)
  const planning = createStagePlanning(
    { index, timezone, securityContext, restrictions, names, joinHints, root, paths, reader },
    { place, placeDimension },
  )
  const selections = bindings.map(binding => {
    const rowBindings = new Map([...binding].filter(([id]) => rowSwitches.has(id)))
    return select(planning, query, { grain, paths }, { ...root, bindings: binding, rowBindings })
  })
  const [only] = selections
  const isAlone = only && selections.length === 1
  const body = isAlone ? only : selections.length > 0 ? together(aliases, selections) : noRows(planning, aliases)
  const stages = planning.stages()
  return { plan: { stages, body, cubes: [...planning.cubes] }, asked: planning.askedSwitches }
}

/** The answer for one value of each switch. */
function select(
  planning: StagePlanning,
  { index, timezone, members, measures }: StagedQuery,
  { grain: items, paths }: Pick<ChosenQuery, 'grain' | 'paths'>,
  state: State,
): Selection {
  const wanted = [...measures.map(({ member }) => member), ...filteredMeasures(index, members.groupFilters)]
  if (wanted.length === 0 && state.grain.length === 0) return onlyChosen(planning, items, state)
  // Whether all rows behind a value of several stages are the caller's can't be told, so that it is masked everywhere.
  const isAggregated = ({ masking }: Measure) =>
    masking?.mask?.kind === 'sql' && seesWays(index, buildJoinTree(index, paths), masking.ways.mask)
  const maskOf = (member: MeasureMember): MeasureMember => ({ ...member, definition: maskMeasure(member.definition) })
  // The groups are those of the measures themselves, whatever is shown of them.
  const composed = wanted.flatMap(member => [
    unmasked(member),
    ...(isAggregated(member.definition) ? [maskOf(member)] : []),
  ])
  const composition = compose(planning, composed, null, state)
  const value = (member: MeasureMember) => {
    const { masking, type } = member.definition
    if (!masking) return composition.value(member)
    return isAggregated(member.definition) ? composition.value(maskOf(member)) : literalMask(masking.mask, type)
  }
  const grain = items.map(
    (item): Output => ({ alias: item.alias, expression: chosen(item, state) ?? composition.column(item) }),
  )
  const outputs = measures.map(({ member, alias }): Output => ({ alias, expression: value(member) }))
  const where = members.groupFilters.map(filter => groupCondition({ index, timezone }, filter, value))
  return { kind: 'selection', from: composition.from, where, grain, outputs, grouped: false, having: [] }
}

function chosen({ key }: GrainItem, { bindings }: State): Expression | null {
  const value = bindings.get(key)
  return value === undefined ? null : { kind: 'value', value: { type: 'text', value } }
}

/** A query of nothing but switches reads no table. */
function onlyChosen(planning: StagePlanning, items: readonly GrainItem[], state: State): Selection {
  const grain = items.map((item): Output => ({ alias: item.alias, expression: chosen(item, state) ?? { kind: 'one' } }))
  return { kind: 'selection', from: oneRow(planning), where: [], grain, outputs: [], grouped: false, having: [] }
}

function oneRow(planning: StagePlanning): From {
  const row = planning.once('one row', () => ({
    name: planning.addSource('row', () => ({
      kind: 'series',
      column: 'period',
      first: '2000-01-01T00:00:00.000',
      from: 0,
      step: { months: 1, milliseconds: 0 },
      count: 1,
      shift: 0,
    })),
  }))
  return { root: relationOf(row), joins: [] }
}

/** Selections with the same columns, one after the other. */
function together(aliases: readonly string[], parts: readonly Selection[]): Selection {
  const source = { kind: 'appended', parts, isDistinct: false } as const
  const name = 'choices'
  return {
    kind: 'selection',
    from: { root: { alias: name, source, isQuery: true }, joins: [] },
    where: [],
    grain: aliases.map(alias => ({ alias, expression: columnOf({ name }, alias) })),
    outputs: [],
    grouped: false,
    having: [],
  }
}

/** Filters leave no value of a switch. */
function noRows(planning: StagePlanning, aliases: readonly string[]): Selection {
  const grain = aliases.map((alias): Output => ({ alias, expression: { kind: 'sql', parts: ['NULL'] } }))
  const where: Condition[] = [{ kind: 'sql', expression: { kind: 'sql', parts: ['1 = 0'] } }]
  return { kind: 'selection', from: oneRow(planning), where, grain, outputs: [], grouped: false, having: [] }
}

function place(planning: StagePlanning, member: MeasureMember, state: State): Place {
  const { definition } = member
  if (definition.window) return placeRolling(planning, member, definition.window, state)
  if (definition.stage) return placeMultiStage(planning, member, definition.stage, state)
  throw queryError('stage_in_aggregate', { measure: memberId(member) })
}

/** The state of a query, and all that it groups by: in the state, switches have no part. */
function stateOf({ members, grainAliases }: StagedQuery, rowFilters: State['rowFilters']) {
  const { dimensions, times, ranges, segments, rules } = members
  const items = [...dimensions.map(member => ({ member, granularity: null })), ...times]
  const grain = items.map(
    ({ member, granularity }, position): GrainItem => ({
      key: grainKey(member, granularity),
      alias: grainAliases[position] ?? '',
      member,
      granularity,
    }),
  )
  const root: State = {
    grain: grain.filter(({ member }) => !isSwitch(member)),
    ranges,
    rowFilters,
    segments,
    groupFilters: [],
    rules,
    bindings: new Map(),
    rowBindings: new Map(),
    isWhole: true,
    shifts: [],
  }
  return { grain, root }
}
