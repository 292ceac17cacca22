import { beforeAll, describe, expect, test } from 'vitest'
import { sharedApi } from '../support/api.ts'
import { createDataClient, type DataClient, type Row } from './data-client.ts'
import { createProject, setVariables } from './project.ts'
import { shop } from './shop.ts'

/** Present in the half of the tests that runs with a PostgreSQL of its own; the model is asked there too. */
const server = process.env.HEDRON_TEST_DATABASE_URL

const queries: readonly Readonly<Record<string, unknown>>[] = [
  { measures: ['orders.count', 'orders.total', 'orders.average', 'orders.share_paid'], dimensions: ['customers.city'] },
  { measures: ['customers.count', 'orders.total', 'orders.buyers'], dimensions: ['orders.status'] },
  { dimensions: ['orders.id', 'orders.serial', 'orders.is_gift', 'orders.note', 'orders.created_at'] },
  {
    measures: ['orders.count', 'orders.largest'],
    timeDimensions: [{ dimension: 'orders.created_at', granularity: 'day', dateRange: ['2024-01-01', '2024-03-31'] }],
    timezone: 'America/New_York',
  },
  { measures: ['orders.count'], timeDimensions: [{ dimension: 'orders.created_at', granularity: 'week' }] },
  {
    measures: ['orders.count'],
    dimensions: ['orders.status'],
    filters: [
      {
        or: [
          { member: 'orders.note', operator: 'contains', values: ['_', '%'] },
          { member: 'orders.note', operator: 'notSet' },
        ],
      },
      { member: 'orders.count', operator: 'gte', values: ['1'] },
    ],
    order: [['orders.status', 'desc']],
  },
  { dimensions: ['orders.id'], segments: ['orders.paid'], limit: 2, offset: 1, total: true },
  { measures: ['visits.count'], timeDimensions: [{ dimension: 'visits.visited_at', granularity: 'hour' }] },
]

describe.skipIf(!server)('a deployment whose data is in PostgreSQL', () => {
  let postgres: DataClient
  let duckdb: DataClient
  const api = sharedApi()
  let deploymentId = 0
  beforeAll(async () => {
    const { hostname, port, username, password, pathname } = new URL(server ?? '')
    const variables = {
      CUBEJS_DB_TYPE: 'postgres',
      CUBEJS_DB_HOST: hostname,
      CUBEJS_DB_PORT: port,
      CUBEJS_DB_NAME: pathname.slice(1),
      CUBEJS_DB_USER: decodeURIComponent(username),
      CUBEJS_DB_PASS: decodeURIComponent(password),
    }
    deploymentId = await createProject(api, shop, variables)
    postgres = await createDataClient(api, deploymentId)
    duckdb = await createDataClient(api, await createProject(api, shop))
  })

  test.for(queries)('answers %o as DuckDB does', async query => {
    const [theirs, ours] = [await duckdb.rows(query), await postgres.rows(query)]
    expect(ours.length).toBeGreaterThan(0)
    expect(ours.map(comparable)).toEqual(theirs.map(comparable))
  })

  test('names its database, and its probe asks it', async () => {
    const { body } = await postgres.load({ measures: ['orders.count'] })
    expect(body.dbType).toBe('postgres')
    const ready = () => fetch(`${api.baseUrl}/data/${deploymentId}/readyz`)
    expect(await (await ready()).json()).toEqual({ health: 'HEALTH' })
    await setVariables(api, deploymentId, { CUBEJS_DB_NAME: 'not_there' })
    expect([(await ready()).status, await (await ready()).json()]).toEqual([500, { health: 'DOWN' }])
  })
})

/** Databases keep different numbers of digits of one quotient. */
const comparable = (row: Row) =>
  Object.fromEntries(
    Object.entries(row).map(([name, cell]) => [
      name,
      typeof cell === 'string' && /^-?\d{1,15}(\.\d+)?$/.test(cell) ? Number(Number(cell).toPrecision(12)) : cell,
    ]),
  )
