import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { readDataSources } from '../../../src/data-sources.ts'
import { sessionFormats } from '../../../src/drivers/snowflake/cells.ts'
import { createSnowflakeDriver } from '../../../src/drivers/snowflake/snowflake.ts'
import { runWhole } from '../../support/run-whole.ts'

/** On a server that speaks to Snowflake's own client as Snowflake does and has no engine: see docs/data-sources.md. */
interface Asked {
  readonly sqlText: string
  readonly describeOnly?: boolean
  readonly bindings?: unknown
}

let asked: Asked[] = []
let stopped = 0
/** Answers the query that was left without an answer. */
let release = () => {}
let rowtype: readonly object[] = []
let rowset: readonly (readonly (string | null)[])[] = []
let answer: (sql: string) => object | 'never' | undefined = () => undefined

const parameters = Object.entries(sessionFormats).map(([name, value]) => ({ name, value }))

const server = createServer(async (request, response) => {
  let text = ''
  for await (const piece of request) text += piece
  const { pathname } = new URL(request.url ?? '', 'http://server')
  const send = (content: object) =>
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(content))
  if (pathname.endsWith('login-request')) {
    const session = {
      token: 't',
      masterToken: 'm',
      validityInSeconds: 3600,
      masterValidityInSeconds: 14_400,
      sessionId: 1,
    }
    return send({ success: true, data: { ...session, parameters, sessionInfo: {} } })
  }
  if (pathname.endsWith('abort-request')) {
    stopped += 1
    release()
    return send({ success: true, data: null })
  }
  if (!pathname.endsWith('query-request')) return send({ success: true, data: null })
  const body: Asked = JSON.parse(text)
  asked.push(body)
  const special = answer(body.sqlText)
  if (special === 'never') {
    const failure = { sqlState: '57014', queryId: 'q' }
    release = () => send({ success: false, code: '000604', message: 'SQL execution canceled', data: failure })
    return
  }
  if (special) return send(special)
  const result = { rowtype, rowset: body.describeOnly ? [] : rowset, total: rowset.length, returned: rowset.length }
  return send({ success: true, data: { ...result, parameters, queryId: 'q1', queryResultFormat: 'json', version: 1 } })
})

beforeAll(() => new Promise<void>(resolve => void server.listen(0, '127.0.0.1', resolve)))
afterAll(() => {
  server.closeAllConnections()
  server.close()
})
beforeEach(() => {
  asked = []
  stopped = 0
  answer = () => undefined
})

const variables = {
  CUBEJS_DB_TYPE: 'snowflake',
  CUBEJS_DB_SNOWFLAKE_ACCOUNT: 'acme',
  CUBEJS_DB_USER: 'reader',
  CUBEJS_DB_PASS: 'secret',
}
const sourceOf = (changes = {}) =>
  readDataSources({ ...variables, ...changes }, { dataDirectory: '/nowhere' }).get('default')

async function open() {
  const { port } = server.address() as AddressInfo
  const opened = await createSnowflakeDriver({ accessUrl: `http://127.0.0.1:${port}` }).open(sourceOf())
  onTestFinished(() => opened.close())
  return opened
}

test('the session is in UTC; the statement is described in brackets before it runs; parameters are bound as text', async () => {
  rowtype = [{ name: 'N', type: 'fixed', precision: 38, scale: 0, nullable: true }]
  rowset = [['1'], [null], ['99999999999999999999999999999999999999']]
  const table = await runWhole(await open(), { sql: 'SELECT ?', parameters: ["x' --"], comment: 'request-1' })
  expect(table).toEqual({
    columns: [{ name: 'N', type: 'integer', databaseType: 'NUMBER(38,0)' }],
    rows: [['1'], [null], ['99999999999999999999999999999999999999']],
  })
  expect(asked[0]?.sqlText).toMatch(/^ALTER SESSION SET TIMEZONE = 'UTC', .*STATEMENT_TIMEOUT_IN_SECONDS = 600$/)
  const bindings = { 1: { type: 'TEXT', value: "x' --" } }
  expect(asked.slice(1)).toMatchObject([
    { sqlText: 'SELECT * FROM (\nSELECT ?\n)', describeOnly: true, bindings },
    { sqlText: 'SELECT ?\n/* request-1 */', bindings },
  ])
})

test.for([
  ['fixed', { precision: 38, scale: 3 }, '1234567890123456789.120', 'decimal', '1234567890123456789.120'],
  ['real', {}, '0.1', 'double', '0.1'],
  ['real', {}, 'NaN', 'double', null],
  ['text', {}, 'NULL', 'string', 'NULL'],
  ['text', {}, null, 'string', null],
  ['boolean', {}, '1', 'boolean', true],
  ['boolean', {}, '0', 'boolean', false],
  ['date', {}, '19782', 'date', '2024-02-29T00:00:00.000'],
  ['timestamp_ntz', { scale: 9 }, '1709200800.123456789', 'timestamp', '2024-02-29T10:00:00.123'],
  ['timestamp_ltz', { scale: 9 }, '1709200800.123456789', 'timestamp', '2024-02-29T10:00:00.123'],
  ['timestamp_tz', { scale: 9 }, '1709200800.123456789 1560', 'timestamp', '2024-02-29T10:00:00.123'],
  ['binary', {}, '00FF', 'binary', '0x00ff'],
  ['variant', {}, '{"a":9007199254740993}', 'json', '{"a":9007199254740993}'],
] as const)('%s %j %s', async ([type, more, sent, columnType, cell]) => {
  rowtype = [{ name: 'V', type, nullable: true, ...more }]
  rowset = [[sent]]
  const { columns, rows } = await runWhole(await open(), { sql: 'SELECT v' })
  expect([columns[0]?.type, rows]).toEqual([columnType, [[cell]]])
})

test('what the description refuses does not run', async () => {
  const message = "SQL compilation error: syntax error unexpected 'DELETE'."
  answer = sql =>
    sql.startsWith('SELECT * FROM (')
      ? { success: false, code: '001003', message, data: { sqlState: '42000', queryId: 'q' } }
      : undefined
  await expect(runWhole(await open(), { sql: 'DELETE FROM t' })).rejects.toMatchObject({
    code: 'query_failed',
    message,
  })
  expect(asked.map(({ sqlText }) => sqlText)).not.toContain('DELETE FROM t')
})

test('an abort stops the query in the service', async () => {
  answer = sql => (sql === 'SELECT 1' ? 'never' : undefined)
  const controller = new AbortController()
  const running = runWhole(await open(), { sql: 'SELECT 1' }, controller.signal)
  setTimeout(() => controller.abort(new Error('nobody waits any more')), 500)
  await expect(running).rejects.toThrow('nobody waits any more')
  expect(stopped).toBeGreaterThan(0)
})

test.for([
  [{ CUBEJS_DB_SNOWFLAKE_ACCOUNT: '' }, 'CUBEJS_DB_SNOWFLAKE_ACCOUNT'],
  [{ CUBEJS_DB_SNOWFLAKE_AUTHENTICATOR: 'EXTERNALBROWSER' }, 'CUBEJS_DB_SNOWFLAKE_AUTHENTICATOR'],
  [{ CUBEJS_DB_SNOWFLAKE_PRIVATE_KEY_PATH: '/etc/passwd' }, 'CUBEJS_DB_SNOWFLAKE_PRIVATE_KEY_PATH'],
  [{ CUBEJS_DB_SNOWFLAKE_AUTHENTICATOR: 'oauth' }, 'CUBEJS_DB_SNOWFLAKE_OAUTH_TOKEN'],
] as const)('%j is refused, naming the variable', ([changes, variable]) => {
  expect(() => sourceOf(changes)).toThrow(`${variable} cannot be used`)
})
