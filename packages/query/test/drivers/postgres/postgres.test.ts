import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createQueryService } from '../../../src/query-service.ts'
import { problems } from '../../../src/query-service-error.ts'
import { createPostgres, sourceOf } from '../../support/postgres.ts'
import { requestOf } from '../../support/service.ts'

let postgres: Awaited<ReturnType<typeof createPostgres>>
beforeAll(async () => {
  postgres = await createPostgres()
  await postgres.administer(`
    CREATE TABLE cities (name text, people bigint);
    INSERT INTO cities VALUES ('Bern', 134000), ('Basel', 178000);
    CREATE FUNCTION grow() RETURNS bigint LANGUAGE sql AS 'UPDATE cities SET people = people + 1 RETURNING people';
  `)
})
afterAll(() => postgres.close())

const endless = 'SELECT count(*) FROM generate_series(1, 1000000000000) a WHERE a % 7 = 0'
const running = async () => {
  const [row] = await postgres.administer(
    "SELECT count(*)::int AS n FROM pg_stat_activity WHERE application_name = 'hedron' AND state = 'active' AND datname = current_database()",
  )
  return row?.n
}

/** Waits until the database runs as many queries of the driver as expected. */
const untilRunning = (count: number) => expect.poll(running, { timeout: 10_000, interval: 50 }).toBe(count)

describe('reading', () => {
  test('parameters are bound by position, each a value and never SQL', async () => {
    const { query } = await postgres.open()
    const parameters = ["Bern' OR 1=1 --", 42, 9_007_199_254_740_991, 0.5, true, null]
    const { rows } = await query('SELECT $1::text, $2::int, $3::bigint, $4::float8, $5::boolean, $6::text, $1', {
      parameters,
    })
    expect(rows).toEqual([[parameters[0], '42', '9007199254740991', '0.5', true, null, parameters[0]]])
  })

  test('rows come in portions and in order, as many as are allowed', async () => {
    const { query } = await postgres.open()
    const { rows } = await query('SELECT a FROM generate_series(1, 10000) a')
    expect([rows.length, rows[0], rows.at(-1)]).toEqual([10_000, ['1'], ['10000']])
    expect((await query('SELECT 1 WHERE false')).rows).toEqual([])
    expect((await query('SELECT 1 AS n WHERE false')).columns).toEqual([
      { name: 'n', type: 'integer', databaseType: 'integer' },
    ])
  })

  test('one row more than allowed is an error, and so is too much memory', async () => {
    const { query } = await postgres.open()
    await expect(query('SELECT generate_series(1, 10001)')).rejects.toMatchObject({ code: 'too_many_rows' })
    await expect(
      query("SELECT repeat('x', 1000000) FROM generate_series(1, 100)", { maximumBytes: 2 ** 20 }),
    ).rejects.toMatchObject({ code: 'result_too_large' })
    expect((await query('SELECT 1')).rows).toEqual([['1']])
  })

  test('two columns of one name are two columns', async () => {
    const { query } = await postgres.open()
    const { columns, rows } = await query('SELECT 1 AS a, 2 AS a')
    expect([columns.map(({ name }) => name), rows]).toEqual([['a', 'a'], [['1', '2']]])
  })

  test('more values than the protocol can number are refused with what to do', async () => {
    const { query } = await postgres.open()
    const parameters = Array.from({ length: 65_536 }, (_, index) => index)
    await expect(query('SELECT 1', { parameters })).rejects.toMatchObject({
      code: 'query_failed',
      message: 'The query has 65536 values and PostgreSQL takes 65535. Ask with fewer values in filters.',
    })
  })

  test('the comment goes to the database', async () => {
    const { query } = await postgres.open()
    const { rows } = await query('SELECT query FROM pg_stat_activity WHERE pid = pg_backend_pid()', {
      comment: 'hedron request-1 */ DROP TABLE cities',
    })
    expect(rows[0]?.[0]).toContain('/* hedron request-1  DROP TABLE cities */')
  })

  test('more queries at once than connections wait for their turn and all are answered', async () => {
    const { query } = await postgres.open({ CUBEJS_CONCURRENCY: '2' })
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => query('SELECT $1::int, pg_sleep(0.01)', { parameters: [index] })),
    )
    expect(answers.map(({ rows }) => rows[0]?.[0])).toEqual(Array.from({ length: 20 }, (_, index) => String(index)))
  })
})

describe('never writing', () => {
  test.for([
    'DELETE FROM cities',
    'SELECT grow()',
    'WITH gone AS (DELETE FROM cities RETURNING 1) SELECT * FROM gone',
    'CREATE TABLE x (a int)',
    'SELECT * INTO copied FROM cities',
    "SELECT nextval('s') FROM (SELECT 1) a",
    "SELECT set_config('transaction_read_only', 'off', true), grow()",
    "SELECT set_config('default_transaction_read_only', 'off', false), grow()",
  ])('%s', async sql => {
    await postgres.administer('CREATE SEQUENCE IF NOT EXISTS s')
    const { query } = await postgres.open()
    await expect(query(sql)).rejects.toMatchObject({ name: 'QueryServiceError' })
    expect(await postgres.administer('SELECT sum(people)::int AS sum FROM cities')).toEqual([{ sum: 312_000 }])
  })

  test('several statements, and ones that would end the transaction, are refused', async () => {
    const { query } = await postgres.open()
    for (const sql of ['SELECT 1; DELETE FROM cities', 'COMMIT; DELETE FROM cities', 'COMMIT', 'ROLLBACK']) {
      await query(sql).catch(() => {})
      await expect(query('SELECT grow()')).rejects.toMatchObject({ code: 'statement_refused' })
    }
  })

  test('what a query sets is gone with it', async () => {
    const { query } = await postgres.open({ CUBEJS_CONCURRENCY: '1' })
    await query("SELECT set_config('TimeZone', 'Asia/Kathmandu', false), set_config('search_path', 'nowhere', false)")
    const { rows } = await query(
      "SELECT current_setting('TimeZone'), sum(people), timestamptz '2024-01-01Z' FROM cities",
    )
    expect(rows).toEqual([['UTC', '312000', '2024-01-01T00:00:00.000']])
  })
})

describe('stopping', () => {
  test('an abort stops the query in the database and gives the connection back', async () => {
    const { query } = await postgres.open({ CUBEJS_CONCURRENCY: '1' })
    const controller = new AbortController()
    const asked = query(endless, {}, controller.signal)
    await untilRunning(1)
    controller.abort(new Error('nobody waits any more'))
    await expect(asked).rejects.toThrow('nobody waits any more')
    await untilRunning(0)
    expect((await query('SELECT 1')).rows).toEqual([['1']])
  })

  test('an abort in the moment of the last row ends the connection: who has it next would be cancelled', async () => {
    const opened = await postgres.open({ CUBEJS_CONCURRENCY: '1' })
    const processId = async () => (await opened.query('SELECT pg_backend_pid()')).rows
    const before = await processId()
    const stop = new AbortController()
    const stopNow = () => {
      stop.abort(problems.queryCancelled('it was asked to stop'))
      return undefined
    }
    const sink = { columns() {}, rows: stopNow }
    await opened.stream({ sql: 'SELECT 1', parameters: [] }, sink, stop.signal)
    expect(await processId()).not.toEqual(before)
  })

  test('an abort before the start asks the database nothing', async () => {
    const { query } = await postgres.open()
    await expect(query('SELECT 1', {}, AbortSignal.abort(new Error('too late')))).rejects.toThrow('too late')
  })

  test('a query that takes longer than its source allows is stopped, through the service', async () => {
    const service = createQueryService({ now: Date.now })
    const source = sourceOf({ ...postgres.variables, CUBEJS_DB_QUERY_TIMEOUT: '1' })
    try {
      await expect(service.run(requestOf({ source, sql: endless }))).rejects.toMatchObject({ code: 'query_timeout' })
      await untilRunning(0)
    } finally {
      await service.close()
    }
  })
})

describe('a database that is not there, or goes away', () => {
  test('connections that broke while they were idle are replaced without anyone noticing', async () => {
    const { query } = await postgres.open()
    await Promise.all([query('SELECT pg_sleep(0.1)'), query('SELECT pg_sleep(0.1)'), query('SELECT pg_sleep(0.1)')])
    await postgres.administer(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'hedron' AND datname = current_database()",
    )
    expect((await query('SELECT 1')).rows).toEqual([['1']])
    expect((await query('SELECT 2')).rows).toEqual([['2']])
  })

  test('a connection that breaks under a query is an error, and the next query is answered', async () => {
    const { query } = await postgres.open()
    const asked = query(endless)
    asked.catch(() => {})
    await untilRunning(1)
    await postgres.administer(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'hedron' AND state = 'active' AND datname = current_database()",
    )
    await expect(asked).rejects.toMatchObject({ code: 'source_unavailable' })
    expect((await query('SELECT 1')).rows).toEqual([['1']])
  })

  test.for([
    ['a wrong password', { CUBEJS_DB_PASS: 'wrong' }],
    ['a database that does not exist', { CUBEJS_DB_NAME: 'nope' }],
    ['a port where nothing listens', { CUBEJS_DB_HOST: '127.0.0.1', CUBEJS_DB_PORT: '1' }],
    ['a host that does not exist', { CUBEJS_DB_HOST: 'warehouse.invalid' }],
  ] as const)('%s: source_unavailable, without the address', async ([, changes]) => {
    const opened = await postgres.open(changes)
    const failure = opened.test(new AbortController().signal)
    await expect(failure).rejects.toMatchObject({ code: 'source_unavailable' })
    await expect(failure).rejects.not.toThrow(/127\.0\.0\.1|warehouse\.invalid/)
  })

  test('an error of the statement says what the database says and spoils nothing', async () => {
    const { query } = await postgres.open({ CUBEJS_CONCURRENCY: '1' })
    await expect(query('SELECT nope FROM cities')).rejects.toMatchObject({
      code: 'query_failed',
      message: 'column "nope" does not exist',
    })
    await expect(query('SELECT 1/0')).rejects.toMatchObject({ code: 'query_failed', message: 'division by zero' })
    expect((await query('SELECT 1')).rows).toEqual([['1']])
  })
})
