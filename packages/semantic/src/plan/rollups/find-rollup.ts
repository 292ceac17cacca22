import type { SecuredIndex } from '../../access/secured-index.ts'
import type { RollupMiss } from '../../messages/rollup-misses.ts'
import { rollupMiss } from '../../messages/rollup-misses.ts'
import type { ModelIndex } from '../../resolve/model-index.ts'
import type { DialectName } from '../../shapes/compiled.ts'
import type { NormalizedQuery } from '../../shapes/query.ts'
import { factsOf } from '../facts.ts'
import { buildJoinTree } from '../join-tree.ts'
import { neededPaths, queryMembers } from '../query-members.ts'
import type { Considered, FoundPart } from './found-part.ts'
import { joinRollups } from './joined-rollup.ts'
import { findKeptRows } from './kept-rows.ts'
import { missOf } from './match-rollup.ts'
import { rangeOf, wholeRange } from './partition-range.ts'
import { type RollupId, rollupOf } from './rollup.ts'
import { isStagedQuery, matchStaged } from './staged-rollup.ts'

export interface FoundRollup {
  /** The first that matches, in the order of the query's cubes and of the files. */
  readonly rollup: RollupId | null
  /** Rollups whose tables hold its rows: itself, those that a rollup_lambda puts end to end, those that a rollup_join joins, or what keeps the rows of the query's cubes. */
  readonly parts: readonly FoundPart[]
  /** How the tables of the parts are read: those of one rollup, joined, end to end in time, or in place of the cubes' own. */
  readonly kind: 'rollup' | 'rollup_join' | 'rollup_lambda' | 'original_sql'
  /** Also source rows that are newer than every part. */
  readonly includesSource: boolean
  /** In which its tables have to be built. */
  readonly timezone: string
  readonly considered: readonly Considered[]
}

/**
 * The rollup that answers a query, by the published rules (data-model.md, section 7, matching): rollups of the cubes that the query
 * joins, the first that holds everything asked for; else the kept rows of all cubes that it reads (`original_sql`). One that would give
 * other rows than the source never matches.
 */
export function findRollup(
  index: SecuredIndex,
  query: NormalizedQuery,
  dialectOf: (dataSource: string) => DialectName,
): FoundRollup {
  const found = findSums(index, query, dialectOf)
  if (found.rollup) return found
  const { parts, considered } = findKeptRows(index, query, dialectOf)
  const [first] = parts
  return {
    ...found,
    ...(first ? { rollup: first.id, parts, kind: 'original_sql' } : {}),
    considered: [...found.considered, ...considered],
  }
}

function findSums(
  index: SecuredIndex,
  query: NormalizedQuery,
  dialectOf: (dataSource: string) => DialectName,
): FoundRollup {
  const members = queryMembers(index, query)
  const { timezone } = query
  const nothing = { rollup: null, parts: [], kind: 'rollup', includesSource: false, timezone } as const
  const refuse = (cubes: readonly string[], miss: RollupMiss): FoundRollup => ({
    ...nothing,
    considered: candidates(index, cubes).map(id => ({ id, miss })),
  })
  const facts = factsOf(index, members)
  if (facts)
    return refuse(
      facts.map(({ root }) => root),
      rollupMiss('facts', {}),
    )
  const staged = !query.ungrouped && isStagedQuery(index, members) ? matchStaged(index, query, members) : null
  if (staged?.miss) return refuse(staged.cubes, staged.miss)
  const tree = buildJoinTree(index, neededPaths(index, query, members))
  if (query.ungrouped) return refuse(tree.cubes, rollupMiss('ungrouped', {}))
  const considered: Considered[] = []
  for (const id of candidates(index, staged?.cubes ?? tree.cubes)) {
    const miss = staged ? staged.missOf(id, dialectOf) : missOf({ index, members, tree, query, dialectOf }, id)
    considered.push({ id, miss })
    if (miss) continue
    const definition = index.cube(id.cube).preAggregations.find(({ name }) => name === id.name)
    const isLambda = definition?.type === 'rollup_lambda'
    const isJoin = definition?.type === 'rollup_join'
    const range = (part: RollupId) => (staged ? staged.rangeOf(part) : rangeOf(index, rollupOf(index, part), members))
    return {
      rollup: id,
      parts: isJoin
        ? joinedParts(index, id, dialectOf, range)
        : (isLambda ? definition.rollups : [id]).map(part => ({ id: part, range: range(id) })),
      kind: isJoin ? 'rollup_join' : isLambda ? 'rollup_lambda' : 'rollup',
      includesSource: isLambda && definition.unionWithSourceData,
      timezone,
      considered,
    }
  }
  return { ...nothing, considered }
}

/** All rows of what is joined to the first part are needed, whenever they are of. */
function joinedParts(
  index: ModelIndex,
  id: RollupId,
  dialectOf: (dataSource: string) => DialectName,
  rangeOfFirst: (part: RollupId) => FoundPart['range'],
): FoundPart[] {
  const joined = joinRollups(index, rollupOf(index, id), dialectOf)
  if ('miss' in joined) throw new Error(`'${id.cube}.${id.name}' matches and can't be joined: ${joined.miss.reason}`)
  return joined.parts.map(({ rollup }, position) => ({
    id: rollup.id,
    range: position === 0 ? rangeOfFirst(rollup.id) : wholeRange,
  }))
}

const candidates = (index: ModelIndex, cubes: readonly string[]): RollupId[] =>
  cubes.flatMap(cube =>
    index.cube(cube).preAggregations.flatMap(({ name, type }) => (type === 'original_sql' ? [] : [{ cube, name }])),
  )
