import { generateKeyPairSync } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { BigQuery } from '@google-cloud/bigquery'
import { PassThroughClient } from 'google-auth-library'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { readDataSources } from '../../../src/data-sources.ts'
import { createBigQueryDriver } from '../../../src/drivers/bigquery/bigquery.ts'
import { runWhole } from '../../support/run-whole.ts'

/** On a server that speaks BigQuery's documented REST interface and has no engine: see docs/data-sources.md. */
interface Asked {
  readonly path: string
  readonly body: { readonly configuration?: { readonly dryRun?: boolean; readonly query?: Record<string, unknown> } }
}

let asked: Asked[] = []
/** Answers to the pages of a result, in order; the last is given again. */
let pages: readonly object[] = []
let statementType = 'SELECT'
let failure: { readonly code: number; readonly reason: string; readonly message: string } | undefined

const server = createServer(async (request, response) => {
  let text = ''
  for await (const piece of request) text += piece
  const { pathname: path, searchParams } = new URL(request.url ?? '', 'http://server')
  const body = text === '' ? {} : JSON.parse(text)
  asked.push({ path, body })
  const send = (status: number, content: object) =>
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(content))
  const job = {
    id: 'job-1',
    jobReference: { projectId: 'p', jobId: 'job-1', location: 'EU' },
    status: { state: 'RUNNING' },
  }
  if (path.includes('/cancel')) return send(200, { job })
  if (path.endsWith('/jobs')) {
    if (failure) {
      const { code, reason, message } = failure
      return send(code, { error: { code, message, errors: [{ reason, message }] } })
    }
    return send(200, { ...job, statistics: { query: { statementType } } })
  }
  const number = Number(searchParams.get('pageToken') ?? 0)
  return send(200, pages[number] ?? {})
})

beforeAll(async () => {
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})
beforeEach(() => {
  asked = []
  statementType = 'SELECT'
  failure = undefined
})

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const key = {
  type: 'service_account',
  client_email: 'reader@p.iam.gserviceaccount.com',
  private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
}
const variables = {
  CUBEJS_DB_TYPE: 'bigquery',
  CUBEJS_DB_BQ_PROJECT_ID: 'p',
  CUBEJS_DB_BQ_CREDENTIALS: Buffer.from(JSON.stringify(key)).toString('base64'),
  CUBEJS_DB_BQ_LOCATION: 'EU',
}
const sourceOf = (changes = {}) =>
  readDataSources({ ...variables, ...changes }, { dataDirectory: '/nowhere' }).get('default')

async function open() {
  const { port } = server.address() as AddressInfo
  const driver = createBigQueryDriver(async ({ projectId, location }) => {
    const apiEndpoint = `http://127.0.0.1:${port}`
    return new BigQuery({ projectId, apiEndpoint, authClient: new PassThroughClient(), location: location ?? '' })
  })
  const opened = await driver.open(sourceOf())
  onTestFinished(() => opened.close())
  return opened
}

const resultOf = (fields: readonly object[], rows: readonly (readonly unknown[])[], more = {}) => ({
  jobComplete: true,
  schema: { fields },
  rows: rows.map(row => ({ f: row.map(v => ({ v })) })),
  ...more,
})

test('the service says that it reads before it runs; parameters are text by position; pages are read in order', async () => {
  const fields = [{ name: 'n', type: 'INTEGER' }]
  pages = [resultOf(fields, [['1'], ['9223372036854775807']], { pageToken: '1' }), resultOf(fields, [['3']])]
  const table = await runWhole(await open(), { sql: 'SELECT ?, ?', parameters: ["x' --", null], comment: 'request-1' })
  expect(table).toEqual({
    columns: [{ name: 'n', type: 'integer', databaseType: 'INTEGER' }],
    rows: [['1'], ['9223372036854775807'], ['3']],
  })
  const jobs = asked.filter(({ path }) => path.endsWith('/jobs'))
  expect(jobs.map(({ body }) => body.configuration?.dryRun)).toEqual([true, undefined])
  expect(jobs[1]?.body.configuration?.query).toMatchObject({
    query: 'SELECT ?, ?\n/* request-1 */',
    useLegacySql: false,
    parameterMode: 'positional',
    queryParameters: [
      { parameterType: { type: 'STRING' }, parameterValue: { value: "x' --" } },
      { parameterType: { type: 'STRING' }, parameterValue: { value: null } },
    ],
  })
})

test.for([
  [{ type: 'FLOAT' }, '0.1', 'double', '0.1'],
  [{ type: 'FLOAT' }, 'NaN', 'double', null],
  [{ type: 'NUMERIC' }, '12345678901234567890.123456789', 'decimal', '12345678901234567890.123456789'],
  [{ type: 'BOOLEAN' }, 'true', 'boolean', true],
  [{ type: 'STRING' }, 'ä', 'string', 'ä'],
  [{ type: 'TIMESTAMP' }, '1709200800123456', 'timestamp', '2024-02-29T10:00:00.123'],
  [{ type: 'TIMESTAMP' }, '-1', 'timestamp', '1969-12-31T23:59:59.999'],
  [{ type: 'DATETIME' }, '2024-02-29T10:00:00.123456', 'timestamp', '2024-02-29T10:00:00.123'],
  [{ type: 'DATETIME' }, '2024-02-29T10:00:00', 'timestamp', '2024-02-29T10:00:00.000'],
  [{ type: 'DATE' }, '2024-02-29', 'date', '2024-02-29T00:00:00.000'],
  [{ type: 'BYTES' }, 'AP8=', 'binary', '0x00ff'],
  [{ type: 'JSON' }, '{"a":9007199254740993}', 'json', '{"a":9007199254740993}'],
  [{ type: 'INTEGER', mode: 'REPEATED' }, [{ v: '9007199254740993' }, { v: '2' }], 'json', '[9007199254740993,2]'],
  [
    {
      type: 'RECORD',
      fields: [
        { name: 'a', type: 'INTEGER' },
        { name: 'b', type: 'STRING' },
      ],
    },
    { f: [{ v: '1' }, { v: 'x' }] },
    'json',
    '{"a":1,"b":"x"}',
  ],
  [{ type: 'STRING' }, null, 'string', null],
] as const)('%j', async ([field, value, type, cell]) => {
  pages = [resultOf([{ name: 'v', ...field }], [[value]])]
  const { columns, rows } = await runWhole(await open(), { sql: 'SELECT v' })
  expect([columns[0]?.type, rows]).toEqual([type, [[cell]]])
})

test('what does not select is refused before it runs', async () => {
  statementType = 'INSERT'
  await expect(runWhole(await open(), { sql: 'INSERT INTO t SELECT 1' })).rejects.toMatchObject({
    code: 'statement_refused',
  })
  expect(asked).toHaveLength(1)
})

test('errors of the statement and of the service are told apart', async () => {
  const opened = await open()
  failure = { code: 400, reason: 'invalidQuery', message: 'Unrecognized name: nope at [1:8]' }
  await expect(runWhole(opened, { sql: 'SELECT nope' })).rejects.toMatchObject({
    code: 'query_failed',
    message: expect.stringContaining('Unrecognized name: nope at [1:8]'),
  })
  failure = { code: 401, reason: 'authError', message: 'Invalid credentials' }
  await expect(opened.test(new AbortController().signal)).rejects.toMatchObject({ code: 'source_unavailable' })
})

test('an abort stops the job', async () => {
  pages = [{ jobComplete: false }]
  const controller = new AbortController()
  const running = runWhole(await open(), { sql: 'SELECT 1' }, controller.signal)
  setTimeout(() => controller.abort(new Error('nobody waits any more')), 200)
  await expect(running).rejects.toThrow('nobody waits any more')
  expect(asked.at(-1)?.path).toMatch(/\/jobs\/[\w-]+\/cancel$/)
})

test.for([
  [{ CUBEJS_DB_BQ_CREDENTIALS: '' }, 'CUBEJS_DB_BQ_CREDENTIALS'],
  [
    { CUBEJS_DB_BQ_CREDENTIALS: '{"type":"external_account","credential_source":{"file":"/etc/passwd"}}' },
    'CUBEJS_DB_BQ_CREDENTIALS',
  ],
  [{ CUBEJS_DB_BQ_KEY_FILE: '/etc/passwd' }, 'CUBEJS_DB_BQ_KEY_FILE'],
  [{ CUBEJS_DB_BQ_PROJECT_ID: '' }, 'CUBEJS_DB_BQ_PROJECT_ID'],
] as const)('%j is refused, naming the variable', ([changes, variable]) => {
  expect(() => sourceOf(changes)).toThrow(`${variable} cannot be used`)
})
