import { setTimeout as sleep } from 'node:timers/promises'
import { startTestServer } from '@hedron/store/testing'
import { Client } from 'pg'
import { postgresVariables } from '../support/postgres-variables.ts'
import type { Scope } from '../support/scope.ts'

/** The PostgreSQL that the deployment asks: one that can be restarted. */
export interface Source {
  /** What a deployment needs to reach it. */
  readonly variables: Readonly<Record<string, string>>
  /** Asks it directly, past the platform. */
  ask(sql: string): Promise<readonly Readonly<Record<string, unknown>>[]>
  restart(): Promise<void>
}

/** How many orders there are, and lines of the table that is streamed. */
export const orderCount = 50_000
export const bigCount = 200_000
/** Queries of the platform that it runs at once. */
export const sourceConcurrency = 8

const longestStart = 60_000

const tables = `
  CREATE TABLE orders AS SELECT g AS id, (ARRAY['new', 'paid', 'lost'])[1 + g % 3] AS status,
    (ARRAY['Berlin', 'Paris', 'Oslo', 'Rome'])[1 + g % 4] AS city, (g % 1000 + 0.25)::numeric(12, 2) AS amount,
    timestamp '2024-01-01' + (g % 366) * interval '1 day' + (g % 24) * interval '1 hour' AS placed
  FROM generate_series(1, ${orderCount}) AS g;
  CREATE TABLE ticks (id bigserial PRIMARY KEY);
`

export async function startSource(scope: Scope): Promise<Source> {
  const server = await startTestServer()
  scope.defer(() => server.stop())
  async function ask(sql: string) {
    const client = new Client({
      connectionString: server.url,
      application_name: 'soak',
      connectionTimeoutMillis: longestStart,
    })
    client.on('error', () => {})
    await client.connect()
    try {
      const { rows } = await client.query(sql)
      return rows
    } finally {
      await client.end().catch(() => {})
    }
  }
  await ask(tables)
  return {
    variables: { ...postgresVariables(server.url), CUBEJS_CONCURRENCY: String(sourceConcurrency) },
    ask,
    async restart() {
      await server.restart()
      // It takes connections before it lets anybody in.
      const deadline = performance.now() + longestStart
      while (!(await ask('SELECT 1').catch(() => null))) {
        if (performance.now() > deadline) throw new Error('the source lets nobody in after its restart')
        await sleep(50)
      }
    },
  }
}
