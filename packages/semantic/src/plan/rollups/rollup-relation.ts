import type { ModelIndex } from '../../resolve/model-index.ts'
import type { DialectName } from '../../shapes/compiled.ts'
import type { Condition, Expression, Relation } from '../../shapes/plan.ts'
import { compareTime } from '../conditions.ts'
import { joinRollups } from './joined-rollup.ts'
import { columnOf } from './plain-columns.ts'
import { type Rollup, type RollupId, rollupOf } from './rollup.ts'

/** A table that `planRollupBuild` filled, or Parquet files of it that have the same columns. */
export type RollupTable = { readonly schema: string | null; readonly table: string } | RollupFileSet

/** Names of files as the reading database finds them; letters, digits, dots, dashes and underscores alone. */
export interface RollupFileSet {
  readonly files: readonly string[]
  /** What their columns are read as, since files can't keep every type that the source has. */
  readonly columns: readonly { readonly name: string; readonly type: string }[]
}

/** Tables that answer for some steps of a rollup's time: local times at which steps begin; null where there is no end. */
export interface RollupSection {
  readonly tables: readonly RollupTable[]
  /** Null: rows without a time too. */
  readonly from: string | null
  readonly before: string | null
}

/** Where the tables of a rollup are. */
export interface RollupPlace {
  /** They hold the rollup's partitions, each row in one of them, built in the query's time zone. */
  readonly tables: readonly RollupTable[]
  /** What a `rollup_lambda` is read from instead of `tables`, end to end. */
  readonly sections?: readonly RollupSection[]
  /** Those of the other parts of a `rollup_join`, in the order of `FoundRollup.parts`. */
  readonly joined?: readonly (readonly RollupTable[])[]
  /** Which data source they are read at. */
  readonly dataSource: string
}

/** What the tables of a rollup are called in a statement. */
export const rollupAlias = 'rollup'

/** The tables of a rollup as one. @throws {Error} when the rollup does not match any query, or its parts are not all there */
export function rollupRelation(
  index: ModelIndex,
  id: RollupId,
  { tables, joined = [], sections }: RollupPlace,
  dialectOf: (dataSource: string) => DialectName,
): Relation {
  const rollup = rollupOf(index, id)
  if (sections) return sectionsRelation(rollup, sections)
  if (rollup.definition.type !== 'rollup_join') {
    const { parts, isQuery } = readTables(tables)
    return { alias: rollupAlias, source: { kind: 'sql', parts }, isQuery }
  }
  const join = joinRollups(index, rollup, dialectOf)
  if ('miss' in join) throw new Error(`'${id.cube}.${id.name}' can't be read: ${join.miss.reason}`)
  const all = [tables, ...joined]
  const parts = join.parts.map(({ alias, on }, position) => {
    const own = all[position]
    if (!own) throw new Error(`'${id.cube}.${id.name}' lacks the tables of a part`)
    const { parts: table, isQuery } = readTables(own)
    const read: (string | Expression)[] = isQuery
      ? ['(', ...table, ') AS ', identifier(alias)]
      : [...table, ' AS ', identifier(alias)]
    const pairs = on.flatMap(([left, right], pair) => [pair === 0 ? ' ON ' : ' AND ', left, ' = ', right])
    return position === 0 ? read : ['\nLEFT JOIN ', ...read, ...pairs]
  })
  const columns = join.columns.flatMap(({ name, expression }, position) => [
    position === 0 ? 'SELECT ' : ', ',
    expression,
    ' AS ',
    identifier(name),
  ])
  const source = { kind: 'sql', parts: [...columns, '\nFROM ', ...parts.flat()] } as const
  return { alias: rollupAlias, source, isQuery: true }
}

/** Each step of time is read from one section alone, so that no row counts twice or not at all. */
function sectionsRelation(rollup: Rollup, sections: readonly RollupSection[]): Relation {
  const { times, dimensions, segments, measures } = rollup
  const [time] = times
  if (!time) throw new Error(`'${rollup.id.cube}.${rollup.id.name}' has no time by which its tables follow each other`)
  const names = [...dimensions, ...times, ...segments, ...measures].map(({ name }) => name)
  // Each by its name: rollups may list the same members in another order.
  const columns = names.flatMap((name, position) => [position === 0 ? 'SELECT ' : ', ', identifier(name)])
  const parts = sections.flatMap(({ tables, from, before }, position) => {
    const { parts: table, isQuery } = readTables(tables)
    const where = sectionCondition(columnOf(sectionAlias, time.name), from, before)
    return [
      position === 0 ? '' : '\nUNION ALL\n',
      ...columns,
      ...(isQuery ? ['\nFROM (', ...table, ')'] : ['\nFROM ', ...table]),
      ' AS ',
      identifier(sectionAlias),
      ...(where ? ['\nWHERE ', { kind: 'condition', condition: where } as const] : []),
    ]
  })
  return { alias: rollupAlias, source: { kind: 'sql', parts }, isQuery: true }
}

const sectionAlias = 'section'

/** Columns of steps hold local times. */
function sectionCondition(step: Expression, from: string | null, before: string | null): Condition | null {
  if (from === null && before === null) return null
  const ends = [
    ...(from === null ? [] : [compareTime(step, '>=', from, 'UTC')]),
    ...(before === null ? [] : [compareTime(step, '<', before, 'UTC')]),
  ]
  const within: Condition = { kind: 'and', conditions: ends }
  return from === null
    ? { kind: 'or', conditions: [within, { kind: 'null', expression: step, negated: false }] }
    : within
}

/** The rows of all of these tables, as a query. */
export function tablesParts(tables: readonly RollupTable[]): readonly (string | Expression)[] {
  const { parts, isQuery } = readTables(tables)
  return isQuery ? parts : ['SELECT * FROM ', ...parts]
}

function readTables(tables: readonly RollupTable[]): {
  readonly parts: readonly (string | Expression)[]
  readonly isQuery: boolean
} {
  const [only] = tables
  if (!only) throw new Error('A rollup is read from no table')
  if (tables.length === 1 && 'table' in only) {
    return { parts: tableName(only), isQuery: false }
  }
  const parts = tables.flatMap((table, position) => [
    position === 0 ? 'SELECT ' : '\nUNION ALL\nSELECT ',
    ...('table' in table ? ['* FROM ', ...tableName(table)] : fileParts(table)),
  ])
  return { parts, isQuery: true }
}

const tableName = ({ schema, table }: { readonly schema: string | null; readonly table: string }) => [
  ...(schema === null ? [] : [identifier(schema), '.']),
  identifier(table),
]

function fileParts({ files, columns }: RollupFileSet): (string | Expression)[] {
  const strange = files.find(file => !/^[\w.-]+$/.test(file))
  if (strange !== undefined) throw new Error(`A rollup can't be read from a file named '${strange}'`)
  const columnParts = columns.flatMap(({ name, type }, position) => [
    position === 0 ? 'CAST(' : ', CAST(',
    identifier(name),
    ` AS ${type}) AS `,
    identifier(name),
  ])
  return [...columnParts, ` FROM read_parquet([${files.map(file => `'${file}'`).join(', ')}])`]
}

const identifier = (name: string): Expression => ({ kind: 'identifier', name })
