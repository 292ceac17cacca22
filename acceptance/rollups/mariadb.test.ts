import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createDataClient, type DataClient, type Row, rowsOf } from '../data-api/data-client.ts'
import { createProject } from '../data-api/project.ts'
import { eventually, sharedApi } from '../support/api.ts'
import { hasMariaDb, type MariaDb, startMariaDb } from '../support/mariadb.ts'

/** Rows of the cube, which are not kept of MariaDB, and a rollup that would be built from them. */
const model = {
  'model/orders.yml': `cubes:
  - name: orders
    sql: SELECT * FROM placed WHERE id < 900
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true, public: true }
      - { name: status, sql: status, type: string }
      - { name: placed_at, sql: placed_at, type: time }
    measures:
      - { name: count, type: count }
      - { name: revenue, sql: amount, type: sum }
    pre_aggregations:
      - { name: rows, type: original_sql, refresh_key: { every: 1 day } }
      - name: by_day
        measures: [count, revenue]
        dimensions: [status]
        time_dimension: placed_at
        granularity: day
        use_original_sql_pre_aggregations: true
`,
}

describe.skipIf(!hasMariaDb)('rollups of a source in MariaDB', () => {
  const api = sharedApi()
  let database: MariaDb
  let data: DataClient
  beforeAll(async () => {
    database = await startMariaDb()
    database.run(`CREATE TABLE placed AS SELECT seq AS id, ELT(1 + seq % 5, 'new', 'Paid', 'paid ', NULL, 'lost') AS status,
      CAST(seq * 1.005 AS DECIMAL(20, 3)) AS amount, TIMESTAMP '2024-01-01 00:30:00' + INTERVAL seq * 7 HOUR AS placed_at
      FROM seq_1_to_1000`)
    data = await createDataClient(api, await createProject(api, model, database.variables))
  })
  afterAll(() => database?.close())

  test('an original_sql keeps nothing of MariaDB and says so; what would be built from it is built from the source', async () => {
    const { body: kept } = await eventually(
      () => data.load({ measures: ['orders.count'] }),
      ({ body }) => String(body.external) === 'true',
      60_000,
    )
    expect(rowsOf(kept)).toEqual([{ 'orders.count': database.run('SELECT count(*) FROM placed WHERE id < 900') }])
    const single = { dimensions: ['orders.id', 'orders.status'], order: { 'orders.id': 'asc' }, limit: 2 }
    const answer = await data.load(single)
    expect([String(answer.body.external), rowsOf(answer.body)]).toEqual([
      'false',
      [
        { 'orders.id': '1', 'orders.status': 'Paid' },
        { 'orders.id': '2', 'orders.status': 'paid ' },
      ],
    ])
    const { body } = await data.post('explain', { query: single })
    const [explanation] = Object(body.explanations)
    expect(String(explanation.text)).toContain(
      "orders.rows: the SQL of 'orders' is that of mysql, which the engine of kept rows may compute otherwise",
    )
  })

  const day = { dimension: 'orders.placed_at', granularity: 'day' }
  const measures = ['orders.count', 'orders.revenue']
  const status = (operator: string, ...values: (string | null)[]) => ({ member: 'orders.status', operator, values })
  test.each<[string, boolean, Readonly<Record<string, unknown>>]>([
    ['all', true, { measures }],
    ['by a text', false, { measures, dimensions: ['orders.status'] }],
    ['by days', true, { measures, timeDimensions: [day] }],
    ['by weeks of some months', true, { measures, timeDimensions: [{ ...day, granularity: 'week', dateRange: ['2024-01-01', '2024-03-31'] }] }], // biome-ignore format: a row
    ['of a text', false, { measures, filters: [status('equals', 'paid')] }],
    ['of another spelling', false, { measures, filters: [status('equals', 'PAID', null)] }],
    ['of all but a text', false, { measures, filters: [status('notEquals', 'Paid')] }],
    [
      'of texts that contain one',
      false,
      { measures, filters: [status('contains', 'AI')], dimensions: ['orders.status'] },
    ],
  ])(
    'have the rows that the source has, which compares texts in its own way: %s (kept: %s)',
    async (_, isKept, query) => {
      const source = await data.load(query, { cache: 'no-cache' })
      expect(source.status, JSON.stringify(source.body)).toBe(200)
      await eventually(
        () => data.load({ measures }),
        ({ body }) => String(body.external) === 'true',
        60_000,
      )
      const answer = await data.load(query)
      expect(rowsOf(answer.body).map(comparable).toSorted()).toEqual(rowsOf(source.body).map(comparable).toSorted())
      expect(answer.body.external).toBe(isKept)
    },
  )
})

/** Databases keep different numbers of digits of one sum, and show one of the texts that they hold equal. */
const comparable = (row: Row) =>
  JSON.stringify(
    Object.entries(row).map(([name, cell]) => [
      name,
      typeof cell === 'string' && /^-?\d{1,15}(\.\d+)?$/.test(cell)
        ? Number(Number(cell).toPrecision(12))
        : name === 'orders.status'
          ? String(cell).trim().toLowerCase()
          : cell,
    ]),
  )
