import { beforeAll, expect, test } from 'vitest'
import { policies } from '../sql-protocol/policies.ts'
import { sharedApi } from '../support/api.ts'
import { createDataClient, type DataClient } from './data-client.ts'
import { createProject } from './project.ts'
import { askSql } from './sql-client.ts'
import { signHmac } from './tokens.ts'

const api = sharedApi()
const secret = 'a-secret-of-the-tests-that-is-long-enough'
const red = signHmac({ cubeCloud: { groups: ['red'] } }, secret)
const blue = signHmac({ cubeCloud: { groups: ['blue'] } }, secret)
let data: DataClient
beforeAll(async () => {
  const variables = {
    CUBEJS_API_SECRET: secret,
    CUBEJS_SQL_USER: 'analyst',
    CUBEJS_SQL_PASSWORD: 'a password',
    CUBEJS_SQL_SUPER_USER: 'analyst',
  }
  data = await createDataClient(api, await createProject(api, policies, variables))
})

test('catalogs show the model as the caller sees it, a JSON object a line', async () => {
  const query = `SELECT column_name, data_type, is_nullable = 'NO' AS required, ordinal_position FROM information_schema.columns
    WHERE table_name = 'orders' AND column_name IN ('id', 'margin', 'revenue') ORDER BY 1`
  const answer = await askSql(data, query, {}, blue)
  expect([answer.status, answer.columns]).toEqual([
    200,
    [
      { name: 'column_name', column_type: 'String' },
      { name: 'data_type', column_type: 'String' },
      { name: 'required', column_type: 'Boolean' },
      { name: 'ordinal_position', column_type: 'Int32' },
    ],
  ])
  expect(answer.rows.map(row => row.slice(0, 3))).toEqual([
    ['id', 'numeric', true],
    ['margin', 'numeric', false],
    ['revenue', 'numeric', false],
  ])
  expect((await askSql(data, query, {}, red)).rows.map(([name]) => name)).toEqual(['id', 'revenue'])
})

test('what policies hide is in no catalog', async () => {
  for (const query of [
    `SELECT relname FROM pg_class WHERE relname = 'secrets'`,
    `SELECT table_name FROM information_schema.tables WHERE table_name = 'secrets'`,
    `SELECT attname FROM pg_catalog.pg_attribute WHERE attname = 'margin'`,
    `SELECT description FROM pg_description WHERE description LIKE '%argin%'`,
  ]) {
    expect([query, (await askSql(data, query, {}, red)).rows]).toEqual([query, []])
  }
})

test.for([
  ['SHOW timezone', 'SHOW is a command of a session'],
  ['SHOW ALL', 'SHOW is a command of a session'],
  [`SET TIME ZONE 'UTC'`, 'SET is a command of a session'],
  [`SET USER 'ann'`, 'SET USER is a command of a session'],
  ['BEGIN', 'BEGIN is a command of a session'],
  ['SELECT * FROM pg_stat_activity', 'pg_stat_activity tells of a session'],
  ['SELECT name FROM pg_settings', 'pg_settings tells of a session'],
  [`SELECT set_config('role', 'x', false) FROM pg_class`, 'set_config changes a session'],
])('a request is no session: %s', async ([query = '', expected]) => {
  const { status, error, body } = await askSql(data, query)
  expect([status, body.code]).toEqual([400, '0A000'])
  expect(error).toContain(expected)
})

test('errors have their code and place, and nothing reads catalogs and data at once', async () => {
  expect((await askSql(data, 'SELECT nope FROM pg_class')).body).toMatchObject({
    code: '42703',
    position: { line: 1, column: 8 },
  })
  for (const query of [
    'SELECT * FROM pg_authid',
    'SELECT pg_sleep(10) FROM pg_class',
    `SELECT pg_read_file('/etc/passwd') FROM pg_class`,
    'SELECT 1 FROM pg_class, orders',
    'SELECT $1::text FROM pg_class',
    'SELECT 1 FROM pg_class; SELECT 1',
  ]) {
    expect([query, (await askSql(data, query)).status]).toEqual([query, 400])
  }
})

test('a token asks with its own rights alone, also where a super user may speak for others', async () => {
  for (const query of [
    `SELECT MEASURE(count) FROM orders WHERE __user = 'ann'`,
    `SELECT id FROM orders WHERE __user = 'analyst' AND tenant = 'blue'`,
    `SELECT MEASURE(count) FROM (SELECT * FROM orders WHERE __user = 'ann') o`,
    `SELECT MEASURE(count) FROM orders WHERE __user = 'ann' OR true`,
  ]) {
    const { status, rows } = await askSql(data, query, {}, red)
    expect([query, status >= 400, rows]).toEqual([query, true, []])
  }
  const { status, body } = await askSql(data, `SELECT MEASURE(count) FROM orders WHERE __user = 'ann'`, {}, red)
  expect([status, body.code]).toEqual([403, '42501'])
})
