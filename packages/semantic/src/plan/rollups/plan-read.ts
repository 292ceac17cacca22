import type { SecuredIndex } from '../../access/secured-index.ts'
import { filteredMember } from '../../query/find-member.ts'
import type { DimensionMember, MeasureMember, Member } from '../../resolve/model-index.ts'
import { measureKinds } from '../../shapes/measure-kinds.ts'
import type { Granularity } from '../../shapes/model.ts'
import type { Column, Condition, Expression, Output, Plan, Relation } from '../../shapes/plan.ts'
import type { MemberFilter, NormalizedQuery, QueryFilter } from '../../shapes/query.ts'
import type { Interval } from '../../shapes/window.ts'
import { createAliases } from '../aliases.ts'
import { isCalculation } from '../calculations.ts'
import { filterCondition, rangeCondition } from '../conditions.ts'
import { expandSql, ruleLeafCondition } from '../expand.ts'
import type { Expander } from '../expander.ts'
import { columnAlias, measureColumn } from '../grain.ts'
import { asMeasure } from '../measures.ts'
import { groupCondition } from '../plan-groups.ts'
import { planLimit, planOrder } from '../plan-query.ts'
import { planRequest } from '../plan-request.ts'
import { type MemberRange, type QueryMembers, queryMembers } from '../query-members.ts'
import { allRows } from '../restrictions.ts'
import { noFilters } from '../row-conditions.ts'
import { type RuleLeaf, ruleCondition } from '../rule-members.ts'
import { createExpander } from '../tables.ts'
import { divides, movesSteps } from './divides.ts'
import { dividingRange } from './filter-range.ts'
import { isWhole, measuresOf } from './match-rollup.ts'
import { held, heldMeasure } from './places.ts'
import { columnOf } from './plain-columns.ts'
import { rollupRules, column as ruleColumn } from './policy-miss.ts'
import { type Rollup, type RollupId, rollupOf } from './rollup.ts'
import { rollupAlias } from './rollup-relation.ts'

/**
 * Plans a query over a rollup that matches it, in the place of the source.
 *
 * @param root the rollup's tables, as `rollupRelation` reads them
 * @param dataSource where the tables are
 */
export function planRollupRead(
  index: SecuredIndex,
  query: NormalizedQuery,
  id: RollupId,
  root: Relation,
  dataSource: string,
): Plan {
  const rollup = rollupOf(index, id)
  const members = queryMembers(index, query)
  const names = createAliases()
  const grain: Output[] = []
  const columns: Column[] = []
  for (const member of members.dimensions) {
    const name = names.take(columnAlias(member, ''))
    grain.push({ alias: name, expression: dimensionColumn(rollup, member) })
    columns.push({ alias: name, member: member.id, kind: 'dimension', type: member.definition.type })
  }
  for (const { member, granularity } of members.times) {
    const name = names.take(columnAlias(member, `_${granularity.name}`))
    grain.push({ alias: name, expression: timeColumn(rollup, member, granularity, query.timezone) })
    columns.push({ alias: name, member: member.id, kind: 'timeDimension', type: 'time', granularity: granularity.name })
  }
  const measures = members.measures.map(member => ({ member, alias: names.take(columnAlias(member, '')) }))
  const expander = calculator(index, query.timezone)
  const value = leafValues(expander, rollup, members)
  const selected = [...columns, ...measures.map(measureColumn)]
  return {
    dataSource,
    cubes: [],
    columns: selected,
    stages: [],
    body: {
      kind: 'selection',
      from: { root, joins: [] },
      where: [
        ...conditions(index, rollup, members, query.timezone),
        ...rollupRules(index, rollup, members).map(rule =>
          ruleCondition(rule, leaf => ruleLeafCondition(expander, leaf, ruledColumn(index, rollup, leaf))),
        ),
      ],
      grain,
      outputs: measures.map(({ member, alias: name }) => ({ alias: name, expression: value(member) })),
      grouped: true,
      having: members.groupFilters.map(filter => groupCondition(expander, filter, value)),
    },
    order: planOrder(query, selected, grain.length),
    limit: planLimit(query),
    offset: query.offset ?? 0,
  }
}

const column = (name: string): Expression => columnOf(rollupAlias, name)

/** Expands calculations of measures, which refer to measures alone. */
export const calculator = (index: SecuredIndex, timezone: string): Expander =>
  createExpander(
    index,
    timezone,
    planRequest(noFilters, () => ({})),
    createAliases(),
    allRows,
    (_, cube, dimension) => {
      throw new Error(`A calculation refers to the dimension '${cube}.${dimension}'`)
    },
  )

export function dimensionColumn({ dimensions }: Rollup, member: DimensionMember): Expression {
  const found = held(dimensions, member)
  if (!found) throw new Error(`The rollup does not have '${member.id}'`)
  return column(found.name)
}

/** Columns of the rollup's own steps hold local times, which are cut further without a zone. */
export function timeColumn(
  { dimensions, times }: Rollup,
  member: DimensionMember,
  granularity: Granularity,
  timezone: string,
  shifts: readonly Interval[] = [],
): Expression {
  const own = times.filter(time => isHeld(time, member, shifts))
  const same = own.find(time => time.granularity.name === granularity.name)
  if (same) return moved(column(same.name), shifts)
  const finer = own.find(time => divides(time.granularity, granularity))
  const { bucket } = granularity
  if (bucket.kind === 'calendar') throw new Error(`The rollup does not have '${member.id}' by ${granularity.name}`)
  if (finer) return { kind: 'bucket', time: moved(column(finer.name), shifts), bucket, timezone: 'UTC' }
  const raw = held(dimensions, member)
  if (!raw) throw new Error(`The rollup does not have '${member.id}' by ${granularity.name}`)
  const time = rawTime(raw.name, timezone, shifts)
  return { kind: 'bucket', time: time.expression, bucket, timezone: time.timezone }
}

const isHeld = (time: Rollup['times'][number], member: DimensionMember, shifts: readonly Interval[]): boolean =>
  held([time], member) !== undefined && shifts.every(shift => movesSteps(time.granularity, shift))

/** A local time as it counts. */
const moved = (local: Expression, shifts: readonly Interval[]): Expression =>
  shifts.reduce<Expression>((time, by) => ({ kind: 'shifted', time, by }), local)

/** A column of UTC as it counts: where it is shifted, local. */
function rawTime(name: string, timezone: string, shifts: readonly Interval[]) {
  if (shifts.length === 0) return { expression: column(name), timezone }
  return { expression: moved({ kind: 'localTime', time: column(name), timezone }, shifts), timezone: 'UTC' }
}

/** Where to compare times: the raw time if the rollup has it, otherwise steps that hold the whole range. */
function comparedTime(
  { dimensions, times }: Rollup,
  member: DimensionMember,
  range: MemberRange['dateRange'],
  timezone: string,
  shifts: readonly Interval[],
) {
  const raw = held(dimensions, member)
  if (raw) return rawTime(raw.name, timezone, shifts)
  const steps = times.find(time => isHeld(time, member, shifts) && isWhole(time.granularity, range))
  if (!steps) throw new Error(`The rollup can't compare '${member.id}'`)
  return { expression: moved(column(steps.name), shifts), timezone: 'UTC' }
}

/** The conditions of a query's filters on the columns of a rollup. */
export function conditions(
  index: SecuredIndex,
  rollup: Rollup,
  members: QueryMembers,
  timezone: string,
  shiftsOf: (member: Member) => readonly Interval[] = () => [],
): Condition[] {
  return [
    ...members.ranges.map(({ member, dateRange }) => {
      const time = comparedTime(rollup, member, dateRange, timezone, shiftsOf(member))
      return rangeCondition(time.expression, dateRange, time.timezone)
    }),
    ...members.segments.map((member): Condition => {
      const found = held(rollup.segments, member)
      if (!found) throw new Error(`The rollup does not have '${member.id}'`)
      return { kind: 'null', expression: column(found.name), negated: true }
    }),
    ...members.rowFilters.map(filter => condition(index, rollup, filter, timezone, shiftsOf)),
  ]
}

export function ruledColumn(index: SecuredIndex, rollup: Rollup, leaf: RuleLeaf): Expression {
  const found = ruleColumn(index, rollup, leaf)
  if (!found) throw new Error(`The rollup does not have '${leaf.cube}.${leaf.member}', which a policy is about`)
  return column(found.name)
}

function condition(
  index: SecuredIndex,
  rollup: Rollup,
  filter: QueryFilter,
  timezone: string,
  shiftsOf: (member: Member) => readonly Interval[],
): Condition {
  const all = (filters: readonly QueryFilter[]) =>
    filters.map(inner => condition(index, rollup, inner, timezone, shiftsOf))
  if ('and' in filter) return { kind: 'and', conditions: all(filter.and) }
  if ('or' in filter) return { kind: 'or', conditions: all(filter.or) }
  return memberCondition(index, rollup, filter, timezone, shiftsOf)
}

function memberCondition(
  index: SecuredIndex,
  rollup: Rollup,
  filter: MemberFilter,
  timezone: string,
  shiftsOf: (member: Member) => readonly Interval[],
): Condition {
  const member = filteredMember(index, filter)
  if (member.definition.kind !== 'dimension') throw new Error(`A rollup is filtered by '${filter.member}'`)
  const dimension = { ...member, definition: member.definition }
  const { type } = member.definition
  const time =
    type === 'time'
      ? comparedTime(rollup, dimension, dividingRange(filter) ?? [null, null], timezone, shiftsOf(member))
      : { expression: dimensionColumn(rollup, dimension), timezone }
  return filterCondition(filter, { kind: 'dimension', type, expression: time.expression }, time.timezone)
}

/** Values of measures: what was aggregated is aggregated once more, or taken as it is where a group is one row. */
export function leafValues({ index, ...expander }: Expander, rollup: Rollup, members: QueryMembers) {
  const place = new Map<string, Expression>()
  for (const leaf of measuresOf(index, members)) {
    const found = heldMeasure(rollup.measures, leaf)
    if (found) place.set(leaf.id, again(leaf, column(found.name)))
  }
  const value = (cube: string, name: string): Expression => {
    const found = place.get(`${cube}.${name}`)
    if (found) return found
    const measure = asMeasure(index, cube, name)
    if (!isCalculation(index, measure) || !measure.sql) throw new Error(`The rollup does not have '${cube}.${name}'`)
    return expandSql({ index, ...expander }, cube, measure.sql, value)
  }
  return ({ cube, definition }: MeasureMember) => value(cube.name, definition.name)
}

/** What has no way to be combined is the value of one row. */
function again({ definition: { type } }: MeasureMember, input: Expression): Expression {
  const { combine, ofNothing } = measureKinds[type]
  const again: Expression = { kind: 'aggregate', function: combine ?? 'max', input }
  return ofNothing === null ? again : orNone(again)
}

/** Nothing counted is none. A sum of counts is wider than a count, and would be divided otherwise. */
const orNone = (counted: Expression): Expression => ({
  kind: 'sql',
  parts: ['CAST(coalesce(', counted, ', 0) AS BIGINT)'],
})
