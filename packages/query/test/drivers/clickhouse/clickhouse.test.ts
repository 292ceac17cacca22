import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { createQueryService } from '../../../src/query-service.ts'
import { hasClickHouse, startClickHouse, type TestClickHouse } from '../../support/clickhouse.ts'
import { streamMillion } from '../../support/large-stream.ts'
import { requestOf } from '../../support/service.ts'

/** On ClickHouse's own engine; the HTTP interface around it is that of test/support. */
describe.skipIf(!hasClickHouse)('ClickHouse', () => {
  let database: TestClickHouse
  beforeAll(async () => {
    database = await startClickHouse([
      'CREATE TABLE cities (name String, people Int64) ENGINE = Memory',
      "INSERT INTO cities VALUES ('Bern', 134000), ('Basel', 178000)",
    ])
  })
  afterAll(() => database?.close())

  const endless = 'SELECT number FROM system.numbers'

  test('parameters are values and never SQL', async () => {
    const { query } = await database.open()
    const parameters = ["Bern' OR 1=1 --", 'a\\b\tc\nd{p1:String}', '2024-03-31T22:00:00.000', '9007199254740993', null]
    const sql =
      "SELECT {p1:String}, {p2:String}, toDateTime64({p3:String}, 3, 'UTC'), CAST({p4:String} AS Int64), {p5:Nullable(String)}"
    const { rows } = await query(sql, { parameters })
    expect(rows).toEqual([[parameters[0], parameters[1], '2024-03-31T22:00:00.000', '9007199254740993', null]])
  })

  test.for([
    ['toInt64(-9223372036854775808)', 'integer', '-9223372036854775808'],
    ['toUInt64(18446744073709551615)', 'integer', '18446744073709551615'],
    ['toInt256(2)', 'integer', '2'],
    ['toInt8(-1)', 'integer', '-1'],
    ["toDecimal128('12345678901234567890.1230', 4)", 'decimal', '12345678901234567890.123'],
    ['0.1 + 0.2', 'double', '0.30000000000000004'],
    ['toFloat32(0.1)', 'double', '0.1'],
    ['nan', 'double', null],
    ['1 / 0', 'double', null],
    ['true', 'boolean', true],
    ["'it''s'", 'string', "it's"],
    ["CAST('x' AS LowCardinality(Nullable(String)))", 'string', 'x'],
    ["CAST('b' AS Enum8('a, (' = 1, 'b' = 2))", 'string', 'b'],
    ['NULL', 'string', null],
    ["toDate('2024-02-29')", 'date', '2024-02-29T00:00:00.000'],
    ["toDate32('1950-02-28')", 'date', '1950-02-28T00:00:00.000'],
    ["toDateTime('2024-07-01 12:00:00', 'Europe/Berlin')", 'timestamp', '2024-07-01T10:00:00.000'],
    ["toDateTime64('2024-07-01 12:00:00.123456', 6, 'Asia/Kathmandu')", 'timestamp', '2024-07-01T06:15:00.123'],
    ["toDateTime64('1901-07-01 12:00:00.5', 1, 'UTC')", 'timestamp', '1901-07-01T12:00:00.500'],
    ["toUUID('61f0c404-5cb3-11e7-907b-a6006ad3dba0')", 'string', '61f0c404-5cb3-11e7-907b-a6006ad3dba0'],
    ['[toInt64(9007199254740993), NULL]', 'json', '[9007199254740993,null]'],
    ["(1, 'a', [toDecimal32(1.5, 1)])", 'json', '[1,"a",[1.5]]'],
    ["CAST((9007199254740993, 'x') AS Tuple(big Int64, `a b` String))", 'json', '{"big":9007199254740993,"a b":"x"}'],
    ["map('k', toUInt64(18446744073709551615))", 'json', '{"k":18446744073709551615}'],
  ] as const)('%s is %s', async ([sql, type, cell]) => {
    const { query } = await database.open()
    const { columns, rows } = await query(`SELECT ${sql} AS value`)
    expect([columns[0]?.type, rows]).toEqual([type, [[cell]]])
  })

  test('columns are known without rows, and two of one name are two', async () => {
    const { query } = await database.open()
    const { columns, rows } = await query('SELECT people, people FROM cities WHERE name = {p1:String}', {
      parameters: ['nowhere'],
    })
    expect(columns).toEqual([
      { name: 'people', type: 'integer', databaseType: 'Int64' },
      { name: 'people', type: 'integer', databaseType: 'Int64' },
    ])
    expect(rows).toEqual([])
  })

  test.for([
    'INSERT INTO cities SELECT name, 1 FROM cities',
    'DROP TABLE cities',
    'CREATE TABLE x (a Int8) ENGINE = Memory',
  ])('cannot write: %s', async sql => {
    const { query } = await database.open()
    await expect(query(sql)).rejects.toMatchObject({ code: 'statement_refused' })
  })

  test('read-only cannot be switched off by a statement', async () => {
    const { query } = await database.open()
    await expect(query('SELECT 1 SETTINGS readonly = 0')).rejects.toMatchObject({ code: 'statement_refused' })
    expect((await query('SELECT 1 SETTINGS join_use_nulls = 1')).rows).toEqual([['1']])
  })

  test('what the database says of a statement, before and after the first rows', async () => {
    const { query } = await database.open()
    const failed = query('SELECT nope FROM cities')
    await expect(failed).rejects.toMatchObject({ code: 'query_failed' })
    await expect(failed).rejects.toThrow(/nope/)
    const late = query('SELECT throwIf(number = 700000) FROM numbers(1000000)', { maximumRows: 1e6 })
    await expect(late).rejects.toMatchObject({ code: 'query_failed' })
    await expect(late).rejects.toThrow(/throwIf/)
  })

  test.for([
    ['a wrong password', { CUBEJS_DB_PASS: 'wrong' }],
    ['a port where nothing listens', { CUBEJS_DB_PORT: '1' }],
    ['a host that does not exist', { CUBEJS_DB_HOST: 'warehouse.invalid' }],
  ] as const)('%s: source_unavailable, without the address', async ([, changes]) => {
    const opened = await database.open(changes)
    const failure = opened.test(new AbortController().signal)
    await expect(failure).rejects.toMatchObject({ code: 'source_unavailable' })
    await expect(failure).rejects.not.toThrow(/127\.0\.0\.1|warehouse\.invalid/)
    await expect(opened.query('SELECT 1')).rejects.toMatchObject({ code: 'source_unavailable' })
  })

  test('an abort ends the query, also in the database, and the next is answered', async () => {
    const { query, test: ask } = await database.open({ CUBEJS_CONCURRENCY: '1' })
    const controller = new AbortController()
    const asked = query('SELECT count() FROM system.numbers', {}, controller.signal)
    setTimeout(() => controller.abort(new Error('nobody waits any more')), 1_000)
    await expect(asked).rejects.toThrow('nobody waits any more')
    expect((await query('SELECT 1')).rows).toEqual([['1']])
    await ask(new AbortController().signal)
    await expect(query('SELECT 1', {}, AbortSignal.abort(new Error('too late')))).rejects.toThrow('too late')
  })

  test('a million rows are streamed in a memory that stays flat', async () => {
    const sql = "SELECT number + 1, concat('a text that is a little longer ', toString(number)) FROM numbers(1000000)"
    expect(await streamMillion(database.source(), sql)).toBeLessThan(40 * 2 ** 20)
  })

  test('a reader who leaves, and one who reads no further, give the place back', async () => {
    const service = createQueryService({ now: Date.now, limits: { stallMs: 200 } })
    onTestFinished(() => service.close())
    const request = requestOf({ source: database.source(), sql: endless, maximumRows: 1e12 })
    for await (const rows of await service.stream(request)) {
      expect(rows[0]).toEqual(['0'])
      break
    }
    await service.stream(request)
    await expect.poll(() => service.statistics().running, { timeout: 10_000 }).toBe(0)
  })
})
