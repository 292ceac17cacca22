import { expect, onTestFinished, test } from 'vitest'
import { createQueryService } from '../../../src/query-service.ts'
import { streamMillion } from '../../support/large-stream.ts'
import { requestOf } from '../../support/service.ts'
import { startTrino } from '../../support/trino.ts'

/** On a server that speaks Trino's documented protocol and has no engine: see docs/data-sources.md. */
const columns = [{ name: 'n', type: 'bigint' }]

test('a statement runs in a transaction that cannot write, in UTC, in its catalog, and ends it', async () => {
  const trino = await startTrino(() => ({ columns, pages: ['[[1]]', '[[2],[3]]'] }))
  const { query } = await trino.open()
  const table = await query('SELECT n FROM t', { comment: 'request-1' })
  expect(table).toEqual({
    columns: [{ name: 'n', type: 'integer', databaseType: 'bigint' }],
    rows: [['1'], ['2'], ['3']],
  })
  expect(trino.asked.map(({ sql, headers }) => [sql, headers['x-trino-transaction-id']])).toEqual([
    ['START TRANSACTION READ ONLY', 'NONE'],
    ['SELECT n FROM t\n/* request-1 */', 'tq1'],
    ['ROLLBACK', 'tq1'],
  ])
  expect(trino.asked[1]?.headers).toMatchObject({
    'x-trino-user': 'reader',
    'x-trino-catalog': 'lake',
    'x-trino-schema': 'sales',
    'x-trino-time-zone': 'UTC',
    'x-trino-client-capabilities': 'PARAMETRIC_DATETIME',
  })
})

test('parameters are literals of a prepared statement, in which only a quote means something', async () => {
  const trino = await startTrino(() => ({ columns, pages: ['[[1]]'] }))
  const { query } = await trino.open()
  await query("SELECT 'a''b', ?, ?, ?, ?", { parameters: ["x' OR 1=1 --", '\\', null, true] })
  expect(trino.asked[1]?.sql).toBe(
    "EXECUTE IMMEDIATE 'SELECT ''a''''b'', ?, ?, ?, ?' USING 'x'' OR 1=1 --', '\\', NULL, TRUE",
  )
})

test.for([
  ['bigint', '9223372036854775807', 'integer', '9223372036854775807'],
  ['integer', '-1', 'integer', '-1'],
  ['decimal(38,10)', '"1234567890123456789012345678.1234567890"', 'decimal', '1234567890123456789012345678.1234567890'],
  ['double', '0.1', 'double', '0.1'],
  ['double', '1.2345678901234567E300', 'double', '1.2345678901234567e+300'],
  ['double', '"NaN"', 'double', null],
  ['double', '"-Infinity"', 'double', null],
  ['real', '0.1', 'double', '0.1'],
  ['boolean', 'true', 'boolean', true],
  ['varchar(10)', '"ä\\n"', 'string', 'ä\n'],
  ['date', '"2024-02-29"', 'date', '2024-02-29T00:00:00.000'],
  ['timestamp(6)', '"2024-02-29 10:00:00.123456"', 'timestamp', '2024-02-29T10:00:00.123'],
  ['timestamp(0)', '"2024-02-29 10:00:00"', 'timestamp', '2024-02-29T10:00:00.000'],
  ['timestamp(3) with time zone', '"2024-07-01 12:00:00.000 UTC"', 'timestamp', '2024-07-01T12:00:00.000'],
  ['timestamp(3) with time zone', '"2024-07-01 12:00:00.000 Europe/Berlin"', 'timestamp', '2024-07-01T10:00:00.000'],
  ['timestamp(3) with time zone', '"2024-01-01 00:30:00.5 Asia/Kathmandu"', 'timestamp', '2023-12-31T18:45:00.500'],
  ['timestamp(3) with time zone', '"2024-10-27 02:30:00.000 Europe/Berlin"', 'timestamp', '2024-10-27T00:30:00.000'],
  ['timestamp(3) with time zone', '"2024-07-01 12:00:00.000 -05:30"', 'timestamp', '2024-07-01T17:30:00.000'],
  ['array(bigint)', '[9223372036854775807,null]', 'json', '[9223372036854775807,null]'],
  ['map(varchar, bigint)', '{"a":1}', 'json', '{"a":1}'],
  ['row(a bigint, b varchar)', '[9007199254740993,"x"]', 'json', '[9007199254740993,"x"]'],
  ['uuid', '"12151fd2-7586-11e9-8f9e-2a86e4085a59"', 'string', '12151fd2-7586-11e9-8f9e-2a86e4085a59'],
  ['bigint', 'null', 'integer', null],
] as const)('%s %s', async ([databaseType, json, type, cell]) => {
  const trino = await startTrino(() => ({ columns: [{ name: 'v', type: databaseType }], pages: [`[[${json}]]`] }))
  const table = await (await trino.open()).query('SELECT v FROM t')
  expect(table).toEqual({ columns: [{ name: 'v', type, databaseType }], rows: [[cell]] })
})

test('columns are known without rows; what has none is refused', async () => {
  const trino = await startTrino(sql => (sql === 'SELECT' ? { columns } : { updateType: 'INSERT' }))
  const { query } = await trino.open()
  expect((await query('SELECT')).columns).toHaveLength(1)
  await expect(query('INSERT INTO t SELECT 1')).rejects.toMatchObject({ code: 'statement_refused' })
})

test('errors are told apart: writing, the statement, in the middle, the cluster', async () => {
  const failing = (errorName: string, errorType: string) => ({
    error: { message: `it says ${errorName}`, errorName, errorType },
  })
  const trino = await startTrino(sql => {
    if (sql === 'write') return failing('READ_ONLY_VIOLATION', 'USER_ERROR')
    if (sql === 'wrong') return failing('COLUMN_NOT_FOUND', 'USER_ERROR')
    if (sql === 'late') return { columns, pages: ['[[1]]'], ...failing('DIVISION_BY_ZERO', 'USER_ERROR') }
    return failing('SERVER_SHUTTING_DOWN', 'INSUFFICIENT_RESOURCES')
  })
  const { query } = await trino.open()
  await expect(query('write')).rejects.toMatchObject({ code: 'statement_refused' })
  await expect(query('wrong')).rejects.toMatchObject({ code: 'query_failed', message: 'it says COLUMN_NOT_FOUND' })
  await expect(query('late')).rejects.toMatchObject({ code: 'query_failed', message: 'it says DIVISION_BY_ZERO' })
  await expect(query('down')).rejects.toMatchObject({ code: 'source_unavailable' })
  expect(trino.asked.filter(({ sql }) => sql === 'ROLLBACK')).toHaveLength(4)
})

test('a coordinator that is busy is asked again', async () => {
  const trino = await startTrino(() => ({ columns, pages: ['[[1]]'] }))
  const { query } = await trino.open()
  trino.busy = 2
  expect((await query('SELECT 1')).rows).toEqual([['1']])
})

test('an abort stops the query in the cluster, and ends its transaction', async () => {
  const trino = await startTrino(() => ({ columns, pages: () => '[]' }))
  const { query } = await trino.open()
  const controller = new AbortController()
  const asked = query('SELECT', {}, controller.signal)
  setTimeout(() => controller.abort(new Error('nobody waits any more')), 100)
  await expect(asked).rejects.toThrow('nobody waits any more')
  expect(trino.stopped).toEqual(['q2'])
  expect(trino.asked.at(-1)?.sql).toBe('ROLLBACK')
})

test('no server, another server, and a password without encryption', async () => {
  const trino = await startTrino(() => ({ columns, pages: ['[[1]]'] }))
  const gone = await trino.open({ CUBEJS_DB_PORT: '1' })
  const failure = gone.test(new AbortController().signal)
  await expect(failure).rejects.toMatchObject({ code: 'source_unavailable' })
  await expect(failure).rejects.not.toThrow(/127\.0\.0\.1/)
  expect(() => trino.source({ CUBEJS_DB_PASS: 'secret' })).toThrow('CUBEJS_DB_SSL cannot be used')
  await (await trino.open()).test(new AbortController().signal)
})

test('a million rows are streamed in a memory that stays flat', async () => {
  const row = (n: number) => `[${n},"a text that is a little longer ${n}"]`
  const size = 10_000
  const page = (number: number) =>
    `[${Array.from({ length: size }, (_, index) => row(number * size + index + 1)).join(',')}]`
  const trino = await startTrino(() => ({
    columns: [...columns, { name: 'text', type: 'varchar' }],
    pages: number => (number < 100 ? page(number) : undefined),
  }))
  expect(await streamMillion(trino.source(), 'SELECT')).toBeLessThan(40 * 2 ** 20)
})

test('a reader who reads no further gives the place back', async () => {
  const trino = await startTrino(() => ({ columns, pages: () => '[[1]]' }))
  const service = createQueryService({ now: Date.now, limits: { stallMs: 100 } })
  onTestFinished(() => service.close())
  await service.stream(requestOf({ source: trino.source(), sql: 'SELECT' }))
  await expect.poll(() => service.statistics().running).toBe(0)
  expect(trino.stopped).toHaveLength(1)
})
