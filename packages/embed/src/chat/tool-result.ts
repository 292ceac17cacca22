import { type Cell, type Result, resultOfSql, type SqlColumn } from '@hedron/ui'
import type { ToolPart } from './conversation.ts'

/** What a step did, for people: read from JSON that an agent wrote, so nothing of it is taken for granted. */
export type Step =
  | { readonly kind: 'search'; readonly query: string; readonly isRunning: boolean; readonly error: string | null }
  | {
      readonly kind: 'query'
      readonly title: string
      readonly description: string
      readonly sql: string
      readonly isRunning: boolean
      readonly error: string | null
      readonly result: Result | null
      /** What the agent drew, without its colours. */
      readonly chart: Readonly<Record<string, unknown>> | null
    }
  | { readonly kind: 'other'; readonly name: string; readonly isRunning: boolean; readonly error: string | null }

const searches = new Set(['serviceMeta', 'cubeMeta'])
const queries = new Set(['serviceSqlApi', 'cubeSqlApi'])

/** A tool call as a step (SPEC, Tool calls); tools that are not known are shown by their name. */
export function readStep({ name, input, result }: ToolPart): Step {
  const asked = readRecord(input)
  const answered = readRecord(result ?? '')
  const isRunning = result === null
  const error = textOf(answered.error) || null
  if (searches.has(name)) return { kind: 'search', query: textOf(asked.searchQuery), isRunning, error }
  if (!queries.has(name)) return { kind: 'other', name, isRunning, error }
  const sql = textOf(answered.sqlQuery) || textOf(asked.sqlQuery)
  return {
    kind: 'query',
    title: textOf(answered.queryTitle) || textOf(asked.queryTitle) || sql.slice(0, 80),
    description: textOf(answered.description) || textOf(asked.description),
    sql,
    isRunning,
    error,
    result: error === null && !isRunning ? readRows(answered) : null,
    chart: readChart(textOf(answered.vegaSpec) || textOf(asked.vegaSpec)),
  }
}

function readRows({ schema, data, totalRows }: Readonly<Record<string, unknown>>): Result | null {
  if (!Array.isArray(schema) || !Array.isArray(data)) return null
  const columns = schema.map((column: unknown): SqlColumn => {
    const { name, column_type: type } = isRecord(column) ? column : {}
    return { name: textOf(name), column_type: textOf(type) }
  })
  const rows = data.map((row: unknown) => (Array.isArray(row) ? row.map(cellOf) : []))
  return resultOfSql(columns, rows, typeof totalRows === 'number' ? totalRows : undefined)
}

/** An agent styles its charts for a page that it does not know (SPEC, `config`); here they look as the page does, under its own title. */
function readChart(text: string): Readonly<Record<string, unknown>> | null {
  const {
    config: _,
    background: __,
    padding: ___,
    title: ____,
    width: _____,
    height: ______,
    ...spec
  } = readRecord(text)
  return Object.keys(spec).length === 0 ? null : spec
}

function cellOf(value: unknown): Cell {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value
  return value === null || value === undefined ? null : JSON.stringify(value)
}

function readRecord(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value) ? value : {}
  } catch {
    return {}
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
