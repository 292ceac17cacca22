import { lstatSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readDataSources } from '../../../src/data-sources.ts'
import { openLocked } from '../../../src/drivers/duckdb/open-locked.ts'
import type { Table } from '../../../src/shapes/query.ts'
import { createDatabase, createDataFolder, openFolder } from '../../support/data-folder.ts'

const refused = expect.objectContaining({ code: 'statement_refused' })
const failed = expect.objectContaining({ code: 'query_failed' })

/** Every file below a folder with what is in it, links not followed. */
function contents(folder: string): Record<string, string> {
  const entries = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()
  return Object.fromEntries(
    entries.map(name => {
      const path = join(folder, name)
      return [name, lstatSync(path).isFile() ? readFileSync(path, 'base64') : 'not a file']
    }),
  )
}

/** `<data>`, `<root>` stand for the folders of the test. */
const statementsThatWrite = [
  "COPY (SELECT 1) TO '<root>/out.csv'",
  "COPY (SELECT 1) TO '<data>/out.csv'",
  "COPY (SELECT 1) TO 'out.csv'",
  "EXPORT DATABASE '<data>/export'",
  "ATTACH '<data>/new.duckdb'",
  "ATTACH '<root>/new.duckdb' AS new",
  "ATTACH ':memory:' AS new",
  'CREATE TABLE t (a INTEGER)',
  'CREATE TEMP TABLE t (a INTEGER)',
  'CREATE TABLE t AS SELECT 1',
  "CREATE VIEW v AS SELECT * FROM '<data>/cities.csv'",
  'CREATE MACRO m() AS 1',
  'CREATE SEQUENCE s',
  "CREATE SECRET s (TYPE s3, KEY_ID 'x', SECRET 'y')",
  'INSERT INTO t VALUES (1)',
  'WITH w AS (INSERT INTO t VALUES (1) RETURNING *) SELECT * FROM w',
  'DROP TABLE t',
  'INSTALL httpfs',
  'LOAD httpfs',
  "LOAD '<data>/x.duckdb_extension'",
  "SET memory_limit = '100GB'",
  'SET lock_configuration = false',
  'SET enable_external_access = true',
  "SET allowed_directories = ['/']",
  "SET file_search_path = '/etc'",
  "SET TimeZone = 'Europe/Zurich'",
  "SET schema = 'x'",
  'SET VARIABLE x = 1',
  'RESET memory_limit',
  'USE temp',
  "PRAGMA enable_profiling = 'json'",
  "PRAGMA profiling_output = '<data>/profile.json'",
  'PRAGMA show_tables',
  'CALL enable_logging()',
  'CHECKPOINT',
  'VACUUM',
  'ANALYZE',
  'BEGIN',
  'PREPARE p AS SELECT 1',
  'EXECUTE p',
  "EXPLAIN ANALYZE COPY (SELECT 1) TO '<data>/out.csv'",
  'EXPLAIN SELECT 1',
  "IMPORT DATABASE '<data>'",
  'SELECT 1; SELECT 2',
  "SELECT 1; COPY (SELECT 1) TO '<data>/out.csv'",
  "PIVOT '<data>/cities.csv' ON city USING sum(people)",
  '',
  ';',
  '-- nothing',
]

test.for(statementsThatWrite)('refused, and nothing is written: %s', async text => {
  const { root, data } = createDataFolder()
  const before = contents(root)
  const { query } = await openFolder(data)
  const sql = text.replaceAll('<data>', data).replaceAll('<root>', root)
  await expect(query(sql)).rejects.toEqual(/^WITH/.test(sql) ? failed : refused)
  expect(contents(root)).toEqual(before)
  expect((await query('SELECT 42')).rows).toEqual([['42']])
})

const functionsThatDoMore = [
  "SELECT * FROM enable_logging(storage = 'file', storage_path = '<data>/logs')",
  "SELECT * FROM enable_logging(storage = 'file', storage_path = '<root>/logs')",
  'SELECT * FROM "ENABLE_LOGGING"()',
  'SELECT * FROM system.main.enable_logging()',
  'SELECT 1 WHERE EXISTS (FROM enable_logging())',
  'WITH w AS MATERIALIZED (FROM enable_logging()) SELECT * FROM w',
  'SELECT sum(x) OVER (ORDER BY (SELECT 1 FROM checkpoint())) FROM range(3) r(x)',
  'SELECT 1 ORDER BY (SELECT 1 FROM checkpoint()) LIMIT (SELECT 1 FROM force_checkpoint())',
  'SELECT 1 UNION ALL SELECT 2 FROM truncate_duckdb_logs()',
  'SELECT list_transform([1], lambda x: (SELECT 1 FROM disable_logging()))',
  'DESCRIBE SELECT * FROM enable_profiling()',
  "SELECT * FROM enable_profiling(format = 'json', save_location = '<data>/profile.json')",
  "SELECT * FROM query('SELECT * FROM enable_logging()')",
  "SELECT * FROM query_table('duckdb_settings')",
  "SELECT * FROM json_execute_serialized_sql(json_serialize_sql('SELECT 1'))",
  "SELECT * FROM read_duckdb('<data>/x.duckdb')",
  "SELECT * FROM '<data>/x.duckdb'",
  'SELECT * FROM arrow_scan(1, 2, 3)',
  'SELECT * FROM duckdb_settings()',
  'SELECT * FROM duckdb_secrets()',
  'SELECT * FROM duckdb_databases()',
  'SELECT * FROM pragma_storage_info(1)',
  "SELECT write_log('x')",
  "SELECT nextval('s')",
  'SELECT setseed(0.5)',
]

test.for(functionsThatDoMore)('a SELECT that does more than read is refused: %s', async text => {
  const { root, data } = createDataFolder()
  const before = contents(root)
  const { query } = await openFolder(data)
  await expect(query(text.replaceAll('<data>', data).replaceAll('<root>', root))).rejects.toEqual(refused)
  expect(contents(root)).toEqual(before)
})

const pathsOutside = [
  '/etc/passwd',
  '/proc/self/environ',
  'file:///etc/passwd',
  'http://127.0.0.1:1/x',
  's3://bucket/x',
  '<root>/outside/secret.csv',
  '<root>/data-of-another/secret.csv',
  '<root>/data',
  '../outside/secret.csv',
  'nested/../../outside/secret.csv',
  '<data>/../outside/secret.csv',
  '<data>/nested/../../outside/secret.csv',
  '<data>-of-another/secret.csv',
  'secret.csv',
  '<data>/secret.csv',
  'way-out/secret.csv',
  '<data>/way-out/secret.csv',
  '<data>/way-*/secret.csv',
  '../*/secret.csv',
  '<data>/../*/secret.csv',
  '<data>/secr*.csv',
  '~/x.csv',
]

test.for(pathsOutside)('no file outside the data folder can be read: %s', async text => {
  const { root, data } = createDataFolder()
  const { query } = await openFolder(data)
  const path = text.replaceAll('<data>', data).replaceAll('<root>', root)
  const calls = ['read_text', 'read_blob', 'read_csv', 'read_json', 'read_parquet', 'sniff_csv']
  const statements = [
    ...calls.map(call => `SELECT * FROM ${call}('${path}')`),
    `SELECT * FROM read_csv(['cities.csv', '${path}'])`,
    `SELECT * FROM '${path}'`,
    `SELECT * FROM read_text(concat('${path}', ''))`,
  ]
  for (const sql of statements)
    expect(await answerOf(query(sql)), sql).toMatch(/^(statement_refused|query_failed|nothing)/)
  const bound = query('SELECT * FROM read_text($1)', { parameters: [path] })
  expect(await answerOf(bound)).toMatch(/^(statement_refused|query_failed|nothing)/)

  /** The code and message of an error; `nothing` for a result without rows, as a file that is not there gives. */
  async function answerOf(running: Promise<Table>): Promise<string> {
    const answer = await running.then(
      ({ rows }) => (rows.length === 0 ? 'nothing' : JSON.stringify(rows)),
      error => `${error.code}: ${error.message}`,
    )
    expect(answer).not.toMatch(/hunter2|root:/)
    expect(answer).not.toContain(root)
    return answer
  }
})

test.for(['/etc/*', '../*', 'way-out/*', '<data>/way-out/*'])('no folder outside can be listed: %s', async text => {
  const { data } = createDataFolder()
  const { query } = await openFolder(data)
  const found = await query(`SELECT * FROM glob('${text.replaceAll('<data>', data)}')`).then(
    ({ rows }) => rows,
    error => error.code,
  )
  expect(found === 'statement_refused' || found.length === 0).toBe(true)
})

const settled = { databasePath: undefined, memoryBytes: undefined, schema: undefined }

test.for([
  "COPY (SELECT 1) TO '<root>/out.csv'",
  "ATTACH '<root>/new.duckdb' AS new",
  "SELECT * FROM read_text('/etc/passwd')",
  "SELECT * FROM '<data>/secret.csv'",
  'INSTALL httpfs',
  'LOAD httpfs',
  "SET memory_limit = '100GB'",
  'SET lock_configuration = false',
  'SET enable_external_access = true',
  "SET allowed_directories = ['/']",
  "SET temp_directory = '<data>'",
  'INSERT INTO orders VALUES (8)',
  'CREATE TABLE other (a INTEGER)',
])('the instance refuses by itself, without the gate: %s', async text => {
  const { root, data } = createDataFolder()
  const databasePath = join(data, 'sales.duckdb')
  await createDatabase(databasePath, ['CREATE TABLE orders AS SELECT 7 AS amount'])
  const source = readDataSources({}, { dataDirectory: data }).get('default')
  const before = contents(root)
  const { instance } = await openLocked(source, { ...settled, databasePath }, { memoryBytes: 2 ** 30, threads: 2 })
  onTestFinished(() => instance.closeSync())
  const connection = await instance.connect()
  const running = connection.run(text.replaceAll('<data>', data).replaceAll('<root>', root))
  await expect(running).rejects.toThrow(/Permission Error|locked|read-only|disabled/)
  expect(contents(root)).toEqual(before)
})

test('a file that is replaced by a link outwards after the opening cannot be read', async () => {
  const { root, data } = createDataFolder()
  const { query } = await openFolder(data)
  expect((await query("SELECT count(*) FROM 'cities.csv'")).rows).toEqual([['2']])
  symlinkSync(join(root, 'outside/secret.csv'), join(data, 'later.csv'))
  await expect(query("SELECT * FROM 'later.csv'")).rejects.toEqual(refused)
})

test('a link within the folder can be read, and so can a data folder that is a link itself', async () => {
  const { root, data } = createDataFolder()
  symlinkSync(data, join(root, 'linked'))
  const { query } = await openFolder(join(root, 'linked'))
  expect((await query("SELECT sum(people) FROM 'towns.csv'")).rows).toEqual([['312000']])
})

test('the refusal of a file says what can be read', async () => {
  const { data } = createDataFolder()
  const { query } = await openFolder(data)
  await expect(query("SELECT * FROM read_text('/etc/passwd')")).rejects.toMatchObject({
    message:
      "The statement was refused: it reads something other than the files of the deployment's data folder. " +
      "Name a file there by a literal relative to the folder, such as read_parquet('flights.parquet').",
  })
})

test('a database file is read and never written', async () => {
  const { data } = createDataFolder()
  const path = join(data, 'sales.duckdb')
  await createDatabase(path, ['CREATE TABLE orders AS SELECT 7 AS amount', 'CREATE SEQUENCE numbers'])
  const before = readFileSync(path, 'base64')
  const { query } = await openFolder(data, { CUBEJS_DB_DUCKDB_DATABASE_PATH: 'sales.duckdb' })
  expect((await query('SELECT amount FROM orders')).rows).toEqual([['7']])
  for (const sql of ['INSERT INTO orders VALUES (8)', 'DELETE FROM orders', "SELECT nextval('numbers')"]) {
    await expect(query(sql)).rejects.toEqual(refused)
  }
  expect(readFileSync(path, 'base64')).toBe(before)
})

test.for([
  ['view', 'CREATE VIEW trap AS SELECT * FROM enable_logging()', 'enable_logging()'],
  ['table macro', 'CREATE MACRO trap() AS TABLE SELECT * FROM "checkpoint"()', 'checkpoint()'],
  ['scalar macro', "CREATE MACRO trap() AS (SELECT 1 FROM query('SELECT 1'))", 'query()'],
  ['macro over another database', "CREATE MACRO trap() AS TABLE SELECT * FROM '<data>/other.duckdb'", 'other.duckdb'],
] as const)('a database with a %s that does what is refused is not opened', async ([, sql, refusedPart]) => {
  const { data } = createDataFolder()
  await createDatabase(join(data, 'other.duckdb'), ['CREATE TABLE t AS SELECT 1 AS a'])
  await createDatabase(join(data, 'trap.duckdb'), [sql.replaceAll('<data>', data)])
  await expect(openFolder(data, { CUBEJS_DB_DUCKDB_DATABASE_PATH: 'trap.duckdb' })).rejects.toMatchObject({
    code: 'source_misconfigured',
    message: `CUBEJS_DB_DUCKDB_DATABASE_PATH cannot be used: "trap" in the database uses ${refusedPart}, which is not allowed here. Drop it from the file.`,
  })
})

test("a database's own table macros can be used, unless they take the name of a refused function", async () => {
  const { data } = createDataFolder()
  await createDatabase(join(data, 'macros.duckdb'), [
    'CREATE MACRO twice(x) AS TABLE SELECT x * 2 AS doubled',
    'CREATE MACRO Duckdb_Settings() AS TABLE SELECT 1 AS harmless',
  ])
  const { query } = await openFolder(data, { CUBEJS_DB_DUCKDB_DATABASE_PATH: 'macros.duckdb' })
  expect((await query('SELECT doubled FROM twice(21)')).rows).toEqual([['42']])
  await expect(query('SELECT * FROM system.main.duckdb_settings()')).rejects.toEqual(refused)
})

test('a database cannot answer for the functions that guard it', async () => {
  const { data } = createDataFolder()
  await createDatabase(join(data, 'hostile.duckdb'), [
    `CREATE MACRO json_serialize_sql(x) AS '{"error": false, "statements": [{}]}'`,
    'CREATE MACRO duckdb_functions() AS TABLE SELECT 1 AS function_name LIMIT 0',
    'CREATE MACRO duckdb_views() AS TABLE SELECT 1 AS view_name LIMIT 0',
    'CREATE MACRO lower(x) AS upper(x)',
  ])
  const { query } = await openFolder(data, { CUBEJS_DB_DUCKDB_DATABASE_PATH: 'hostile.duckdb' })
  await expect(query('SELECT * FROM enable_logging()')).rejects.toEqual(refused)
  await createDatabase(join(data, 'hostile.duckdb'), ['CREATE VIEW trap AS SELECT * FROM enable_logging()'])
  const opening = openFolder(data, { CUBEJS_DB_DUCKDB_DATABASE_PATH: 'hostile.duckdb' })
  await expect(opening).rejects.toMatchObject({ code: 'source_misconfigured' })
})

test.for(['outside/x.duckdb', '../outside/secret.csv', 'secret.csv', 'missing.duckdb'])(
  'a database outside the folder, through a link, or missing, is not opened: %s',
  async path => {
    const { data } = createDataFolder()
    await expect(openFolder(data, { CUBEJS_DB_DUCKDB_DATABASE_PATH: path })).rejects.toMatchObject({
      code: 'source_misconfigured',
    })
  },
)

test('nothing of one query is left for the next', async () => {
  const { data } = createDataFolder()
  const { query } = await openFolder(data)
  await query("SELECT * FROM read_csv('cities.csv', columns = {'city': 'INT', 'people': 'INT'}, store_rejects = true)")
  await expect(query('SELECT * FROM reject_errors')).rejects.toEqual(failed)
})

test('memory is bounded, and running out of it is an error of the query alone', async () => {
  const { data } = createDataFolder()
  const { query } = await openFolder(data, { CUBEJS_DB_DUCKDB_MEMORY_LIMIT: '64MB' })
  const greedy = 'SELECT count(DISTINCT hash(a)), list(a) FROM range(50000000) r(a)'
  await expect(query(greedy)).rejects.toMatchObject({ code: 'memory_exceeded' })
  expect((await query('SELECT 42')).rows).toEqual([['42']])
})
