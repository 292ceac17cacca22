import { spawn } from 'node:child_process'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { shop } from '../data-api/shop.ts'
import { withNumbers } from './policies.ts'
import { type SqlPlatform, startSqlPlatform } from './sql-platform.ts'

let sql: SqlPlatform
beforeAll(async () => {
  sql = await startSqlPlatform(withNumbers(shop), {})
})
afterAll(() => sql.platform.dispose())

/** Runs psql. @param interruptMs sends it Ctrl-C after this time. */
async function psql(parameters: readonly string[], interruptMs?: number) {
  const { host, port, user, password, database } = sql.config()
  const child = spawn(
    'psql',
    ['-X', '-h', String(host), '-p', String(port), '-U', String(user), '-d', String(database), ...parameters],
    {
      env: { PATH: process.env.PATH, PGPASSWORD: String(password), LC_ALL: 'C.UTF-8' },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  let [out, error] = ['', '']
  child.stdout.on('data', chunk => {
    out += chunk
  })
  child.stderr.on('data', chunk => {
    error += chunk
  })
  if (interruptMs !== undefined) setTimeout(() => child.kill('SIGINT'), interruptMs)
  const code = await new Promise(resolve => child.once('close', resolve))
  return { out, error, code }
}

const everyCommand = [
  '\\d',
  '\\d+',
  '\\dt',
  '\\dt+',
  '\\dv',
  '\\di',
  '\\dS',
  '\\l',
  '\\l+',
  '\\dn',
  '\\dn+',
  '\\du',
  '\\df',
  '\\dT',
  '\\dp',
  '\\db',
  '\\dx',
  '\\dD',
  '\\dm',
  '\\ds',
  '\\dC',
  '\\dA',
  '\\dP',
  '\\det',
  '\\conninfo',
  '\\encoding',
]

test.each(everyCommand)('%s is answered', async command => {
  const { error, code } = await psql(['-c', command])
  expect([error.replace(/^Did not find any .*\n$/, ''), code]).toEqual(['', 0])
})

test('\\d lists cubes and views; \\d orders its members with their types and its key', async () => {
  expect((await psql(['--csv', '-c', '\\d'])).out).toContain('public,orders,table,cube\n')
  const { out } = await psql(['-c', '\\d orders'])
  expect(out).toContain('Table "public.orders"')
  expect(out).toMatch(/count\s+\| bigint/)
  expect(out).toMatch(/total\s+\| numeric/)
  expect(out).toMatch(/created_at\s+\| timestamp without time zone/)
  expect(out).toMatch(/"orders_pkey" PRIMARY KEY, btree \(id\)/)
  expect((await psql(['-c', '\\d+ orders'])).out).toContain('How far it is.')
})

test('statements are answered as CSV, NULL and moments as PostgreSQL writes them', async () => {
  const text = 'SELECT n, NULL AS nothing, n % 2 = 0 AS even FROM numbers WHERE n < 2 ORDER BY n'
  expect((await psql(['--csv', '-c', text])).out).toBe('n,nothing,even\n0,,t\n1,,f\n')
})

test('FETCH_COUNT fetches by a cursor', async () => {
  const { out, error } = await psql([
    '-At',
    '-v',
    'FETCH_COUNT=7',
    '-c',
    'SELECT n FROM numbers WHERE n < 50 ORDER BY n',
  ])
  expect(error).toBe('')
  expect(out.trim().split('\n')).toHaveLength(50)
})

test('cursors are declared, fetched and closed in a transaction', async () => {
  const steps = [
    'BEGIN',
    'DECLARE c CURSOR FOR SELECT n FROM numbers ORDER BY n',
    'FETCH 2 FROM c',
    'MOVE 1 IN c',
    'FETCH NEXT FROM c',
    'CLOSE c',
    'COMMIT',
  ]
  const { out } = await psql(['-At', ...steps.flatMap(step => ['-c', step])])
  expect(out.trim().split('\n')).toEqual(['BEGIN', 'DECLARE CURSOR', '0', '1', 'MOVE 1', '3', 'CLOSE CURSOR', 'COMMIT'])
  expect((await psql(['-c', 'DECLARE c CURSOR FOR SELECT 1'])).error).toContain('transaction blocks')
})

test('several statements can be sent at once; a forbidden one among them and none is run', async () => {
  expect((await psql(['-At', '-c', 'BEGIN; SELECT 1; SELECT 2; COMMIT'])).out).toContain('1\n2\nCOMMIT')
  const { out, error } = await psql(['-At', '-c', 'SELECT 1; DROP TABLE orders'])
  expect(out).toBe('')
  expect(error).toContain('Only statements that read can be run')
})

test('Ctrl-C cancels what runs', async () => {
  const { error } = await psql(['-c', 'SELECT MEASURE(total) FROM endless'], 1500)
  expect(error).toContain('canceling statement due to user request')
})

test('settings are shown, set and reset; unknown ones are errors', async () => {
  const steps = [
    'SHOW TimeZone',
    `SET TIME ZONE 'Europe/Berlin'`,
    'SHOW TimeZone',
    'RESET ALL',
    'SHOW TimeZone',
    `SET cube_cache = 'no-cache'`,
    'SHOW cube_cache',
    'DISCARD ALL',
  ]
  const { out } = await psql(['-At', ...steps.flatMap(step => ['-c', step])])
  expect(out.trim().split('\n')).toEqual([
    'UTC',
    'SET',
    'Europe/Berlin',
    'RESET',
    'UTC',
    'SET',
    'no-cache',
    'DISCARD ALL',
  ])
  expect((await psql(['-c', 'SET nonsense = 1'])).error).toContain('unrecognized configuration parameter "nonsense"')
  expect((await psql(['-c', `SET cube_cache = 'x'`])).error).toContain('invalid value')
})

test('EXPLAIN tells in words how a statement is answered', async () => {
  expect((await psql(['-At', '-c', 'EXPLAIN SELECT MEASURE(count) FROM orders'])).out).toContain('regular')
})

test('EXPLAIN ANALYZE also runs the statement, whatever stands before it', async () => {
  for (const explain of ['EXPLAIN ANALYZE', '/* a tool */ explain (analyze, format text)']) {
    const { out } = await psql(['-At', '-c', `${explain} SELECT MEASURE(count) FROM orders`])
    expect(out).toContain('regular')
    expect(out).toMatch(/^Rows: 1\nTime: \d+ ms\nData of: \d{4}-/m)
  }
  expect((await psql(['-At', '-c', 'EXPLAIN (ANALYZE off) SELECT MEASURE(count) FROM orders'])).out).not.toContain(
    'Rows:',
  )
  expect((await psql(['-c', 'EXPLAIN (FORMAT JSON) SELECT MEASURE(count) FROM orders'])).error).toContain(
    'EXPLAIN with format',
  )
})

test('the platform stops although sessions are open, and tells them', async () => {
  const client = await sql.connect()
  const ended = new Promise(resolve => client.once('error', resolve))
  expect(await sql.platform.stop()).toBe(0)
  expect(String(await ended)).toContain('terminating connection due to administrator command')
})
