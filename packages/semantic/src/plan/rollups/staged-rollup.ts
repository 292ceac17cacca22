import type { SecuredIndex } from '../../access/secured-index.ts'
import { type RollupMiss, rollupMiss } from '../../messages/rollup-misses.ts'
import { memberSql } from '../../resolve/check-references.ts'
import { isMeasure, type MeasureMember, type Member } from '../../resolve/model-index.ts'
import type { DialectName } from '../../shapes/compiled.ts'
import type { Expression, Output, Plan, Relation, Selection } from '../../shapes/plan.ts'
import type { NormalizedQuery } from '../../shapes/query.ts'
import type { Interval } from '../../shapes/window.ts'
import { ruleLeafCondition } from '../expand.ts'
import { groupCondition } from '../plan-groups.ts'
import { planLimit, planOrder } from '../plan-query.ts'
import { planStaged } from '../plan-staged.ts'
import { askedMembers, filteredMeasures, type MemberRange, type QueryMembers } from '../query-members.ts'
import { createRestrictions } from '../restrictions.ts'
import { ownRange } from '../row-conditions.ts'
import { ruleCondition } from '../rule-members.ts'
import { namesSwitch } from '../stages/choices.ts'
import type { LeafReader, ReadLeaf } from '../stages/planning.ts'
import { stageDimensionsOf, stagedDimensions } from '../stages/stage-dimension-members.ts'
import { shiftsOf } from '../stages/stage-rows.ts'
import { isStaged, stagedMeasure } from '../stages/staged-measures.ts'
import { engineMiss } from './engine-miss.ts'
import { dialectsOf, type MatchedQuery, missOf } from './match-rollup.ts'
import { held } from './places.ts'
import { calculator, conditions, dimensionColumn, leafValues, ruledColumn, timeColumn } from './plan-read.ts'
import { rollupRules } from './policy-miss.ts'
import { type Rollup, type RollupId, rollupOf } from './rollup.ts'

/** Whether a query is planned in stages. */
export const isStagedQuery = (index: SecuredIndex, members: QueryMembers): boolean =>
  stagedMeasure(index, members) !== undefined ||
  stagedDimensions(index, members).length > 0 ||
  namesSwitch(index, members)

/** A query in stages as a rollup has to match it: the groups that its stages begin with. */
export interface StagedMatch {
  /** Cubes whose rows they are of. */
  readonly cubes: readonly string[]
  /** Why no rollup matches, whatever it holds. */
  readonly miss: RollupMiss | null
  missOf(id: RollupId, dialectOf: MatchedQuery['dialectOf']): RollupMiss | null
  /** Of which times of a rollup's rows they are: local times, both ends included; null where there is no end. */
  rangeOf(id: RollupId): MemberRange['dateRange']
}

/**
 * What a query in stages asks of a rollup. Its windows, shifts and grains are computed from groups of rows; a rollup that gives each
 * of these groups as the source does answers the query. Windows that gather rows one by one need the source.
 *
 * @throws {QueryError} when the query can't be planned
 */
export function matchStaged(index: SecuredIndex, query: NormalizedQuery, members: QueryMembers): StagedMatch {
  const leaves: ReadLeaf[] = []
  const gathered: string[] = []
  let miss: RollupMiss | null = null
  planReading(index, query, members, {
    leaf(leaf) {
      leaves.push(leaf)
      return nothingRead(leaf)
    },
    rows(measure) {
      gathered.push(measure.cube.name)
      miss ??= rollupMiss('window_rows', { member: measure.id })
    },
  })
  const [dimension] = leaves.flatMap(({ state }) => stageDimensionsOf(index, state))
  if (dimension) miss = rollupMiss('staged_dimension', { member: dimension.id })
  return {
    cubes: [...new Set([...gathered, ...leaves.flatMap(({ tree }) => tree.cubes)])],
    miss,
    missOf(id, dialectOf) {
      for (const { state, members: own, tree } of leaves) {
        const [shift] = state.shifts.filter(({ by, keys }) => by === null || keys.length > 0)
        if (shift) return rollupMiss('computed', { member: own.measures[0]?.id ?? id.cube })
        const found = missOf(
          { index, members: own, tree, query, dialectOf, asked: members, shiftsOf: shiftsIn(index, state) },
          id,
        )
        if (found) return found
      }
      const rollup = rollupOf(index, id)
      for (const dialect of dialectsOf(index, rollup, dialectOf)) {
        const found = calculationMiss(index, members, dialect) ?? engineMiss(index, rollup, query, members, dialect)
        if (found) return found
      }
      return null
    },
    rangeOf: id => together(leaves.map(leaf => ownTimes(index, rollupOf(index, id), leaf))),
  }
}

/** Stages are computed by the engine of the rollups, which may compute SQL of the author otherwise than the source. */
function calculationMiss(index: SecuredIndex, members: QueryMembers, dialect: DialectName): RollupMiss | null {
  if (dialect === 'duckdb') return null
  const queue: MeasureMember[] = [...members.measures, ...filteredMeasures(index, members.groupFilters)]
  const seen = new Set<string>()
  for (const { id, cube, definition } of queue) {
    const own = `${cube.name}.${definition.name}`
    if (seen.has(own) || !isStaged(index, cube.name, definition)) continue
    seen.add(own)
    if (definition.window && !definition.stage) continue
    const parts = memberSql(definition).flatMap(sql => sql.parts)
    if (parts.some(part => typeof part === 'string')) return rollupMiss('foreign_sql', { member: id, dialect })
    for (const part of parts) {
      const found =
        typeof part !== 'string' && part.kind === 'member' && index.sources.get(part.cube)?.members.get(part.member)
      if (found && isMeasure(found)) queue.push(found)
    }
  }
  return null
}

const shiftsIn =
  (index: SecuredIndex, state: ReadLeaf['state']) =>
  ({ cube, definition }: Member): readonly Interval[] =>
    shiftsOf(index, state, cube.name, definition.name)

/** The times of rows that a leaf is about, before they are shifted. */
function ownTimes(
  index: SecuredIndex,
  { times: [time] }: Rollup,
  { members, state }: ReadLeaf,
): MemberRange['dateRange'] {
  const range = time && members.ranges.find(({ member }) => held([time], member))
  return range ? ownRange(range.dateRange, shiftsIn(index, state)(range.member)) : [null, null]
}

const together = (ranges: readonly MemberRange['dateRange'][]): MemberRange['dateRange'] => {
  const outermost = (ends: readonly (string | null)[], isFirst: boolean) => {
    const known = ends.flatMap(end => end ?? []).toSorted()
    return known.length < ends.length ? null : ((isFirst ? known[0] : known.at(-1)) ?? null)
  }
  return [
    outermost(
      ranges.map(([from]) => from),
      true,
    ),
    outermost(
      ranges.map(([, to]) => to),
      false,
    ),
  ]
}

/** Plans a query in stages over a rollup that matches it. */
export function planStagedRead(
  index: SecuredIndex,
  query: NormalizedQuery,
  members: QueryMembers,
  id: RollupId,
  root: Relation,
  dataSource: string,
): Plan {
  const rollup = rollupOf(index, id)
  const {
    columns,
    stages = [],
    body,
  } = planReading(index, query, members, {
    leaf: leaf => readLeaf(index, rollup, leaf, members, root, query.timezone),
    rows(measure) {
      throw new Error(`'${measure.id}' gathers rows, and a rollup has none`)
    },
  })
  return {
    dataSource,
    cubes: [],
    columns,
    stages,
    body,
    order: planOrder(query, columns, columns.filter(({ kind }) => kind !== 'measure').length),
    limit: planLimit(query),
    offset: query.offset ?? 0,
  }
}

function planReading(index: SecuredIndex, query: NormalizedQuery, members: QueryMembers, reader: LeafReader) {
  const { context } = index.access
  const restrictions = createRestrictions(
    index,
    query.timezone,
    askedMembers(index, members),
    context.keepsRowsApart ?? false,
  )
  return planStaged({ index, query, members, context, restrictions }, reader)
}

/** The groups of a leaf, made of the rollup's. */
function readLeaf(
  index: SecuredIndex,
  rollup: Rollup,
  { members, measures, state }: ReadLeaf,
  asked: QueryMembers,
  root: Relation,
  timezone: string,
): Selection {
  const expander = calculator(index, timezone)
  const value = leafValues(expander, rollup, members)
  const shifts = shiftsIn(index, state)
  const rules = rollupRules(index, rollup, { ...asked, rules: members.rules })
  return {
    kind: 'selection',
    from: { root, joins: [] },
    where: [
      ...conditions(index, rollup, members, timezone, shifts),
      ...rules.map(rule =>
        ruleCondition(rule, leaf => ruleLeafCondition(expander, leaf, ruledColumn(index, rollup, leaf))),
      ),
    ],
    grain: state.grain.map(({ alias, member, granularity }): Output => {
      const expression: Expression = granularity
        ? timeColumn(rollup, member, granularity, timezone, shifts(member))
        : dimensionColumn(rollup, member)
      return { alias, expression }
    }),
    outputs: measures.map(({ member, alias }) => ({ alias, expression: value(member) })),
    grouped: true,
    having: state.groupFilters.map(filter => groupCondition(expander, filter, value)),
  }
}

/** Stands for the groups of a leaf where only is asked which there are. */
const nothingRead = ({ state, measures }: ReadLeaf): Selection => {
  const absent: Expression = { kind: 'sql', parts: ['NULL'] }
  return {
    kind: 'selection',
    from: { root: { alias: 'nothing', source: { kind: 'identifier', name: 'nothing' }, isQuery: false }, joins: [] },
    where: [],
    grain: state.grain.map(({ alias }) => ({ alias, expression: absent })),
    outputs: measures.map(({ alias }) => ({ alias, expression: absent })),
    grouped: true,
    having: [],
  }
}
