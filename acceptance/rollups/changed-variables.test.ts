import { randomBytes } from 'node:crypto'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createDataClient } from '../data-api/data-client.ts'
import { createProject, setVariables } from '../data-api/project.ts'
import { eventually, sharedApi } from '../support/api.ts'

/** Present in the half of the tests that runs with a PostgreSQL of its own. */
const server = process.env.HEDRON_TEST_DATABASE_URL ?? ''
const table = `orders_${randomBytes(4).toString('hex')}`

const model = {
  'model/orders.yml': `cubes:
  - name: orders
    sql_table: ${table}
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true }
    measures:
      - { name: count, type: count }
    pre_aggregations:
      - { name: all, measures: [count], refresh_key: { sql: "SELECT count(*) FROM ${table}", every: 1 second } }
`,
}

describe.skipIf(!server)('rollups whose source was changed', () => {
  const { hostname, port, username, password, pathname, searchParams } = new URL(server || 'postgres://none')
  const host = searchParams.get('host') ?? hostname
  const postgresPort = Number(searchParams.get('port') ?? (port || '5432'))
  const client = new Client({ connectionString: server })
  let door: Awaited<ReturnType<typeof openDoor>>
  beforeAll(async () => {
    await client.connect()
    await client.query(`create table ${table} as select generate_series(1, 7) as id`)
    door = await openDoor(() =>
      host.startsWith('/') ? connect(`${host}/.s.PGSQL.${postgresPort}`) : connect(postgresPort, host),
    )
  })
  afterAll(async () => {
    await door.close()
    await client.query(`drop table if exists ${table}`)
    await client.end()
  })

  test('are refreshed by the new variables, and nothing is asked by the old ones any more', async () => {
    const api = sharedApi()
    const id = await createProject(api, model, {
      CUBEJS_DB_TYPE: 'postgres',
      CUBEJS_DB_HOST: '127.0.0.1',
      CUBEJS_DB_PORT: String(door.port),
      CUBEJS_DB_NAME: pathname.slice(1),
      CUBEJS_DB_USER: decodeURIComponent(username),
      CUBEJS_DB_PASS: decodeURIComponent(password),
    })
    const data = await createDataClient(api, id)
    const fromRollup = (count: string) =>
      eventually(
        () => data.load({ measures: ['orders.count'] }),
        ({ body }) => String(body.external) === 'true' && String(body.data).length > 0 && countOf(body) === count,
        30_000,
      )
    await fromRollup('7')
    expect(door.opened()).toBeGreaterThan(0)

    await setVariables(api, id, { CUBEJS_DB_HOST: host, CUBEJS_DB_PORT: String(postgresPort) })
    await client.query(`insert into ${table} values (8)`)
    await fromRollup('8')
    const opened = door.opened()
    await client.query(`insert into ${table} values (9)`)
    await fromRollup('9')
    expect([door.opened() - opened, door.open()]).toEqual([0, 0])
  })
})

const countOf = (body: { readonly data?: unknown }): string =>
  String(Array.isArray(body.data) ? body.data[0]?.['orders.count'] : undefined)

/** Another way to the same server, on which it is counted who comes. */
async function openDoor(toServer: () => Socket) {
  const open = new Set<Socket>()
  let opened = 0
  const listener: Server = createServer(near => {
    opened += 1
    open.add(near)
    const far = toServer()
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      from.on('error', () => {})
      from.on('close', () => {
        to.destroy()
        open.delete(near)
      })
      from.pipe(to)
    }
  })
  await new Promise<void>(resolve => listener.listen(0, '127.0.0.1', resolve))
  const address = listener.address()
  if (address === null || typeof address === 'string') throw new Error('the door has no port')
  return {
    port: address.port,
    opened: () => opened,
    open: () => open.size,
    async close() {
      for (const socket of open) socket.destroy()
      await new Promise(resolve => listener.close(resolve))
    },
  }
}
