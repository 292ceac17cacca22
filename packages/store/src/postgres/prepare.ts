import type { PostgresCursor, PostgresPoolClient, PostgresQueryResult } from 'kysely'
import type { PoolClient, QueryConfig } from 'pg'
import { codeOf, reasonOf } from '../store-error.ts'

/** Whether statements are prepared: for good no more, once something between here and the server turns out not to keep them. */
export interface Preparing {
  isOn: boolean
}

/** Texts that are known of a connection. The service has a few hundred; what is made for one request alone must not fill the server. */
const mostTexts = 400

/**
 * A connection that prepares the statements that come again: the server then reads and plans them once, which for a query by key
 * takes longer than to run it. A text is prepared when it comes the second time.
 */
export function prepareStatements(client: PoolClient, preparing: Preparing): PostgresPoolClient {
  /** By text: its name, null while it has come but once. */
  const names = new Map<string, string | null>()
  let named = 0

  function nameOf(text: string): string | null {
    const known = names.get(text)
    if (known || names.size >= mostTexts) return known ?? null
    const name = known === undefined ? null : `hedron_${++named}`
    names.set(text, name)
    return name
  }

  async function run<Row>(text: string, values: readonly unknown[]): Promise<PostgresQueryResult<Row>> {
    const plain = { text, values: [...values] }
    const name = preparing.isOn && values.length > 0 ? nameOf(text) : null
    if (name === null) return ask(client, plain)
    try {
      return await ask(client, { ...plain, name })
    } catch (error) {
      if (isNotKept(error)) preparing.isOn = false
      else if (!isStalePlan(error)) throw error
      // The text gets another name when it comes again: the driver remembers that it prepared this one.
      names.delete(text)
      return await again(() => ask<Row>(client, plain), error)
    }
  }

  function query<Row>(text: string, values: readonly unknown[]): Promise<PostgresQueryResult<Row>>
  function query<Row>(cursor: PostgresCursor<Row>): PostgresCursor<Row>
  function query<Row>(
    text: string | PostgresCursor<Row>,
    values: readonly unknown[] = [],
  ): Promise<PostgresQueryResult<Row>> | PostgresCursor<Row> {
    if (typeof text !== 'string') throw new TypeError('Rows of the metadata database are not read through cursors.')
    return run<Row>(text, values)
  }
  return { query, release: discard => client.release(discard) }
}

async function ask<Row>(client: PoolClient, statement: QueryConfig): Promise<PostgresQueryResult<Row>> {
  const { command, rowCount, rows } = await client.query(statement)
  return { command: isTold(command) ? command : 'SELECT', rowCount: rowCount ?? 0, rows }
}

type Command = PostgresQueryResult<unknown>['command']
const told: ReadonlySet<string> = new Set<Command>(['INSERT', 'UPDATE', 'DELETE', 'MERGE', 'COMMIT', 'ROLLBACK'])
/** Commands that the query builder tells from reading. */
const isTold = (command: string): command is Command => told.has(command)

/** Once more what failed before it did anything. In a transaction, which that has ended, the first error stays. */
async function again<Result>(run: () => Promise<Result>, first: unknown): Promise<Result> {
  try {
    return await run()
  } catch (error) {
    throw codeOf(error) === '25P02' ? first : error
  }
}

/** The table has changed since the statement was prepared: a newer version migrated it. */
export const isStalePlan = (error: unknown): boolean =>
  codeOf(error) === '0A000' && reasonOf(error).includes('cached plan must not change result type')

/** The server knows no statement of that name, or another's: a pooler in between gives each transaction any connection. */
export const isNotKept = (error: unknown): boolean =>
  ['26000', '42P05'].includes(codeOf(error) ?? '') && reasonOf(error).includes('prepared statement')
