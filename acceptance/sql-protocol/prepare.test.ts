import type { Client } from 'pg'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { signHmac } from '../data-api/tokens.ts'
import { policies } from './policies.ts'
import { type SqlPlatform, startSqlPlatform } from './sql-platform.ts'

const secret = 'a-secret-of-the-tests-that-is-long-enough'
const tokenOf = (group: string) => signHmac({ cubeCloud: { groups: [group] } }, secret)

let sql: SqlPlatform
let client: Client
beforeAll(async () => {
  sql = await startSqlPlatform(policies, { CUBEJS_API_SECRET: secret })
})
afterAll(() => sql.platform.dispose())
beforeEach(async () => {
  client = await sql.connect({ password: tokenOf('red') })
  return () => client.end()
})

const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => null,
    error => error.code,
  )
const rowsOf = async (text: string, values?: unknown[]) => (await client.query(text, values)).rows

test('EXECUTE gives its values to what was prepared, as values', async () => {
  const prepared = await client.query('PREPARE one AS SELECT id FROM orders WHERE tenant = $1 AND id >= $2 ORDER BY id')
  expect(prepared.command).toBe('PREPARE')
  expect(await rowsOf("EXECUTE one('red', 1 + 1)")).toEqual([{ id: '2' }])
  expect(await rowsOf("EXECUTE one('red' || '', '1')")).toHaveLength(2)
  expect(await rowsOf('EXECUTE one(NULL, 1)')).toEqual([])
  expect(await rowsOf("EXECUTE one(E'red'' OR ''1''=''1', 0)")).toEqual([])
  expect(await rowsOf('EXECUTE one($1, $2)', ['red', 2])).toEqual([{ id: '2' }])
})

test('rows are those of the caller, and of the catalogs what he sees', async () => {
  await client.query('PREPARE mine(text) AS SELECT id FROM orders WHERE tenant = $1')
  expect(await rowsOf("EXECUTE mine('blue')")).toEqual([])
  await client.query('PREPARE tables(name) AS SELECT count(*)::int AS n FROM pg_class WHERE relname = $1')
  expect(await rowsOf("EXECUTE tables('orders')")).toEqual([{ n: 1 }])
  expect(await rowsOf("EXECUTE tables('secrets')")).toEqual([{ n: 0 }])
})

test('types that are declared hold', async () => {
  await client.query('PREPARE typed(int, timestamp) AS SELECT id FROM orders WHERE id > $1 AND created_at > $2')
  expect(await rowsOf("EXECUTE typed('1', date '2024-01-01')")).toEqual([{ id: '2' }])
  expect(await codeOf(client.query("EXECUTE typed('x', now())"))).toBe('22P02')
  expect(await codeOf(client.query('PREPARE other(nothing) AS SELECT $1'))).toBe('42704')
})

test("errors are PostgreSQL's", async () => {
  expect(await codeOf(client.query('EXECUTE none'))).toBe('26000')
  await client.query('PREPARE x AS SELECT count(*) FROM orders WHERE id = $1')
  expect(await codeOf(client.query('PREPARE x AS SELECT 1'))).toBe('42P05')
  expect(await codeOf(client.query('EXECUTE x'))).toBe('42601')
  expect(await codeOf(client.query('EXECUTE x(1, 2)'))).toBe('42601')
  expect(await codeOf(client.query('EXECUTE x((SELECT 1))'))).toBe('0A000')
  expect(await codeOf(client.query('EXECUTE x(id)'))).toBe('42703')
  expect(await codeOf(client.query('PREPARE y AS SELECT id FROM secrets'))).toBe('42P01')
  expect(await codeOf(client.query('EXECUTE y'))).toBe('26000')
  expect(await codeOf(client.query('PREPARE z AS DELETE FROM orders'))).toBe('0A000')
})

test('it is of its session, until that forgets it', async () => {
  await client.query('PREPARE a AS SELECT 1 AS one; PREPARE b AS SELECT 2; PREPARE c AS SELECT 3')
  expect(await rowsOf('EXECUTE a')).toEqual([{ one: 1 }])
  const other = await sql.connect({ password: tokenOf('red') })
  expect(await codeOf(other.query('EXECUTE a'))).toBe('26000')
  await other.end()
  await client.query('DEALLOCATE a')
  expect(await codeOf(client.query('EXECUTE a'))).toBe('26000')
  await client.query('DEALLOCATE ALL')
  expect(await codeOf(client.query('EXECUTE b'))).toBe('26000')
  await client.query('PREPARE c AS SELECT 3')
  await client.query('DISCARD ALL')
  expect(await codeOf(client.query('EXECUTE c'))).toBe('26000')
})

test('what is prepared by SQL and by the protocol is one', async () => {
  await client.query({ name: 'p', text: 'SELECT id FROM orders WHERE id = $1', values: [1] })
  expect(await rowsOf('EXECUTE p(2)')).toEqual([{ id: '2' }])
  expect(await codeOf(client.query('PREPARE p AS SELECT 1'))).toBe('42P05')
})

test('a failed transaction executes nothing', async () => {
  await client.query('PREPARE a AS SELECT 1')
  await client.query('BEGIN')
  await codeOf(client.query('SELECT nothing'))
  expect(await codeOf(client.query('EXECUTE a'))).toBe('25P02')
  await client.query('ROLLBACK')
  expect(await rowsOf('EXECUTE a')).toHaveLength(1)
})
