import { mkdirSync, readdirSync, readlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readDataSources } from '../../../src/data-sources.ts'
import { createQueryService } from '../../../src/query-service.ts'
import { createTableSink } from '../../../src/table-sink.ts'
import { createDatabase, createDataFolder, openFolder } from '../../support/data-folder.ts'
import { requestOf } from '../../support/service.ts'

const endless = 'SELECT count(*) FROM range(1000000000000) r(a) WHERE a % 7 = $1'

test.for([
  ["SELECT sum(people) FROM 'cities.csv'", '312000'],
  ['SELECT sum(people) FROM "cities.csv"', '312000'],
  ["SELECT sum(people) FROM read_csv('cities.csv')", '312000'],
  ["SELECT sum(people) FROM read_csv(['cities.csv', 'nested/more.csv'])", '343000'],
  ["SELECT sum(people) FROM 'nested/*.csv'", '31000'],
  ["SELECT sum(people) FROM './cities.csv'", '312000'],
  ["SELECT sum(cities.people) FROM 'cities.csv'", '312000'],
  ["SELECT 'ü€😀', sum(people) FROM 'cities.csv' -- ü 'cities.csv'\n", 'ü€😀'],
  ["SELECT ü.people FROM 'cities.csv' ü, 'nested/more.csv' ORDER BY 1", '134000'],
  ["SELECT sum(people) FROM 'it''s ü.csv'", '5'],
  ["WITH c AS (SELECT * FROM 'cities.csv') SELECT (SELECT count(*) FROM read_csv('nested/more.csv')) FROM c", '1'],
  ["SELECT 'cities.csv'", 'cities.csv'],
  ["SELECT count(*) FROM glob('*.csv')", '4'],
  ["SUMMARIZE 'nested/more.csv'", 'city'],
] as const)('file names are relative to the data folder: %s', async ([sql, first]) => {
  const { data } = createDataFolder()
  writeFileSync(join(data, "it's ü.csv"), 'city,people\nChur,5\n')
  const { query } = await openFolder(data)
  expect((await query(sql)).rows[0]?.[0]).toBe(first)
})

test('a data folder with quotes and spaces in its name works', async () => {
  const { root } = createDataFolder()
  const data = join(root, `it's "the" data`)
  mkdirSync(data)
  writeFileSync(join(data, 'cities.csv'), 'people\n1\n2\n')
  const { query } = await openFolder(data)
  expect((await query("SELECT sum(people) FROM 'cities.csv'")).rows).toEqual([['3']])
})

test('a data folder that is not there yet opens, and gives its files once it is', async () => {
  const { root } = createDataFolder()
  const data = join(root, 'later')
  const { query } = await openFolder(data)
  expect((await query('SELECT 42')).rows).toEqual([['42']])
  mkdirSync(data)
  writeFileSync(join(data, 'cities.csv'), 'people\n1\n')
  expect((await query("SELECT sum(people) FROM 'cities.csv'")).rows).toEqual([['1']])
})

test('parameters are bound by position, each with its type', async () => {
  const { data } = createDataFolder()
  const { query } = await openFolder(data)
  const parameters = ["o'clock; DROP", 42, 9_007_199_254_740_991, 1e300, 0.5, true, null]
  const types = await query(
    'SELECT typeof($1), typeof($2), typeof($3), typeof($4), typeof($5), typeof($6), typeof($7)',
    { parameters },
  )
  expect(types.rows).toEqual([['VARCHAR', 'BIGINT', 'BIGINT', 'DOUBLE', 'DOUBLE', 'BOOLEAN', '"NULL"']])
  const values = await query('SELECT $7, $6, $5, $4, $3, $2, $1, $2', { parameters })
  expect(values.rows).toEqual([[null, true, '0.5', '1e+300', '9007199254740991', '42', "o'clock; DROP", '42']])
})

test('a statement with fewer or more parameters than were given fails', async () => {
  const { data } = createDataFolder()
  const { query } = await openFolder(data)
  const message = 'The statement takes 1 parameters and 2 were given.'
  await expect(query('SELECT $1', { parameters: [1, 2] })).rejects.toMatchObject({ code: 'query_failed', message })
  await expect(query('SELECT $1')).rejects.toMatchObject({ code: 'query_failed' })
})

test('one row more than allowed is an error, as many as allowed are not', async () => {
  const { data } = createDataFolder()
  const { query } = await openFolder(data)
  expect((await query('FROM range(5000)', { maximumRows: 5_000 })).rows).toHaveLength(5_000)
  await expect(query('FROM range(5001)', { maximumRows: 5_000 })).rejects.toMatchObject({
    code: 'too_many_rows',
    message: 'The result has more than 5000 rows. Add filters or a limit; rows are never cut off silently.',
  })
  expect((await query('SELECT 1 WHERE false', { maximumRows: 0 })).rows).toEqual([])
})

test('a result is not read beyond the memory that it may take', async () => {
  const { data } = createDataFolder()
  const { query } = await openFolder(data)
  const sql = "SELECT repeat('x', 2000) FROM range(100000)"
  await expect(query(sql, { maximumRows: 100_000, maximumBytes: 10 * 2 ** 20 })).rejects.toMatchObject({
    code: 'result_too_large',
    message: 'The result takes more than 10 MB of memory. Ask for fewer rows or columns.',
  })
})

test('an error keeps the words of the database but not the excerpt of the SQL', async () => {
  const { data } = createDataFolder()
  const { query } = await openFolder(data)
  await expect(query("SELECT peeple FROM 'cities.csv'")).rejects.toMatchObject({
    code: 'query_failed',
    message: 'Binder Error: Referenced column "peeple" not found in FROM clause!\nCandidate bindings: "people"',
    cause: expect.objectContaining({ message: expect.stringContaining('LINE 1') }),
  })
  await expect(query("FROM read_parquet('gone.parquet')")).rejects.toMatchObject({
    message: 'IO Error: No files found that match the pattern "gone.parquet"',
  })
  await expect(query('SELECT FROM WHERE')).rejects.toMatchObject({ message: /^Parser Error: syntax error/ })
})

test('the comment stands behind the statement and cannot end early', async () => {
  const { data } = createDataFolder()
  const { query } = await openFolder(data)
  for (const sql of ['SELECT current_query()', 'SELECT current_query() -- note', 'SELECT current_query();']) {
    const { rows } = await query(sql, { comment: 'request=a-1 */ ; SELECT 2 /*' })
    expect(rows).toHaveLength(1)
  }
  const { rows } = await query('SELECT current_query()', { comment: 'request=a-1 */ ; SELECT 2 /*' })
  expect(rows).toEqual([['SELECT current_query()\n/* request=a-1  ; SELECT 2  */']])
})

test('the time zone of the session is UTC', async () => {
  const { data } = createDataFolder()
  const { query } = await openFolder(data)
  const { rows } = await query(
    "SELECT current_setting('TimeZone'), strftime(TIMESTAMPTZ '2001-01-01 00:00:00+05', '%H')",
  )
  expect(rows).toEqual([['UTC', '19']])
})

test('an aborted signal stops a running query soon, and the source goes on', async () => {
  const { data } = createDataFolder()
  const { query } = await openFolder(data)
  const stop = new AbortController()
  const running = expect(query(endless, { parameters: [3] }, stop.signal)).rejects.toThrow('enough')
  await new Promise(resolve => setTimeout(resolve, 100))
  stop.abort(new Error('enough'))
  await running
  expect((await query('SELECT 42')).rows).toEqual([['42']])
})

test('an abort at any moment of a query stops it', async () => {
  const { data } = createDataFolder()
  const { query } = await openFolder(data)
  for (const milliseconds of [0, 0, 1, 1, 2, 3, 5, 8]) {
    const stop = new AbortController()
    setTimeout(() => stop.abort(new Error('enough')), milliseconds)
    await expect(query(`${endless} -- ${milliseconds}`, { parameters: [3] }, stop.signal)).rejects.toThrow('enough')
  }
  await expect(query('SELECT 1', {}, AbortSignal.abort(new Error('enough')))).rejects.toThrow('enough')
})

test('an abort in the moment in which a query begins is not lost', async () => {
  const { data } = createDataFolder()
  const { stream } = await openFolder(data)
  for (let attempt = 0; attempt < 20; attempt++) {
    const stop = new AbortController()
    const statement = {
      sql: endless,
      /** Read last before the statement is handed to DuckDB. */
      get parameters() {
        queueMicrotask(() => stop.abort(new Error('enough')))
        return [3]
      },
    }
    const sink = createTableSink({ maximumRows: 1, maximumBytes: 1e6 })
    await expect(stream(statement, sink, stop.signal)).rejects.toThrow('enough')
  }
})

test('other work goes on while a large result is read', async () => {
  const { data } = createDataFolder()
  const { query } = await openFolder(data)
  let turns = 0
  const timer = setInterval(() => turns++, 1)
  onTestFinished(() => clearInterval(timer))
  const { rows } = await query('SELECT a, a::VARCHAR, a / 3 FROM range(200000) r(a)', { maximumRows: 200_000 })
  expect(rows).toHaveLength(200_000)
  expect(rows[199_999]).toEqual(['199999', '199999', '66666.33333333333'])
  expect(turns).toBeGreaterThan(20)
})

test('a database file, with the schema that the variables name', async () => {
  const { data } = createDataFolder()
  await createDatabase(join(data, 'sales.duckdb'), [
    'CREATE SCHEMA "weekly ""figures"""',
    'CREATE TABLE "weekly ""figures""".orders AS SELECT 7 AS amount',
  ])
  const variables = {
    CUBEJS_DB_DUCKDB_DATABASE_PATH: 'sales.duckdb',
    CUBEJS_DB_DUCKDB_SCHEMA: 'weekly "figures"',
  }
  const { query } = await openFolder(data, variables)
  expect((await query('SELECT amount FROM orders')).rows).toEqual([['7']])
})

test('two pools can read one database file at once', async () => {
  const { data } = createDataFolder()
  await createDatabase(join(data, 'sales.duckdb'), ['CREATE TABLE orders AS SELECT 7 AS amount'])
  const variables = { CUBEJS_DB_DUCKDB_DATABASE_PATH: 'sales.duckdb' }
  const [one, two] = [await openFolder(data, variables), await openFolder(data, variables)]
  for (const { query } of [one, two]) expect((await query('SELECT amount FROM orders')).rows).toEqual([['7']])
})

test('a file that is no database is an unavailable source, without its path', async () => {
  const { data } = createDataFolder()
  writeFileSync(join(data, 'broken.duckdb'), 'not a database, but long enough to be looked at '.repeat(1000))
  const opening = openFolder(data, { CUBEJS_DB_DUCKDB_DATABASE_PATH: 'broken.duckdb' })
  await expect(opening).rejects.toMatchObject({
    code: 'source_unavailable',
    message: /^Data source "default" does not answer: /,
  })
  await expect(opening).rejects.not.toMatchObject({ message: expect.stringContaining(data) })
})

test.runIf(process.platform === 'linux')('a closed source lets go of its database file', async () => {
  const { data } = createDataFolder()
  const path = join(data, 'sales.duckdb')
  await createDatabase(path, ['CREATE TABLE orders AS SELECT 7 AS amount'])
  const opened = await openFolder(data, { CUBEJS_DB_DUCKDB_DATABASE_PATH: 'sales.duckdb' })
  await opened.query('SELECT amount FROM orders')
  expect(openFiles()).toContain(path)
  await opened.close()
  expect(openFiles()).not.toContain(path)
})

/** What this process has open. */
const openFiles = () =>
  readdirSync('/proc/self/fd').map(descriptor => {
    try {
      return readlinkSync(join('/proc/self/fd', descriptor))
    } catch {
      return 'closed meanwhile'
    }
  })

test('the whole line: through the service, over the folder, with the clock of the process', async () => {
  const { data } = createDataFolder()
  const source = readDataSources({}, { dataDirectory: data }).get('default')
  const service = createQueryService({ now: Date.now })
  onTestFinished(() => service.close())
  const request = requestOf({
    source,
    sql: "SELECT city, people FROM 'cities.csv' WHERE people > $1",
    parameters: [150_000],
  })
  await service.testConnection('production', source)
  expect(await service.run(request)).toMatchObject({ rows: [['Basel', '178000']], cached: false })
  expect(await service.run(request)).toMatchObject({ rows: [['Basel', '178000']], cached: true })

  const slow = requestOf({ source, sql: endless, parameters: [3], waitMs: 50, requestId: 'slow-span-1' })
  await expect(service.run(slow)).rejects.toThrow('Continue wait')
  const joined = expect(service.run({ ...slow, waitMs: 60_000 })).rejects.toMatchObject({ code: 'query_cancelled' })
  expect(service.cancel('production', 'slow-span-1')).toEqual({ found: 1, stopped: 1 })
  await joined

  await expect(service.run({ ...slow, timeoutMs: 100, waitMs: 60_000 })).rejects.toMatchObject({
    code: 'query_timeout',
  })
  await service.close()
  expect(service.statistics()).toMatchObject({ running: 0, openSources: 0, flights: 0 })
})

test('a whole result that fails after its first rows is an error, never the rows before it', async () => {
  const { data } = createDataFolder()
  const { query } = await openFolder(data)
  const sql = "SELECT CASE WHEN a = $1 THEN CAST('x' || a AS INTEGER) ELSE a END FROM range(1000000) r(a)"
  await expect(query(sql, { parameters: [500_000], maximumRows: 1e6 })).rejects.toMatchObject({
    code: 'query_failed',
    message: expect.stringContaining("Could not convert string 'x500000' to INT32"),
  })
})
