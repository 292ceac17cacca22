import { secureModel } from './access/secured-index.ts'
import { dialects } from './dialects/dialects.ts'
import { planSecured } from './plan/plan-query.ts'
import { type KeptRows, keptRowsMiss, withKeptRows } from './plan/rollups/kept-rows.ts'
import type { RollupBuild } from './plan/rollups/plan-build.ts'
import { planKeptRows, type RowColumn } from './plan/rollups/plan-kept-rows.ts'
import type { RollupId } from './plan/rollups/rollup.ts'
import { type RollupTable, tablesParts } from './plan/rollups/rollup-relation.ts'
import type { CompiledQuery, DialectName, Statement } from './shapes/compiled.ts'
import type { BoundSql, Model } from './shapes/model.ts'
import type { NormalizedQuery, QueryContext } from './shapes/query.ts'
import { writePages, writeStatement, writeTotal } from './sql/write-plan.ts'

/** Rows are kept of everybody; who may see which is decided when they are read. */
const nobody: QueryContext = { securityContext: {}, groups: [], userAttributes: {} }

/** The tables that hold the rows of cubes, by the cube. */
export type KeptTables = ReadonlyMap<string, readonly RollupTable[]>

/** How rows are asked for: which columns, or that there are to be none. */
export type WantedRows = RowsWithColumns | 'columns only'
type RowsWithColumns = { readonly columns: readonly RowColumn[] }

/** Whether queries can be answered from the rows that an `original_sql` keeps of its cube. */
export const keepsUsableRows = (
  model: Model,
  { cube }: RollupId,
  dialectOf: (dataSource: string) => DialectName,
): boolean => keptRowsMiss(secureModel(model, nobody), cube, dialectOf) === null

/** Compiles the statement for the rows of a cube that an `original_sql` keeps, or of one partition. */
export function compileKeptRows(
  model: Model,
  id: RollupId,
  build: RollupBuild,
  dialectName: DialectName,
  wanted: WantedRows,
): Statement {
  const isEmpty = wanted === 'columns only'
  const columns = wanted === 'columns only' ? null : wanted.columns
  const { statement } = planKeptRows(secureModel(model, nobody), id, build, { columns, isEmpty })
  return writeStatement(statement, dialects[dialectName])
}

/**
 * Compiles a query over rows that are kept of its cubes. Columns are those of `compileQuery`, and so is what the caller may see.
 *
 * @throws {QueryError} where it also reads what is not kept
 */
export function compileKeptRead(
  model: Model,
  query: NormalizedQuery,
  context: QueryContext,
  tables: KeptTables,
): CompiledQuery {
  const plan = planSecured(withKeptRows(secureModel(model, context), keptRows(tables)), query)
  const dialect = dialects.duckdb
  return {
    ...writePages(plan, dialect),
    columns: plan.columns,
    dataSource: plan.dataSource,
    cubes: plan.cubes,
    refreshKeys: [],
    total: query.total ? writeTotal(plan, dialect) : null,
  }
}

/** What is read in place of the cubes' own tables. */
export const keptRows = (tables: KeptTables): KeptRows =>
  new Map([...tables].map(([cube, own]): [string, BoundSql] => [cube, { parts: [rowsText(own)] }]))

function rowsText(tables: readonly RollupTable[]): string {
  const { sql } = writeStatement({ kind: 'sql', parts: tablesParts(tables) }, dialects.duckdb)
  return sql
}
