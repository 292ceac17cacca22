import type { SecuredIndex } from '../../access/secured-index.ts'
import { queryError } from '../../messages/query-messages.ts'
import type { MeasureMember } from '../../resolve/model-index.ts'
import type { Output, Selection, Stage } from '../../shapes/plan.ts'
import type { QueryContext } from '../../shapes/query.ts'
import type { Aliases } from '../aliases.ts'
import { literalMask, type Restrictions } from '../expand.ts'
import type { JoinPath } from '../join-paths.ts'
import { groupCondition, type WantedMeasure } from '../plan-groups.ts'
import { filteredMeasures, type QueryMembers } from '../query-members.ts'
import { compose } from './compose.ts'
import { placeMultiStage } from './multi-stage.ts'
import { createStagePlanning, measureId, type Place, type StagePlanning } from './planning.ts'
import { placeRolling } from './rolling.ts'
import { unmasked } from './staged-measures.ts'
import { grainKey, type State } from './state.ts'

interface StagedQuery {
  readonly index: SecuredIndex
  readonly timezone: string
  readonly securityContext: QueryContext['securityContext']
  readonly restrictions: Restrictions
  readonly names: Aliases
  readonly joinHints: readonly JoinPath[]
  readonly members: QueryMembers
  /** Columns of the answer: those of its groups, first dimensions, then times; and its measures. */
  readonly grainAliases: readonly string[]
  readonly measures: readonly WantedMeasure[]
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
  const { index, timezone, securityContext, restrictions, names, joinHints, members, measures } = query
  const state = stateOf(query)
  const planning = createStagePlanning(
    { index, timezone, securityContext, restrictions, names, joinHints, root: state },
    place,
  )
  const wanted = [...measures.map(({ member }) => member), ...filteredMeasures(index, members.groupFilters)]
  const composition = compose(planning, wanted.map(unmasked), null, state)
  // Whether all rows behind a value of several stages are the caller's can't be told, so that it is masked everywhere.
  const value = (member: MeasureMember) => {
    const { masking, type } = member.definition
    return masking ? literalMask(masking.mask, type) : composition.value(member)
  }
  const outputs = measures.map(({ member, alias }): Output => ({ alias, expression: value(member) }))
  const where = members.groupFilters.map(filter => groupCondition({ index, timezone }, filter, value))
  const { from, grain } = composition
  const stages = planning.stages()
  return {
    stages,
    body: { kind: 'selection', from, where, grain, outputs, grouped: false, having: [] },
    cubes: [...planning.cubes],
  }
}

function place(planning: StagePlanning, member: MeasureMember, state: State): Place {
  const { definition } = member
  if (definition.window) return placeRolling(planning, member, definition.window, state)
  if (definition.stage) return placeMultiStage(planning, member, definition.stage, state)
  throw queryError('stage_in_aggregate', { measure: measureId(member) })
}

function stateOf({ members, grainAliases }: StagedQuery): State {
  const { dimensions, times, ranges, rowFilters, segments, rules } = members
  const items = [...dimensions.map(member => ({ member, granularity: null })), ...times]
  return {
    grain: items.map(({ member, granularity }, position) => ({
      key: grainKey(member, granularity),
      alias: grainAliases[position] ?? '',
      member,
      granularity,
    })),
    ranges,
    rowFilters,
    segments,
    groupFilters: [],
    rules,
    shifts: [],
  }
}
