import { randomBytes } from 'node:crypto'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createDataClient, type DataClient, rowsOf } from '../data-api/data-client.ts'
import { createProject } from '../data-api/project.ts'
import { signHmac } from '../data-api/tokens.ts'
import { sharedApi } from '../support/api.ts'

/** Present in the half of the tests that runs with a PostgreSQL of its own. */
const server = process.env.HEDRON_TEST_DATABASE_URL ?? ''
const schema = `crm_${randomBytes(4).toString('hex')}`
const secret = 'a-secret-of-the-tests-that-is-long-enough'

/** Orders are rows of the deployment's own DuckDB, customers of PostgreSQL. */
const model = {
  'model/shop.yml': `cubes:
  - name: orders
    sql: >
      SELECT n::INTEGER AS id, (n % 5)::INTEGER AS customer_id, 'kind ' || (n % 2) AS kind, n * 10 AS amount,
      TIMESTAMP '2024-01-01' + to_days(n::INTEGER) AS at FROM range(1, 101) AS r(n)
    joins:
      - { name: customers, sql: "{CUBE}.customer_id = {customers}.id", relationship: many_to_one }
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true }
      - { name: customer_id, sql: customer_id, type: number }
      - { name: kind, sql: kind, type: string }
      - { name: at, sql: at, type: time }
    measures:
      - { name: count, type: count }
      - { name: revenue, sql: amount, type: sum }
      - { name: largest, sql: amount, type: max }
      - { name: buyers, sql: customer_id, type: count_distinct }
    pre_aggregations:
      - name: by_city
        type: rollup_join
        measures: [count, revenue]
        dimensions: [kind, customers.city]
        time_dimension: at
        granularity: month
        rollups: [by_customer, customers.cities]
      - name: by_customer
        measures: [count, revenue]
        dimensions: [kind, customer_id]
        time_dimension: at
        granularity: day
        partition_granularity: month
    access_policy:
      - { group: all }
      - group: even
        row_level: { filters: [{ member: kind, operator: equals, values: [kind 0] }] }
      - group: here
  - name: customers
    sql_table: ${schema}.customers
    data_source: crm
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true }
      - { name: city, sql: city, type: string }
    pre_aggregations:
      - name: cities
        dimensions: [id, city]
        refresh_key: { sql: "SELECT count(*), max(city) FROM ${schema}.customers", every: 1 second }
    access_policy:
      - { group: all }
      - { group: even }
      - group: here
        row_level: { filters: [{ member: city, operator: equals, values: [Oslo] }] }
`,
}

const byCity = { measures: ['orders.count', 'orders.revenue'], dimensions: ['customers.city'] }

describe.skipIf(!server)('rollups of two data sources that are joined', () => {
  const api = sharedApi()
  const client = new Client({ connectionString: server })
  let data: DataClient
  beforeAll(async () => {
    await client.connect()
    await client.query(`create schema ${schema}`)
    await client.query(`create table ${schema}.customers as
      select * from (values (0::bigint, 'Oslo'), (1, 'Rome'), (2, 'Oslo'), (3, null), (77, 'Nowhere')) as t (id, city)`)
    const { hostname, port, username, password, pathname, searchParams } = new URL(server)
    const id = await createProject(api, model, {
      CUBEJS_API_SECRET: secret,
      CUBEJS_DATASOURCES: 'default,crm',
      CUBEJS_DS_CRM_DB_TYPE: 'postgres',
      CUBEJS_DS_CRM_DB_HOST: searchParams.get('host') ?? hostname,
      CUBEJS_DS_CRM_DB_PORT: searchParams.get('port') ?? (port || '5432'),
      CUBEJS_DS_CRM_DB_NAME: pathname.slice(1),
      CUBEJS_DS_CRM_DB_USER: decodeURIComponent(username),
      CUBEJS_DS_CRM_DB_PASS: decodeURIComponent(password),
    })
    data = await createDataClient(api, id)
  })
  afterAll(async () => {
    await client.query(`drop schema if exists ${schema} cascade`)
    await client.end()
  })

  const as = (group: string) => ({ authorization: signHmac({ cubeCloud: { groups: [group] } }, secret) })

  test('answer what neither source could', async () => {
    const { status, body } = await data.load(byCity, {}, as('all'))
    expect([status, body.error]).toEqual([200, undefined])
    expect(String(body.external)).toBe('true')
    // Orders of n % 5: 20 each; 3 is a customer without a city, 4 is no customer.
    expect(
      rowsOf(body).toSorted((left, right) => Number(right['orders.count']) - Number(left['orders.count'])),
    ).toEqual(
      expect.arrayContaining([
        { 'customers.city': 'Oslo', 'orders.count': '40', 'orders.revenue': '20400' },
        { 'customers.city': 'Rome', 'orders.count': '20', 'orders.revenue': '9700' },
        { 'customers.city': null, 'orders.count': '40', 'orders.revenue': '20400' },
      ]),
    )
    expect(rowsOf(body)).toHaveLength(3)
  })

  test('answer for a range of time, and say what they were made of', async () => {
    const timeDimensions = [{ dimension: 'orders.at', granularity: 'month', dateRange: ['2024-02-01', '2024-02-29'] }]
    const { body } = await data.load({ ...byCity, timeDimensions, total: true }, {}, as('all'))
    const total = rowsOf(body).reduce((sum, row) => sum + Number(row['orders.count']), 0)
    expect([total, rowsOf(body).length, Number(body.total)]).toEqual([29, 3, 3])
    const { body: explained } = await data.post('explain', { query: byCity }, as('all'))
    expect(explained).toMatchObject({
      explanations: [{ rollup: { cube: 'orders', name: 'by_city' }, rollupState: { used: true } }],
    })
    const { body: shown } = await data.post('sql', { query: byCity }, as('all'))
    expect(shown).toMatchObject({
      sql: {
        sql: [expect.stringContaining('LEFT JOIN'), expect.anything()],
        external: true,
        preAggregations: [{ preAggregationId: 'orders.by_customer' }, { preAggregationId: 'customers.cities' }],
      },
    })
  })

  test('show each caller his rows, and nothing where they can’t tell them apart', async () => {
    const even = await data.load(
      { measures: ['orders.count'], dimensions: ['orders.kind', 'customers.city'] },
      {},
      as('even'),
    )
    expect(rowsOf(even.body).map(row => [row['orders.kind'], row['orders.count']])).toEqual(
      expect.arrayContaining([
        ['kind 0', '20'],
        ['kind 0', '10'],
      ]),
    )
    expect(rowsOf(even.body).every(row => row['orders.kind'] === 'kind 0')).toBe(true)
    const here = await data.load(byCity, {}, as('here'))
    const why = expect.stringContaining("this caller sees some rows of 'customers' only")
    expect([here.status, String(here.body.error)]).toEqual([400, why])
    const stranger = await data.load(byCity, {}, as('stranger'))
    expect([stranger.status, String(stranger.body.error)]).toEqual([400, expect.not.stringContaining('by_city')])
  })

  test('refuse what they do not hold, as no source has it either', async () => {
    const { status, body } = await data.load(
      { measures: ['orders.largest'], dimensions: ['customers.city'] },
      {},
      as('all'),
    )
    expect([status, String(body.error)]).toEqual([
      400,
      expect.stringMatching(/To join across data sources use rollupJoin.*does not have the measure 'orders\.largest'/s),
    ])
  })
})
