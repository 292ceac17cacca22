import { randomBytes } from 'node:crypto'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createDataClient, type DataClient, type Row, rowsOf } from '../data-api/data-client.ts'
import { createProject } from '../data-api/project.ts'
import { eventually, sharedApi } from '../support/api.ts'

/** Present in the half of the tests that runs with a PostgreSQL of its own. */
const server = process.env.HEDRON_TEST_DATABASE_URL ?? ''
const schema = `shop_${randomBytes(4).toString('hex')}`

const model = {
  'model/orders.yml': `cubes:
  - name: orders
    sql_table: ${schema}.orders
    refresh_key: { every: 1 second }
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true }
      - { name: status, sql: status, type: string }
      - { name: is_gift, sql: is_gift, type: boolean }
      - { name: size, sql: size, type: number }
      - { name: placed_at, sql: placed_at, type: time }
    measures:
      - { name: count, type: count }
      - { name: revenue, sql: amount, type: sum }
      - { name: units, sql: size, type: sum }
      - { name: weight, sql: weight, type: max }
      - { name: usual, sql: amount, type: avg }
      - { name: first, sql: placed_at, type: min }
      - { name: share, sql: "{units} / {count}", type: number }
    pre_aggregations:
      - name: by_day
        measures: [count, revenue, units, weight, usual]
        dimensions: [status, is_gift, size]
        time_dimension: placed_at
        granularity: day
        partition_granularity: month
        refresh_key: { sql: "SELECT count(*) FROM ${schema}.orders", every: 1 second }
`,
}

/** Days of the rollup, and what is newer from the table itself. */
const lambda = {
  'model/orders.yml': `cubes:
  - name: orders
    sql_table: ${schema}.placed
    refresh_key: { every: 1 second }
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true }
      - { name: status, sql: status, type: string }
      - { name: placed_at, sql: placed_at, type: time }
    measures:
      - { name: count, type: count }
      - { name: revenue, sql: amount, type: sum }
      - { name: weight, sql: weight, type: max }
    pre_aggregations:
      - name: up_to_now
        type: rollup_lambda
        union_with_source_data: true
        rollups: [by_day]
        measures: [count, revenue, weight]
        dimensions: [status]
        time_dimension: placed_at
        granularity: day
      - name: by_day
        measures: [count, revenue, weight]
        dimensions: [status]
        time_dimension: placed_at
        granularity: day
        partition_granularity: month
        refresh_key: { every: 1 day }
`,
}

/** Rows of the cube, which are not kept of PostgreSQL, and a rollup that would be built from them. */
const rows = {
  'model/orders.yml': `cubes:
  - name: orders
    sql: SELECT * FROM ${schema}.placed WHERE id < 900
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true, public: true }
      - { name: status, sql: status, type: string }
    measures:
      - { name: count, type: count }
      - { name: revenue, sql: amount, type: sum }
    pre_aggregations:
      - { name: rows, type: original_sql, refresh_key: { every: 1 day } }
      - { name: by_status, measures: [count], dimensions: [status], use_original_sql_pre_aggregations: true }
`,
}

const withoutRollups = Object.fromEntries(
  Object.entries(lambda).map(([path, text]) => [path, text.slice(0, text.indexOf('    pre_aggregations:'))]),
)

const day = { dimension: 'orders.placed_at', granularity: 'day' }
const queries: readonly [boolean, Readonly<Record<string, unknown>>][] = [
  [true, { measures: ['orders.count', 'orders.revenue', 'orders.units', 'orders.weight'] }],
  [true, { measures: ['orders.revenue'], dimensions: ['orders.status', 'orders.is_gift'] }],
  [
    true,
    {
      measures: ['orders.usual'],
      dimensions: ['orders.status', 'orders.is_gift', 'orders.size'],
      timeDimensions: [day],
    },
  ],
  [
    true,
    {
      measures: ['orders.count'],
      timeDimensions: [{ ...day, granularity: 'week', dateRange: ['2024-01-01', '2024-03-31'] }],
    },
  ],
  [
    true,
    {
      measures: ['orders.units'],
      filters: [{ member: 'orders.status', operator: 'equals', values: ['Paid', null] }],
      dimensions: ['orders.size'],
    },
  ],
  [true, { measures: ['orders.count'], filters: [{ member: 'orders.is_gift', operator: 'equals', values: ['true'] }] }],
  // What another database would compute otherwise: whole numbers that are divided, the order of texts.
  [false, { measures: ['orders.share'] }],
  [false, { measures: ['orders.count'], dimensions: ['orders.status'], order: { 'orders.status': 'asc' } }],
]

describe.skipIf(!server)('rollups of a source in PostgreSQL', () => {
  const api = sharedApi()
  const client = new Client({ connectionString: server })
  let variables: Readonly<Record<string, string>>
  let data: DataClient
  let followed: DataClient
  let plain: DataClient
  beforeAll(async () => {
    await client.connect()
    await client.query(`create schema ${schema}`)
    await client.query(`create table ${schema}.orders as select n as id,
      case when n % 11 = 0 then null else (array['new', 'Paid', 'paid', 'lost'])[1 + n % 4] end as status,
      n % 3 = 0 as is_gift, (n % 5)::bigint as size, (n * 1.005)::numeric as amount, n * 0.1::real as weight,
      case when n % 50 = 0 then null else timestamptz '2024-01-01 00:30+00' + n * interval '7 hours 0.000001 seconds' end as placed_at
      from generate_series(1, 400) n`)
    await client.query(`create table ${schema}.placed as select * from ${schema}.orders where placed_at is not null`)
    const { hostname, port, username, password, pathname, searchParams } = new URL(server)
    variables = {
      CUBEJS_DB_TYPE: 'postgres',
      CUBEJS_DB_HOST: searchParams.get('host') ?? hostname,
      CUBEJS_DB_PORT: searchParams.get('port') ?? (port || '5432'),
      CUBEJS_DB_NAME: pathname.slice(1),
      CUBEJS_DB_USER: decodeURIComponent(username),
      CUBEJS_DB_PASS: decodeURIComponent(password),
      CUBEJS_SCHEDULED_REFRESH_TIMEZONES: 'UTC,America/New_York',
    }
    data = await createDataClient(api, await createProject(api, model, variables))
    followed = await createDataClient(api, await createProject(api, lambda, variables))
    plain = await createDataClient(api, await createProject(api, withoutRollups, variables))
  })
  afterAll(async () => {
    await client.query(`drop schema if exists ${schema} cascade`)
    await client.end()
  })

  test.for(queries)('kept %s: %o has the same rows', async ([isKept, query]) => {
    for (const timezone of ['UTC', 'America/New_York']) {
      const source = await data.load({ ...query, timezone }, { cache: 'no-cache' })
      expect(source.status, JSON.stringify(source.body)).toBe(200)
      const answer = isKept
        ? await eventually(
            () => data.load({ ...query, timezone }),
            ({ body }) => String(body.external) === 'true',
            30_000,
          )
        : await data.load({ ...query, timezone })
      expect(String(answer.body.external)).toBe(String(isKept))
      expect(rowsOf(answer.body).map(comparable).toSorted()).toEqual(rowsOf(source.body).map(comparable).toSorted())
    }
  })

  test('a rollup_lambda puts what is newer in PostgreSQL to them, in each time zone', {
    timeout: 240_000,
  }, async () => {
    const zones = ['UTC', 'America/New_York']
    const questions = [
      { measures: ['orders.count', 'orders.revenue', 'orders.weight'] },
      { measures: ['orders.count', 'orders.revenue'], dimensions: ['orders.status'] },
      { measures: ['orders.revenue'], timeDimensions: [{ ...day, granularity: 'month' }] },
      { measures: ['orders.count'], timeDimensions: [{ ...day, dateRange: ['2024-04-20', '2025-01-02'] }] },
    ]
    const [all = {}] = questions
    const untilCounted = (count: number, timezone: string) =>
      eventually(
        () => followed.load({ ...all, timezone }),
        ({ body }) => String(body.external) === 'true' && rowsOf(body)[0]?.['orders.count'] === String(count),
        120_000,
      )
    for (const timezone of zones) await untilCounted(392, timezone)
    await client.query(`insert into ${schema}.placed (id, status, amount, weight, placed_at) values
      (901, 'Paid', 10.5, 99, '2024-12-31 23:59:59.999999+00'), (902, 'new', 0.25, 1, '2025-01-01 04:59:59+00')`)
    for (const timezone of zones) {
      await untilCounted(394, timezone)
      for (const question of questions) {
        const answer = await followed.load({ ...question, timezone })
        const source = await plain.load({ ...question, timezone }, { cache: 'no-cache' })
        expect([answer.body.external, source.body.external], JSON.stringify(question)).toEqual([true, false])
        expect(rowsOf(answer.body).map(comparable).toSorted()).toEqual(rowsOf(source.body).map(comparable).toSorted())
      }
    }
  })

  test('an original_sql keeps nothing of PostgreSQL and says so; what would be built from it is built from the source', async () => {
    const ofRows = await createDataClient(api, await createProject(api, rows, variables))
    const kept = await eventually(
      () => ofRows.load({ measures: ['orders.count'] }),
      ({ body }) => String(body.external) === 'true',
      60_000,
    )
    const { rows: found } = await client.query(`select count(*) from ${schema}.placed where id < 900`)
    expect(rowsOf(kept.body)).toEqual([{ 'orders.count': found[0].count }])
    const single = { dimensions: ['orders.id', 'orders.status'], order: { 'orders.id': 'asc' }, limit: 2 }
    const answer = await ofRows.load(single)
    expect([String(answer.body.external), rowsOf(answer.body)]).toEqual([
      'false',
      [
        { 'orders.id': '1', 'orders.status': 'Paid' },
        { 'orders.id': '2', 'orders.status': 'paid' },
      ],
    ])
    const { body } = await ofRows.post('explain', { query: single })
    const [explanation] = Object(body.explanations)
    expect(String(explanation.text)).toContain(
      "orders.rows: the SQL of 'orders' is that of postgres, which the engine of kept rows may compute otherwise",
    )
  })

  test('are read where their rows are, and not at the source', async () => {
    await client.query(`alter table ${schema}.orders rename to elsewhere`)
    const [, query] = queries[0] ?? []
    expect(String((await data.load(query)).body.external)).toBe('true')
    await client.query(`alter table ${schema}.elsewhere rename to orders`)
  })
})

/** Databases keep different numbers of digits of one sum. */
const comparable = (row: Row) =>
  JSON.stringify(
    Object.entries(row).map(([name, cell]) => [
      name,
      typeof cell === 'string' && /^-?\d{1,15}(\.\d+)?$/.test(cell) ? Number(Number(cell).toPrecision(12)) : cell,
    ]),
  )
