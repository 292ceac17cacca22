import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import { compileModel, compileQuery, expandQueries, type QueryContext, type SourceFile } from '@hedron/semantic'
import { parseStatement, planSql, type SqlPlan } from '@hedron/sql'
import type { AnalystModel } from '../../src/index.ts'
import { visibleModel } from './visible-model.ts'

export type Row = readonly unknown[]

/** A model over data in a process: questions in SQL and as queries of the data API, without a server. */
export interface Engine {
  readonly model: AnalystModel
  /** @throws for statements that the SQL API refuses */
  runSql(text: string): Promise<{ readonly columns: readonly string[]; readonly rows: readonly Row[] }>
  /** One answer for each query that the question is made of. */
  runQuery(query: unknown): Promise<readonly (readonly Row[])[]>
  close(): void
}

export interface EngineOptions {
  readonly files: readonly SourceFile[]
  readonly now: Date
  /** Where files that the model names lie. */
  readonly directory?: string
}

export async function openEngine({ files, now, directory }: EngineOptions): Promise<Engine> {
  const { model, problems } = compileModel(files)
  if (!model) throw new Error(problems.map(({ message }) => message).join('\n'))
  const context: QueryContext = { securityContext: {}, groups: [], userAttributes: {}, now }
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  if (directory) await connection.run(`SET file_search_path = '${directory.replaceAll("'", "''")}'`)
  await connection.run("SET TimeZone = 'UTC'")
  return {
    model: visibleModel(model, context),
    async runSql(text) {
      const { query } = await parseStatement(text)
      const plan = planSql(text, query, {
        model,
        context,
        now,
        localNow: now.toISOString().slice(0, -1),
        timezone: 'UTC',
        dialectOf: () => 'duckdb',
        constants: new Map(),
        parameters: [],
      })
      const { sql, parameters, positions } = statementOf(plan)
      const rows = await read(connection, sql, parameters)
      return {
        columns: plan.columns.map(({ name }) => name),
        rows: rows.map(row => positions.map(position => row[position] ?? null)),
      }
    },
    async runQuery(query) {
      const options = { now, defaultTimezone: 'UTC', defaultLimit: 10_000, maximumLimit: 50_000, context }
      const { queries } = expandQueries(model, query, options)
      const answers: Row[][] = []
      for (const each of queries) {
        const compiled = compileQuery(model, each, context, 'duckdb')
        answers.push(await read(connection, compiled.sql, compiled.parameters))
      }
      return answers
    },
    close() {
      connection.closeSync()
      instance.closeSync()
    },
  }
}

/** Cells as the data API gives them: numbers as texts, times as local times. */
async function read(connection: DuckDBConnection, sql: string, parameters: readonly unknown[]): Promise<Row[]> {
  const values = parameters.map(value =>
    typeof value === 'number' || typeof value === 'boolean' ? value : String(value),
  )
  const reader = await connection.runAndReadAll(sql, values)
  return reader.getRowsJson().map(row => row.map(cell))
}

/** Times as `YYYY-MM-DDTHH:mm:ss.SSS`. */
function cell(value: unknown): unknown {
  if (typeof value !== 'string') return typeof value === 'number' ? String(value) : value
  const time = /^(\d{4}-\d\d-\d\d)(?: (\d\d:\d\d:\d\d)(?:\.(\d{1,6}))?)?(?:\+00)?$/.exec(value)
  return time ? `${time[1]}T${time[2] ?? '00:00:00'}.${(time[3] ?? '').padEnd(3, '0').slice(0, 3)}` : value
}

function statementOf({ kind, statement, parts, positions, columns }: SqlPlan) {
  const [part] = parts
  if (kind === 'regular' && part) return { ...part.compiled, positions }
  if (!statement || kind === 'post_processing') throw new Error(`a plan of kind ${kind} is not run here`)
  return { ...statement, positions: columns.map((_, position) => position) }
}
