import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sharedApi } from '../support/api.ts'
import { createDataClient, type DataClient, rowsOf } from './data-client.ts'
import { createProject, type ProjectFiles } from './project.ts'
import { askSql } from './sql-client.ts'
import { signHmac } from './tokens.ts'

/** Present in the half of the tests that runs with a PostgreSQL of its own, whose planner computes conditions in the order of their costs. */
const server = process.env.HEDRON_TEST_DATABASE_URL

const secret = 'the secret of the tests of what errors tell'
const hidden = 'rowofblue'

/** One row of blue, on which a cast and a multiplication fail, before two hundred of red. */
const rows = `SELECT 0 AS id, 'blue' AS tenant, '${hidden}' AS code, 4000000000000000000 AS size
  UNION ALL SELECT n, 'red', CAST(n AS VARCHAR(20)), n FROM generate_series(1, 200) AS numbers(n)`

/** A policy that costs a database more than what is asked, so that one which orders by cost would ask first. */
const files = (source: string, tenantOf: string): ProjectFiles => ({
  'model/orders.yml': `cubes:
  - name: orders
    ${source}
    dimensions: &dimensions
      - { name: id, sql: id, type: number, primary_key: true, public: true }
      - { name: tenant, sql: tenant, type: string }
      - { name: code, sql: code, type: string }
      - { name: size, sql: size, type: number }
      - { name: number, sql: "CAST({code} AS integer)", type: number }
    segments: &segments
      - { name: numbered, sql: "CAST({CUBE}.code AS integer) > 0" }
    measures: &measures
      - { name: count, type: count }
      - { name: total, sql: size, type: sum }
    access_policy:
      - group: red
        row_level:
          filters: [{ member: tenant, operator: contains, values: [ed, e_d, r_d, re_, rod, rad] }]
  - name: own_orders
    sql: >
      SELECT * FROM ${tenantOf} WHERE lower(upper(lower(upper(tenant)))) = {SECURITY_CONTEXT.tenant}
    dimensions: *dimensions
    segments: *segments
    measures: *measures
`,
})

const token = signHmac({ tenant: 'red', cubeCloud: { groups: ['red'] } }, secret)

const statements = (cube: string) => [
  `SELECT count(*) FROM ${cube} WHERE CAST(code AS integer) > 0`,
  `SELECT MEASURE(count) FROM ${cube} WHERE CAST(code AS integer) > 0`,
  `SELECT count(*) FROM ${cube} WHERE size * 1000 > 0`,
  `SELECT count(*) FROM (SELECT id, code FROM ${cube}) AS inside WHERE CAST(code AS integer) > 0`,
  `SELECT count(*) FROM (SELECT id, code FROM ${cube} ORDER BY id) AS inside WHERE CAST(code AS integer) > 0`,
  `WITH inside AS (SELECT code FROM ${cube}) SELECT count(*) FROM inside WHERE CAST(code AS integer) > 0`,
  `SELECT sum(one) FROM (SELECT CAST(code AS integer) AS number, count(*) AS one FROM ${cube} GROUP BY 1) AS inside WHERE number > 0`,
]

function suite(data: () => DataClient) {
  test.for([...statements('orders'), ...statements('own_orders')])('%s', async statement => {
    const { error, rows: found } = await askSql(data(), statement, {}, token)
    expect([error, found]).toEqual([null, [['200']]])
  })

  test.for(['orders', 'own_orders'])(
    'by what the model itself computes of a row: a filter, a segment of %s',
    async cube => {
      const measures = [`${cube}.count`]
      const filters = [{ member: `${cube}.number`, operator: 'gt', values: ['0'] }]
      for (const query of [
        { measures, filters },
        { measures, segments: [`${cube}.numbered`] },
      ]) {
        const { body } = await data().load(query, {}, { authorization: token })
        expect([body.error, Object.values(rowsOf(body)[0] ?? {}).map(String)]).toEqual([undefined, ['200']])
      }
    },
  )

  test('a cast that fails on a row of the caller names no value of another', async () => {
    const { error } = await askSql(data(), 'SELECT count(*) FROM orders WHERE CAST(tenant AS integer) > 0', {}, token)
    expect(error).toMatch(/\bred\b/)
    expect(error).not.toContain(hidden)
  })
}

describe('what a caller computes is computed of no row that a policy, or the SQL of the cube, keeps from him: in DuckDB', () => {
  let data: DataClient
  beforeAll(async () => {
    const api = sharedApi()
    const all = files(
      `sql: >\n      ${rows.replaceAll('\n', '\n      ')}`,
      `(${rows.replaceAll('\n', ' ')}) AS all_rows`,
    )
    data = await createDataClient(api, await createProject(api, all, { CUBEJS_API_SECRETS: secret }))
  })
  suite(() => data)
})

describe.skipIf(!server)('what a caller computes is computed of no row that is kept from him: in PostgreSQL', () => {
  const table = `rows_of_two_${process.pid}`
  const client = new pg.Client(server)
  let data: DataClient
  beforeAll(async () => {
    await client.connect()
    await client.query(`CREATE TABLE ${table} AS ${rows}`)
    await client.query(`ANALYZE ${table}`)
    const { hostname, port, username, password, pathname, searchParams } = new URL(server ?? '')
    const api = sharedApi()
    const id = await createProject(api, files(`sql_table: ${table}`, table), {
      CUBEJS_API_SECRETS: secret,
      CUBEJS_DB_TYPE: 'postgres',
      CUBEJS_DB_HOST: searchParams.get('host') ?? hostname,
      CUBEJS_DB_PORT: searchParams.get('port') ?? (port || '5432'),
      CUBEJS_DB_NAME: pathname.slice(1),
      CUBEJS_DB_USER: decodeURIComponent(username),
      CUBEJS_DB_PASS: decodeURIComponent(password),
    })
    data = await createDataClient(api, id)
  })
  afterAll(async () => {
    await client.query(`DROP TABLE IF EXISTS ${table}`)
    await client.end()
  })
  suite(() => data)
})
