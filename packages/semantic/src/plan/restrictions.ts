import type { SecuredIndex } from '../access/secured-index.ts'
import { queryError } from '../messages/query-messages.ts'
import type { Member } from '../resolve/model-index.ts'
import type { RowRule } from '../shapes/access.ts'
import type { RestrictedRows, Selection } from '../shapes/plan.ts'
import { createAliases, snakeCase } from './aliases.ts'
import { expandSource, rowRuleCondition } from './expand.ts'
import { type Expander, noStages, type Restrictions, type StageValues } from './expander.ts'
import { joinPathsOf } from './join-paths.ts'
import { buildJoinTreeFrom, isMultiplied } from './join-tree.ts'
import { primaryKeys } from './measures.ts'
import { noFilters } from './row-conditions.ts'
import { ruleMembers } from './rule-members.ts'
import { planSubQuery } from './sub-queries.ts'
import { createExpander, joinTables, readCubes } from './tables.ts'
import { rootedAt } from './turned-tree.ts'

/** For what is read whoever asks. */
export const allRows: Restrictions = { of: () => null, cubes: () => [] }

/**
 * The rows of each cube that the caller may see. They take the place of the cube's table wherever the plan reads it, so that a policy
 * never changes how tables are joined, and what is on the way of a join is restricted as what is asked for.
 *
 * @param members those that the query asks for
 * @param isApart whether nothing may be computed of other rows, however the database orders its work
 */
export function createRestrictions(
  index: SecuredIndex,
  timezone: string,
  members: readonly Member[],
  isApart: boolean,
): Restrictions {
  if (!index.hasPolicies && !isApart) return allRows
  const known = new Map<string, Restriction>()
  const rules = new Map<string, RowRule | null>()
  const ruleOf = (cube: string): RowRule | null => {
    const found = rules.get(cube)
    if (found !== undefined) return found
    const source = index.sources.get(cube)
    if (!source) throw new Error(`The model has no cube '${cube}'`)
    const { access } = index
    const rule = access.isRestricted(source)
      ? access.rowsOf(
          source,
          members.filter(({ id }) => id.startsWith(`${cube}.`)),
        )
      : null
    rules.set(cube, rule)
    return rule
  }
  const restrictionOf = (cube: string, { stages }: Expander): Restriction | null => {
    const rule = ruleOf(cube)
    if (!rule) return null
    const chosen = ruleMembers(rule).map(leaf => stages.chosen(leaf.cube, leaf.member) ?? null)
    const key = `${cube} ${chosen.some(value => value !== null) ? JSON.stringify(chosen) : ''}`
    const made = known.get(key) ?? restrict(index, timezone, cube, rule, stages, isApart)
    known.set(key, made)
    return made
  }
  return {
    of(cube, expander) {
      const restriction = restrictionOf(cube, expander)
      if (!restriction) return isApart && chosenByContext(index, cube) ? wholeTable(expander, cube) : null
      const { rows } = restriction
      const root = { ...rows.from.root, source: expandSource(expander, index.cube(cube)) }
      return { ...rows, from: { ...rows.from, root } }
    },
    cubes: () => [...known.values()].flatMap(restriction => restriction.cubes),
  }
}

/** Whether a cube's own SQL chooses rows by who asks, as models did before there were policies. */
const chosenByContext = (index: SecuredIndex, cube: string) =>
  index.cube(cube).source.sql.parts.some(part => typeof part !== 'string' && part.kind === 'securityContext')

/** All that the cube's own SQL gives, and nothing but that. */
function wholeTable(expander: Expander, cube: string): RestrictedRows {
  const source = expandSource(expander, expander.index.cube(cube))
  const alias = snakeCase(cube)
  return { alias, from: { root: { alias, source, isQuery: true }, joins: [] }, where: [], isApart: true, among: null }
}

interface Restriction {
  /** Of the whole table, in the place of which the table as the query reads it is put. */
  readonly rows: RestrictedRows
  readonly cubes: readonly string[]
}

/** A policy is about all rows, whoever asks: where its filter refers to other cubes, those are read as they are. */
function restrict(
  index: SecuredIndex,
  timezone: string,
  cube: string,
  rule: RowRule,
  { chosen }: StageValues,
  isApart: boolean,
): Restriction {
  const tables = createAliases()
  const request = {
    filters: () => [],
    securityContext: () => index.access.context.securityContext,
    isOptional: false,
  }
  const expander = createExpander(
    index,
    timezone,
    request,
    tables,
    allRows,
    (own, owner, dimension) => planSubQuery({ expander: own, tables, filters: noFilters }, owner, dimension),
    { ...noStages, chosen },
  )
  const used = ruleMembers(rule).map(({ cube: owner, member }) => ({ cube: owner, name: member }))
  const paths = used.flatMap(({ cube: owner, name }) => joinPathsOf(index, owner, name, [cube]))
  // What the filter is about may join the cube, and not the other way round: all of the cube's rows are looked at nevertheless.
  const tree = rootedAt(index, buildJoinTreeFrom(index, cube, [[cube], ...paths]), cube)
  const from = joinTables(expander, tree, used)
  const where = [rowRuleCondition(expander, rule)]
  const alias = expander.tableAlias(cube)
  const cubes = readCubes(index, [...tree.cubes, ...expander.subQueryCubes()])
  if (!isMultiplied(tree, cube)) return { rows: { alias, from, where, isApart, among: null }, cubes }
  const keys = primaryKeys(expander, index.cube(cube))
  if (keys.length === 0) throw queryError('primary_key_required', { cube })
  const grain = keys.map((expression, position) => ({ alias: `key_${position + 1}`, expression }))
  const selection: Selection = { kind: 'selection', from, where, grain, outputs: [], grouped: true, having: [] }
  const match = grain.map(({ alias: key, expression }) => ({ key, expression }))
  const among = { alias: tables.take(`${snakeCase(cube)}_allowed`), selection, match }
  return { rows: { alias, from: { root: from.root, joins: [] }, where: [], isApart, among }, cubes }
}
