import { existsSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasMariaDb, startMariaDb, type TestMariaDb } from '../../support/mariadb.ts'

const endless = 'SELECT count(*) FROM seq_1_to_100000000000 WHERE seq % 7 = 8'

/** expression, cell, type of the column */
const conversions = [
  ['1 = 1', '1', 'integer'],
  ['CAST(-5 AS SIGNED)', '-5', 'integer'],
  ['18446744073709551615', '18446744073709551615', 'integer'],
  ['9007199254740993', '9007199254740993', 'integer'],
  ['CAST(1.50 AS DECIMAL(18, 2))', '1.50', 'decimal'],
  [
    'CAST(12345678901234567890123456789012345.678 AS DECIMAL(38, 3))',
    '12345678901234567890123456789012345.678',
    'decimal',
  ],
  ['0.1e0 + 0.2e0', '0.30000000000000004', 'double'],
  ['1e21', '1e+21', 'double'],
  ['CAST(0.1 AS FLOAT)', '0.1', 'double'],
  ["'it''s ü€😀'", "it's ü€😀", 'string'],
  ["''", '', 'string'],
  ["DATE '2024-02-29'", '2024-02-29T00:00:00.000', 'date'],
  ["TIMESTAMP '2024-02-29 23:59:59.999999'", '2024-02-29T23:59:59.999', 'timestamp'],
  ["TIMESTAMP '2024-02-29 00:00:00'", '2024-02-29T00:00:00.000', 'timestamp'],
  ["TIME '23:59:59'", '23:59:59', 'time'],
  ["x'deadbeef'", '0xdeadbeef', 'binary'],
  ['NULL', null, 'binary'],
] as const

describe.skipIf(!hasMariaDb)('MySQL, proven on MariaDB', () => {
  let mariaDb: TestMariaDb
  beforeAll(async () => {
    mariaDb = await startMariaDb()
    await mariaDb.administer(
      // A strict session refuses the zero date.
      "SET SESSION sql_mode = ''",
      'USE shop',
      'CREATE TABLE cities (name VARCHAR(50), people BIGINT, founded DATETIME)',
      "INSERT INTO cities VALUES ('Bern', 134000, '1191-01-01'), ('Basel', 178000, '0000-00-00')",
      'CREATE FUNCTION grow() RETURNS BIGINT MODIFIES SQL DATA BEGIN UPDATE cities SET people = people + 1; RETURN 1; END',
    )
  }, 120_000)
  afterAll(() => mariaDb?.close())

  const running = async () => {
    const rows = await mariaDb.administer(
      "SELECT count(*) AS n FROM information_schema.processlist WHERE user = 'reader' AND command = 'Execute'",
    )
    return Number(rows[0]?.n)
  }
  const untilRunning = (count: number) => expect.poll(running, { timeout: 15_000, interval: 50 }).toBe(count)
  const people = async () => Number((await mariaDb.administer('SELECT sum(people) AS n FROM shop.cities'))[0]?.n)

  test.for(conversions)('%s', async ([expression, cell, type]) => {
    const { query } = await mariaDb.open()
    const { columns, rows } = await query(`SELECT ${expression}`)
    expect({ cell: rows[0]?.[0], type: columns[0]?.type }).toEqual({ cell, type })
  })

  test('moments are in UTC whatever the zone of the server, and the zero date is none', async () => {
    const { query } = await mariaDb.open()
    const { rows } = await query(
      "SELECT from_unixtime(0), @@session.time_zone, (SELECT founded FROM cities WHERE name = 'Basel')",
    )
    expect(rows).toEqual([['1970-01-01T00:00:00.000', '+00:00', null]])
  })

  test('a zone that the server does not know is an error and not null', async () => {
    const { query } = await mariaDb.open()
    const sql = "SELECT CONVERT_TZ(TIMESTAMP '2024-07-01 12:00:00', '+00:00', ?)"
    const parameters = ['Europe/Berlin']
    await expect(query(sql, { parameters })).rejects.toMatchObject({
      code: 'query_failed',
      message: expect.stringContaining('mysql_tzinfo_to_sql'),
    })
    await mariaDb.loadZones()
    expect((await query(sql, { parameters })).rows).toEqual([['2024-07-01T14:00:00.000']])
  })

  test('parameters are values and never SQL, numbers with all their digits', async () => {
    const { query } = await mariaDb.open()
    const parameters = ["Bern' OR 1=1 -- \\", 9_007_199_254_740_991, 0.5, null, 'ü']
    const { rows } = await query('SELECT ?, CAST(? AS SIGNED), CAST(? AS DECIMAL(3, 1)), ?, ? FROM cities LIMIT 1', {
      parameters,
    })
    expect(rows).toEqual([[parameters[0], '9007199254740991', '0.5', null, 'ü']])
  })

  test('as many rows as allowed come, one more is an error and the next query is answered', async () => {
    const { query } = await mariaDb.open({ CUBEJS_CONCURRENCY: '1' })
    const { rows } = await query('SELECT seq FROM seq_1_to_10000')
    expect([rows.length, rows[0], rows.at(-1)]).toEqual([10_000, ['1'], ['10000']])
    await expect(query('SELECT seq FROM seq_1_to_10001')).rejects.toMatchObject({ code: 'too_many_rows' })
    await expect(
      query("SELECT repeat('x', 1000000) FROM seq_1_to_100", { maximumBytes: 2 ** 20 }),
    ).rejects.toMatchObject({ code: 'result_too_large' })
    expect((await query('SELECT 1 WHERE 1 = 0')).rows).toEqual([])
  })

  test.for([
    'DELETE FROM cities',
    'SELECT grow()',
    'CREATE TABLE x (a INT)',
    'DROP TABLE cities',
    'SET GLOBAL max_connections = 1',
    'COMMIT',
  ])('never writes: %s', async sql => {
    const { query } = await mariaDb.open({ CUBEJS_CONCURRENCY: '1' })
    await expect(query(sql)).rejects.toMatchObject({ name: 'QueryServiceError' })
    await expect(query('SELECT grow()')).rejects.toMatchObject({ code: 'statement_refused' })
    expect(await people()).toBe(312_000)
  })

  test('writes no files, though the role could', async () => {
    const { query } = await mariaDb.open()
    const file = `/tmp/hedron-outfile-${process.pid}`
    await expect(query(`SELECT 1 INTO OUTFILE '${file}'`)).rejects.toMatchObject({ code: 'statement_refused' })
    expect(existsSync(file)).toBe(false)
  })

  test('several statements are refused, and what a query sets is gone with it', async () => {
    const { query } = await mariaDb.open({ CUBEJS_CONCURRENCY: '1' })
    await expect(query('SELECT 1; DELETE FROM cities')).rejects.toMatchObject({ code: 'query_failed' })
    await query("SELECT @mine := 'secret'")
    expect((await query('SELECT @mine')).rows).toEqual([[null]])
    expect(await people()).toBe(312_000)
  })

  test('an abort stops the query in the database and gives the connection back', async () => {
    const { query } = await mariaDb.open({ CUBEJS_CONCURRENCY: '1' })
    const controller = new AbortController()
    const asked = query(endless, {}, controller.signal)
    await untilRunning(1)
    controller.abort(new Error('nobody waits any more'))
    await expect(asked).rejects.toThrow('nobody waits any more')
    await untilRunning(0)
    expect((await query('SELECT 1')).rows).toEqual([['1']])
  })

  test('connections that broke while they were idle are replaced; one that breaks under a query is an error', async () => {
    const { query } = await mariaDb.open()
    await Promise.all([query('SELECT sleep(0.1)'), query('SELECT sleep(0.1)')])
    const kill = async () => {
      const rows = await mariaDb.administer("SELECT id FROM information_schema.processlist WHERE user = 'reader'")
      for (const { id } of rows) await mariaDb.administer(`KILL ${Number(id)}`)
    }
    await kill()
    expect((await query('SELECT 1')).rows).toEqual([['1']])
    const asked = query(endless)
    asked.catch(() => {})
    await untilRunning(1)
    await kill()
    await expect(asked).rejects.toMatchObject({ code: 'source_unavailable' })
    expect((await query('SELECT 1')).rows).toEqual([['1']])
  })

  test.for([
    ['a wrong password', { CUBEJS_DB_PASS: 'wrong' }],
    ['a database that does not exist', { CUBEJS_DB_NAME: 'nope' }],
    ['a host that does not exist', { CUBEJS_DB_SOCKET_PATH: '', CUBEJS_DB_HOST: 'warehouse.invalid' }],
  ] as const)('%s: source_unavailable, without the address', async ([, changes]) => {
    const opened = await mariaDb.open(changes)
    const failure = opened.test(new AbortController().signal)
    await expect(failure).rejects.toMatchObject({ code: 'source_unavailable' })
    await expect(failure).rejects.not.toThrow(/warehouse\.invalid|hedron-mariadb/)
  })

  test('an error of the statement says what the database says and spoils nothing', async () => {
    const { query } = await mariaDb.open({ CUBEJS_CONCURRENCY: '1' })
    await expect(query('SELECT nope FROM cities')).rejects.toMatchObject({
      code: 'query_failed',
      message: expect.stringContaining("Unknown column 'nope'"),
    })
    expect((await query('SELECT 1')).rows).toEqual([['1']])
  })
})
