import { expect, test } from 'vitest'
import { AgentError } from '../../../src/chat/agent.ts'
import { createChatTools } from '../../../src/chat/tools/chat-tools.ts'
import { countRows, firstRows } from '../../../src/chat/tools/read-rows.ts'
import { DataError } from '../../../src/queries/data-error.ts'
import type { PreparedSql } from '../../../src/sql/sql-session.ts'

const context = { signal: new AbortController().signal, requestId: 'r', timeZone: null }
const user = {
  branchName: null as string | null,
  dataCaller: async () => ({
    accountId: 1,
    deploymentId: 1,
    branchName: null,
    securityContext: {},
    groups: [],
    userAttributes: {},
    scopes: new Set(['meta', 'data']),
  }),
}

async function* portions(sizes: readonly number[], width = 1) {
  let id = 0
  for (const size of sizes) yield Array.from({ length: size }, () => [String(++id).padEnd(width, 'x')])
}

function setUp(answer: PreparedSql['run'], timeoutMs = 1_000) {
  const reported: unknown[] = []
  const tools = createChatTools({
    data: {
      shownCubes: () => Promise.reject(new DataError(200, 'Continue wait')),
      statements: {
        prepare: async () => ({
          kind: 'regular',
          columns: [{ name: 'id', type: 'text' }],
          filtered: [],
          parameters: [],
          run: answer,
        }),
        planning: { read: () => Promise.reject(new Error('unused')), plan: () => Promise.reject(new Error('unused')) },
      },
    },
    effects: { now: () => new Date(0), randomBytes: count => Buffer.alloc(count, 0xff) },
    report: error => reported.push(error),
    timeoutMs,
  })
  const call = async (name: string, input: unknown, signal = context.signal) => {
    const { failed, result } = await tools.call(user, name, input, { ...context, signal })
    return { failed, ...JSON.parse(result) }
  }
  return { tools, call, reported }
}

const gives =
  (sizes: readonly number[], width?: number): PreparedSql['run'] =>
  async () => ({ rows: portions(sizes, width), lastRefreshTime: new Date(0) })
const question = {
  sqlQuery: 'SELECT id FROM orders',
  queryTitle: 'Ids',
  description: 'All of them',
  userRequest: 'ids?',
}

test('serviceSqlApi gives the shape of the SPEC: 100 rows and how many there are', async () => {
  const { call } = setUp(gives([60, 60, 30]))
  const { data, ...rest } = await call('serviceSqlApi', question)
  expect(rest).toEqual({
    failed: false,
    ...question,
    schema: [{ name: 'id', column_type: 'String' }],
    totalRows: 150,
    uuid: 'ffffffff-ffff-4fff-bfff-ffffffffffff',
  })
  expect(data).toHaveLength(100)
  expect(data[99]).toEqual(['100'])
})

test('the published names of the tools are taken too', async () => {
  const { call } = setUp(gives([1]))
  expect(await call('cubeSqlApi', question)).toMatchObject({ failed: false, totalRows: 1 })
  expect(await call('cubeMeta', { searchQuery: 'x' })).toMatchObject({
    error: expect.stringContaining('still being built'),
  })
})

test.for<[what: string, name: string, input: unknown, error: RegExp]>([
  ['a tool that there is not', 'readFile', {}, /^Error: There is no tool "readFile". The tools are serviceMeta/],
  ['the name of a part of objects', 'constructor', {}, /^Error: There is no tool "constructor"/],
  ['no statement', 'serviceSqlApi', {}, /"sqlQuery"/],
  ['no object', 'serviceSqlApi', 'SELECT 1', /all of them text/],
  ['a bad chart', 'serviceSqlApi', { ...question, vegaSpec: '{"mark":"pie"}' }, /vegaSpec is not used/],
])('%s is a result with an error', async ([, name, input, error]) => {
  const { call } = setUp(gives([1]))
  expect(await call(name, input)).toEqual({ failed: true, error: expect.stringMatching(error) })
})

test('an error of the data API is told, one of ours is not', async () => {
  const refused = setUp(() => Promise.reject(new DataError(400, 'Unknown column')))
  expect(await refused.call('serviceSqlApi', question)).toEqual({ failed: true, error: 'Error: Unknown column' })
  const broken = setUp(() => Promise.reject(new Error('password=hunter2')))
  expect(JSON.stringify(await broken.call('serviceSqlApi', question))).not.toContain('hunter2')
  expect(broken.reported).toHaveLength(1)
})

test('a model that is not there yet is told to the asker', async () => {
  const { tools } = setUp(gives([1]))
  const refusal = tools.visibleModel(user, context.signal)
  await expect(refusal).rejects.toBeInstanceOf(AgentError)
  await expect(refusal).rejects.toThrow(/still being built/)
})

test('a branch that there is not has the published text', async () => {
  const { tools } = setUp(() => Promise.reject(new DataError(404, 'There is no branch "dev-x"')))
  const { result } = await tools.call({ ...user, branchName: 'dev-x' }, 'serviceSqlApi', question, context)
  expect(JSON.parse(result)).toEqual({ error: 'Error: BadRequestError: Bad branch' })
})

test('a call that takes too long ends, and so does its statement', async () => {
  let stopped: unknown
  const { call } = setUp((_, { signal }) => {
    const { promise, reject } = Promise.withResolvers<never>()
    signal.addEventListener('abort', () => {
      stopped = signal.reason
      reject(signal.reason)
    })
    return promise
  }, 20)
  expect(await call('serviceSqlApi', question)).toEqual({
    failed: true,
    error: expect.stringContaining('was stopped after'),
  })
  expect(stopped).toBeInstanceOf(DataError)
})

test('an abort ends the call with its reason', async () => {
  const controller = new AbortController()
  const { call } = setUp((_, { signal }) => {
    const { promise, reject } = Promise.withResolvers<never>()
    signal.addEventListener('abort', () => reject(signal.reason))
    controller.abort(new Error('left'))
    return promise
  })
  await expect(call('serviceSqlApi', question, controller.signal)).rejects.toThrow('left')
  await expect(call('serviceMeta', {}, controller.signal)).rejects.toThrow('left')
})

test('rows beyond a bound are refused rather than counted wrong', async () => {
  const bounds = { rows: 2, characters: 1_000, counted: 10 }
  expect(await countRows(portions([5, 5]), bounds)).toMatchObject({ total: 10 })
  expect(await countRows(portions([5, 6]), bounds)).toMatchObject({ total: null })
})

test('long rows leave fewer of them, never a cut one', async () => {
  const { rows, total } = await countRows(portions([5], 100), { rows: 100, characters: 250, counted: 10 })
  expect([rows.length, total]).toEqual([2, 5])
  const { call } = setUp(gives([3], 500_000))
  expect(await call('serviceSqlApi', question)).toMatchObject({
    error: expect.stringContaining('Select fewer columns'),
  })
})

test('looking up gives as many rows as were asked for and says whether there are more', async () => {
  expect(await firstRows(portions([3]), 3)).toMatchObject({ complete: true })
  const { tools } = setUp(gives([3, 3]))
  expect(await tools.lookUp(user, 'SELECT id FROM orders', 4, context)).toEqual({
    columns: ['id'],
    rows: [['1'], ['2'], ['3'], ['4']],
    complete: false,
  })
  await expect(tools.lookUp(user, 'SELECT id FROM orders', 0, context)).rejects.toThrow(/Between 1 and 10000/)
})
