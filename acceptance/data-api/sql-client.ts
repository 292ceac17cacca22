import type { DataClient } from './data-client.ts'

/** What `/v1/cubesql` gave: its columns and rows, or why it gave none. */
export interface SqlAnswer {
  readonly status: number
  readonly columns: readonly { readonly name: string; readonly column_type: string }[]
  readonly rows: readonly (readonly (string | boolean | null)[])[]
  readonly error: string | null
  /** The first line. */
  readonly head: Readonly<Record<string, unknown>>
  readonly body: Readonly<Record<string, unknown>>
}

/** Asks a statement and reads all lines of the answer. */
export async function askSql(
  data: DataClient,
  query: string,
  more: Readonly<Record<string, unknown>> = {},
  token = data.token,
): Promise<SqlAnswer> {
  const response = await fetch(`${data.url()}/cubesql`, {
    method: 'POST',
    headers: { authorization: token, 'content-type': 'application/json' },
    body: JSON.stringify({ query, ...more }),
  })
  const lines = (await response.text())
    .split('\n')
    .filter(line => line !== '')
    .map(line => Object(JSON.parse(line)))
  const [head = {}] = lines
  const last = lines.at(-1) ?? {}
  return {
    status: response.status,
    columns: head.schema ?? [],
    rows: lines.flatMap(line => line.data ?? []),
    error: typeof last.error === 'string' ? last.error : null,
    head,
    body: last,
  }
}

/** The rows of a statement that must be answered. */
export async function sqlRows(data: DataClient, query: string): Promise<SqlAnswer['rows']> {
  const { error, rows } = await askSql(data, query)
  if (error !== null) throw new Error(`${error} for ${query}`)
  return rows
}
