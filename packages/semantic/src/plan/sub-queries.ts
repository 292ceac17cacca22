import type { SecuredIndex } from '../access/secured-index.ts'
import { queryError } from '../messages/query-messages.ts'
import { isMeasure, type MeasureMember, type Member, type ModelIndex } from '../resolve/model-index.ts'
import type { RowRule } from '../shapes/access.ts'
import type { BoundSql } from '../shapes/model.ts'
import type { Expression, Output } from '../shapes/plan.ts'
import { type Aliases, createAliases, snakeCase } from './aliases.ts'
import type { Expander, SubQueryTable } from './expander.ts'
import { joinPathsIn, joinPathsOf } from './join-paths.ts'
import { buildJoinTreeFrom } from './join-tree.ts'
import { primaryKeys } from './measures.ts'
import { planGroups, type WantedMeasure } from './plan-groups.ts'
import { planRequest } from './plan-request.ts'
import { filterMembers, noFilters, type RowFilters, rowConditions, rowMembers } from './row-conditions.ts'
import { ruleMembers } from './rule-members.ts'
import { isStaged } from './stages/staged-measures.ts'
import { isSubQuery, subQueriesOf } from './sub-query-members.ts'
import { joinTables } from './tables.ts'

interface Surroundings {
  readonly expander: Expander
  readonly tables: Aliases
  /** The query's, which are passed on where a dimension says so; those that are about a sub-query themselves are not. */
  readonly filters: RowFilters
}

/** Plans the table of a sub-query dimension: the measures that its SQL refers to, for each primary key of its cube. */
export function planSubQuery(
  { expander: surrounding, tables, filters: outer }: Surroundings,
  cubeName: string,
  dimension: string,
): SubQueryTable {
  const { index } = surrounding
  const definition = index.member(cubeName, dimension)
  if (!isSubQuery(definition)) throw new Error(`'${cubeName}.${dimension}' is not a sub-query dimension`)
  const { sql, propagatesFilters } = definition.expression
  const cube = index.cube(cubeName)
  const names = createAliases()
  const keys = primaryKeys(surrounding, cube).map((expression): Output => ({ alias: names.take('key'), expression }))
  const measures = measuresIn(index, sql).map(
    (member): WantedMeasure => ({
      member,
      alias: names.take(`${snakeCase(member.cube.name)}__${snakeCase(member.definition.name)}`),
    }),
  )
  const staged = measures.find(({ member }) => isStaged(index, member.cube.name, member.definition))
  if (staged) {
    throw queryError('sub_query_stage', { dimension: `${cubeName}.${dimension}`, measure: staged.member.id })
  }
  const filters = propagatesFilters ? passedOn(index, outer) : noFilters
  const filtered = [...rowMembers(index, filters).map(placeOf), ...filters.rules.flatMap(ruleMembers)]
  const tree = buildJoinTreeFrom(index, cubeName, [
    ...cube.primaryKey.flatMap(key => joinPathsOf(index, cubeName, key, [cubeName])),
    ...joinPathsIn(index, sql, [cubeName]),
    ...filtered
      .flatMap(place => joinPathsOf(index, place.cube, place.member, place.joinPath))
      // The way that a query comes to this cube is not gone again from it.
      .map(path => path.slice(Math.max(path.lastIndexOf(cubeName), 0))),
  ])
  const expander = { ...surrounding, tree, request: planRequest(filters, surrounding.request.securityContext) }
  const used = [...measures.map(({ member }) => placeOf(member)), ...filtered].map(place => ({
    cube: place.cube,
    name: place.member,
  }))
  const from = joinTables(expander, tree, used)
  const rows = { from, where: rowConditions(expander, filters), grain: keys }
  const { body, trees } = planGroups({ expander, names, tables, groupFilters: [], tree, rows, measures })
  const alias = tables.take(`${snakeCase(cubeName)}_${snakeCase(dimension)}_subquery`)
  const column = (name: string): Expression => ({ kind: 'column', table: alias, name, trusted: false })
  return {
    relation: { alias, source: body, isQuery: true },
    on: equality(keys.map(key => [column(key.alias), key.expression])),
    column(owner, name) {
      const measure = measures.find(({ member }) => member.cube.name === owner && member.definition.name === name)
      if (!measure) throw new Error(`The sub-query '${cubeName}.${dimension}' has no measure '${owner}.${name}'`)
      return column(measure.alias)
    },
    cubes: [...new Set([tree, ...trees].flatMap(({ cubes }) => cubes))],
  }
}

/** The measures that SQL refers to, each once. */
function measuresIn(index: ModelIndex, { parts }: BoundSql): MeasureMember[] {
  const found = new Map<string, MeasureMember>()
  for (const part of parts) {
    if (typeof part === 'string' || part.kind !== 'member') continue
    const member = index.sources.get(part.cube)?.members.get(part.member)
    if (member && isMeasure(member)) found.set(member.id, member)
  }
  return [...found.values()]
}

const placeOf = ({ cube, definition, joinPath }: Member) => ({ cube: cube.name, member: definition.name, joinPath })

function passedOn(index: SecuredIndex, { ranges, segments, rowFilters, rules }: RowFilters): RowFilters {
  const isPlain = ({ cube, definition }: { cube: { name: string }; definition: { name: string } }) =>
    subQueriesOf(index, cube.name, definition.name).length === 0
  const isPassed = (rule: RowRule) =>
    rule.kind === 'member' && rule.isDefaultFilter === true && subQueriesOf(index, rule.cube, rule.member).length === 0
  return {
    ranges: ranges.filter(({ member }) => isPlain(member)),
    segments: segments.filter(isPlain),
    rowFilters: rowFilters.filter(filter => filterMembers(index, filter).every(isPlain)),
    // A view's policy is about the view's rows, not about those that a dimension of them stands for. A default filter is a filter.
    rules: rules.filter(isPassed),
  }
}

const equality = (pairs: readonly (readonly [Expression, Expression])[]): Expression => ({
  kind: 'sql',
  parts: pairs.flatMap(([left, right], position) => [...(position > 0 ? [' AND '] : []), left, ' = ', right]),
})
