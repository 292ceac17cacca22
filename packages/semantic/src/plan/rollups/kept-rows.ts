import type { SecuredIndex } from '../../access/secured-index.ts'
import { QueryError } from '../../messages/query-messages.ts'
import { type RollupMiss, rollupMiss } from '../../messages/rollup-misses.ts'
import { oncePerObject } from '../../once-per-object.ts'
import { calendarSql, memberSql } from '../../resolve/check-references.ts'
import type { ModelIndex } from '../../resolve/model-index.ts'
import type { DialectName } from '../../shapes/compiled.ts'
import type { BoundSql, Cube } from '../../shapes/model.ts'
import type { NormalizedQuery } from '../../shapes/query.ts'
import { factsOf } from '../facts.ts'
import { planSecured } from '../plan-query.ts'
import { queryMembers } from '../query-members.ts'
import type { Considered, FoundPart } from './found-part.ts'
import { rangeOf, wholeRange } from './partition-range.ts'
import { type RollupId, rollupOf } from './rollup.ts'
import { isStagedQuery } from './staged-rollup.ts'

/** The rows of cubes as `original_sql` keeps them: for each cube what is read in place of its table. */
export type KeptRows = ReadonlyMap<string, BoundSql>

/** Where the kept rows are: a data source of their own. */
export const keptDataSource = 'rollups'

/** The model with the rows of some cubes read from where they are kept; whatever a caller may see of them stays as it is. */
export function withKeptRows(index: SecuredIndex, kept: KeptRows): SecuredIndex {
  const cubes = new Map<string, Cube>()
  return {
    ...index,
    cube(name) {
      const known = cubes.get(name)
      if (known) return known
      const cube = index.cube(name)
      const sql = kept.get(name)
      if (!sql) return cube
      const own: Cube = { ...cube, dataSource: keptDataSource, source: { kind: 'query', sql } }
      cubes.set(name, own)
      return own
    },
  }
}

/** What keeps the rows of a cube: the first of its pre-aggregations that is an `original_sql`. */
export const rowsKeeperOf = (index: ModelIndex, cube: string): RollupId | null => keeperOf(index.cube(cube))

function keeperOf({ name: cube, preAggregations }: Cube): RollupId | null {
  const found = preAggregations.find(({ type }) => type === 'original_sql')
  return found ? { cube, name: found.name } : null
}

/** Why the rows of a cube can't be read from where they are kept, whatever the query; null where they can. */
export function keptRowsMiss(
  index: ModelIndex,
  name: string,
  dialectOf: (dataSource: string) => DialectName,
): RollupMiss | null {
  const cube = index.cube(name)
  const dialect = dialectOf(cube.dataSource)
  if (dialect !== 'duckdb') return rollupMiss('kept_dialect', { cube: name, dialect })
  if (readsRequest(index, name)) return rollupMiss('request', { cube: name })
  const elsewhere = [...cube.dimensions, ...cube.measures, ...cube.segments].find(member =>
    [...memberSql(member), ...calendarSql(member).map(({ sql }) => sql)].some(readsTables),
  )
  return elsewhere ? rollupMiss('kept_tables', { member: `${name}.${elsewhere.name}` }) : null
}

/** Whether a cube's own SQL, or that of cubes in it, reads other rows for other callers or filters. */
function readsRequest(index: ModelIndex, name: string): boolean {
  const depends = (sql: BoundSql): boolean =>
    sql.parts.some(part => {
      if (typeof part === 'string') return false
      if (part.kind === 'securityContext' || part.kind === 'filterParams') return true
      // Whatever policies keep of a cube, they keep of others that are made of it.
      if (part.kind === 'source')
        return index.cube(part.cube).accessPolicies.length > 0 || readsRequest(index, part.cube)
      return (part.kind === 'localTime' || part.kind === 'urlEncoded') && depends(part.sql)
    })
  return depends(index.cube(name).source.sql)
}

/** SQL of a member that reads tables or files, which are not beside the kept rows. */
const readsTables = ({ parts }: BoundSql): boolean =>
  parts.some(part => typeof part === 'string' && /\b(select|from\s*['"(]|read_\w+\s*\(|glob\s*\()/i.test(part))

interface FoundRows {
  /** What keeps the rows of each cube that the query reads; none: it is not answered from kept rows. */
  readonly parts: readonly FoundPart[]
  readonly considered: readonly Considered[]
}

/**
 * Whether a query can be answered from the kept rows of its cubes: all that it reads has to be kept, as tables of the source are
 * nowhere beside them.
 */
export function findKeptRows(
  index: SecuredIndex,
  query: NormalizedQuery,
  dialectOf: (dataSource: string) => DialectName,
): FoundRows {
  const nothing = { parts: [], considered: [] }
  const keepers = keepersIn(index.sources)
  if (keepers.size === 0) return nothing
  const places = new Map([...keepers.keys()].map(cube => [cube, { parts: ['kept'] }]))
  let cubes: readonly string[]
  try {
    cubes = planSecured(withKeptRows(index, places), query).cubes
  } catch (error) {
    if (!(error instanceof QueryError)) throw error
    // Of cubes whose rows are kept and of others at once: what there is to say of it is said of the others.
    if (error.code !== 'data_sources') return nothing
    cubes = planSecured(index, query).cubes
  }
  const used = cubes.flatMap(cube => keepers.get(cube) ?? [])
  if (used.length === 0) return nothing
  const other = cubes.find(cube => !keepers.has(cube))
  const sources = new Set(cubes.map(cube => index.cube(cube).dataSource))
  const miss =
    other !== undefined
      ? rollupMiss('kept_other', { cube: other })
      : sources.size > 1
        ? rollupMiss('kept_sources', {})
        : cubes.reduce<RollupMiss | null>((found, cube) => found ?? keptRowsMiss(index, cube, dialectOf), null)
  const considered = used.map(id => ({ id, miss }))
  if (miss) return { parts: [], considered }
  const isOfOneCube = used.length === 1 && isPlain(index, query)
  return {
    parts: used.map(id => ({
      id,
      range: isOfOneCube ? rangeOf(index, rollupOf(index, id), queryMembers(index, query)) : wholeRange,
    })),
    considered,
  }
}

/** What keeps the rows of cubes, by the cube. A large model is searched once. */
const keepersIn = oncePerObject(
  (sources: ModelIndex['sources']): ReadonlyMap<string, RollupId> =>
    new Map(
      [...sources.values()].flatMap(({ definition }): [string, RollupId][] => {
        const id = definition.kind === 'cube' ? keeperOf(definition.cube) : null
        return id ? [[id.cube, id]] : []
      }),
    ),
)

/** Whether the query's filters are about every row that it reads. */
function isPlain(index: SecuredIndex, query: NormalizedQuery): boolean {
  const members = queryMembers(index, query)
  return !factsOf(index, members) && !isStagedQuery(index, members)
}
