import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import Cursor from 'pg-cursor'
import type { Client } from '../client.ts'
import { comparableCell, difference, isSame } from '../questions.ts'
import { Refusal, WrongAnswer } from '../refusal.ts'
import { bigCount } from '../source.ts'
import type { World } from '../world.ts'
import { statusCounts } from './sql-clients.ts'

/** PostgreSQL's protocol: simple and prepared statements, cursors, cancelled ones, and lines that are cut. */
export function createWireClients({ shop, server, sqlPort }: World): readonly Client[] {
  const config = {
    host: '127.0.0.1',
    port: sqlPort,
    user: 'cube',
    password: server.apiKey,
    database: String(shop.deploymentId),
    connectionTimeoutMillis: 30_000,
  }
  const within = async (work: (client: pg.Client) => Promise<void>): Promise<void> => {
    const client = new pg.Client(config)
    client.on('error', () => {})
    try {
      await client.connect()
      await work(client)
    } catch (error) {
      throw error instanceof pg.DatabaseError ? new Refusal(error.message) : error
    } finally {
      await client.end().catch(() => {})
    }
  }
  return [
    { name: 'SQL protocol, statements', count: 2, pause: 100, once: () => within(askStatements) },
    { name: 'SQL protocol, a cursor', count: 1, pause: 500, once: () => within(readCursor) },
    { name: 'SQL protocol, cancelled', count: 1, pause: 700, once: () => within(cancelStatement) },
    { name: 'SQL protocol, cut off', count: 1, pause: 700, once: () => within(cutOff) },
  ]

  async function askStatements(client: pg.Client): Promise<void> {
    for (let time = 0; time < 5; time++) {
      const { rows } = await client.query({
        text: 'SELECT status, MEASURE(count) AS n FROM orders GROUP BY 1 ORDER BY 1',
        rowMode: 'array',
      })
      const given = rows.map((row: unknown[]) => row.map(comparableCell))
      if (!isSame(given, statusCounts)) throw new WrongAnswer(difference(given, statusCounts))
      const id = Math.floor(Math.random() * 50_000) + 1
      const named = await client.query({ name: 'one', text: 'SELECT id, city FROM orders WHERE id = $1', values: [id] })
      const city = ['Berlin', 'Paris', 'Oslo', 'Rome'][id % 4]
      const [row] = named.rows
      if (named.rows.length !== 1 || Number(row?.id) !== id || row?.city !== city) {
        throw new WrongAnswer(`order ${id} of ${city} is ${JSON.stringify(named.rows)}`)
      }
    }
  }

  async function readCursor(client: pg.Client): Promise<void> {
    const cursor = client.query(new Cursor<{ id: string }>('SELECT id FROM big'))
    const most = Math.random() < 0.5 ? 5_000 : Number.POSITIVE_INFINITY
    let [count, sum] = [0, 0]
    while (count < most) {
      const rows = await cursor.read(2_000)
      if (rows.length === 0) break
      count += rows.length
      for (const { id } of rows) sum += Number(id)
    }
    await cursor.close()
    const isWrong = count < most && (count !== bigCount || sum !== (bigCount * (bigCount + 1)) / 2)
    if (isWrong) throw new WrongAnswer(`${count} rows that add up to ${sum}`)
  }

  async function cancelStatement(client: pg.Client): Promise<void> {
    const running = client.query(slowStatement()).then(
      () => null,
      (error: Error) => error,
    )
    await sleep(200 + Math.random() * 600)
    const canceller = new pg.Client(config)
    canceller.on('error', () => {})
    const query = Reflect.get(client, '_activeQuery')
    Reflect.get(canceller, 'cancel').call(canceller, client, query)
    const error = await running
    const isCancelled = error instanceof pg.DatabaseError && error.code === '57014'
    if (error !== null && !isCancelled) throw error
    const { rows } = await client.query('SELECT 1 AS one')
    if (!isSame(rows, [{ one: 1 }])) throw new WrongAnswer(JSON.stringify(rows))
  }

  async function cutOff(client: pg.Client): Promise<void> {
    const running = client.query(slowStatement()).catch(() => {})
    await sleep(Math.random() * 500)
    Reflect.get(Reflect.get(client, 'connection'), 'stream').destroy()
    await running
  }
}

/** Two seconds of sleep in the source, each time another statement. */
const slowStatement = () => `SELECT MEASURE(count) FROM slow WHERE id > -${Math.ceil(Math.random() * 1e9)}`
