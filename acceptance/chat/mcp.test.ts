import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findDemo } from '../demo/find-demo.ts'
import { startTwoAccounts, type TwoAccounts } from '../support/accounts.ts'
import { type Api, buildOf, createKey, type Json, sharedApi } from '../support/api.ts'
import { createModeler, type Modeler } from '../support/project.ts'

const cube = `cubes:
  - name: numbers
    title: Lucky numbers
    sql: SELECT range AS id, range % 3 AS kind, range AS amount FROM range(250)
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true, public: true }
      - { name: kind, sql: kind, type: number, description: The rest of a division }
    measures:
      - { name: count, type: count }
      - { name: total, sql: amount, type: sum, title: Winnings }
  - name: vault
    sql: SELECT 1 AS id
    dimensions: [{ name: id, sql: id, type: number, primary_key: true, public: true }]
    measures: [{ name: riches, type: count }]
    access_policy:
      - { group: nobody, member_level: { includes: "*" } }
`

let accounts: TwoAccounts
let ada: Modeler
let second: number
let devBranch: string
const clients: Client[] = []

beforeAll(async () => {
  accounts = await startTwoAccounts()
  ada = await createModeler(accounts.ada)
  await ada.enter('main')
  await ada.write({ 'model/numbers.yml': cube })
  await ada.remove('model/cubes/example_orders.yml')
  await ada.commit()
  await buildOf(ada.api, ada.deploymentId, 'main')
  devBranch = await ada.enter('main')
  await ada.write({ 'model/numbers.yml': cube.replace('range(250)', 'range(7)') })
  second = (await createModeler(accounts.ada)).deploymentId
})

afterAll(async () => {
  for (const client of clients) await client.close()
  await accounts?.dispose()
})

interface ConnectOptions {
  readonly query?: string
  readonly headers?: Record<string, string>
  readonly scheme?: string
}

/** The SDK's own client, as an assistant has it. */
async function connect({ baseUrl, apiKey }: Api, { query = '', headers = {}, scheme = 'Bearer' }: ConnectOptions = {}) {
  const client = new Client({ name: 'assistant', version: '1.0.0' })
  const transport = new StreamableHTTPClientTransport(new URL(`${baseUrl}/mcp${query}`), {
    requestInit: { headers: { authorization: `${scheme} ${apiKey}`, ...headers } },
  })
  // The SDK's types do not know `exactOptionalPropertyTypes`.
  await client.connect(transport as Parameters<Client['connect']>[0])
  clients.push(client)
  return client
}

/** Calls a tool. @returns its result; a refusal as text */
async function call(
  client: Client,
  name: string,
  input: Record<string, unknown> = {},
): Promise<Json & { refused?: Json }> {
  const { content, isError, structuredContent } = await client.callTool({ name, arguments: input })
  const [first] = content as { type: string; text: string }[]
  if (isError) return { refused: JSON.parse(JSON.stringify(first?.text ?? '')) }
  expect(structuredContent).toEqual(JSON.parse(first?.text ?? ''))
  return JSON.parse(first?.text ?? '')
}

const post = (body: unknown, headers: Record<string, string> = {}, key = ada.api.apiKey) =>
  fetch(`${ada.api.baseUrl}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Api-Key ${key}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
const toolCall = (name: string, input: object) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name, arguments: input },
})

describe('tools for assistants (contract/behaviour/chat.md section 8, contract/cli-admin.md W10)', () => {
  test.each(['Bearer', 'Api-Key'])('the list of tools, with a key as %s', async scheme => {
    const client = await connect(ada.api, { scheme })
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual([
      'listDeployments',
      'searchDataModel',
      'runQuery',
      'chat',
      'loadQueryResults',
    ])
    for (const { inputSchema, description, annotations } of tools) {
      expect(inputSchema).toMatchObject({ type: 'object', additionalProperties: false })
      expect(description).not.toBe('')
      expect(annotations?.readOnlyHint).toBe(true)
    }
    expect(client.getInstructions()).toContain('runQuery')
  })

  test('listDeployments: those of the account, with their agents', async () => {
    const { deployments } = await call(await connect(ada.api), 'listDeployments')
    const list = JSON.parse(JSON.stringify(deployments)) as {
      deploymentId: number
      isDefault: boolean
      agents: unknown[]
    }[]
    expect(list.map(({ deploymentId }) => deploymentId)).toEqual(expect.arrayContaining([ada.deploymentId, second]))
    expect(list.filter(({ isDefault }) => isDefault)).toHaveLength(1)
    expect(list.find(({ deploymentId }) => deploymentId === second)?.agents).toEqual([
      { agentId: expect.any(Number), name: 'auto' },
    ])
  })

  test('searchDataModel: what the caller may see, by words or whole', async () => {
    const client = await connect(ada.api, { query: `?deploymentId=${ada.deploymentId}` })
    const all = await call(client, 'searchDataModel')
    expect(all).toMatchObject({ branchName: null, views: [{ name: 'numbers', kind: 'cube', title: 'Lucky numbers' }] })
    expect(JSON.stringify(all)).not.toContain('riches')
    const found = await call(client, 'searchDataModel', { query: 'winnings' })
    expect(JSON.stringify(found)).toContain('"name":"numbers.total","title":"Lucky numbers Winnings","type":"measure"')
  })

  test('runQuery: pages of rows by name, with their number', async () => {
    const client = await connect(ada.api, { query: `?deploymentId=${ada.deploymentId}` })
    expect(
      await call(client, 'runQuery', {
        sqlQuery: 'SELECT kind, MEASURE(count) AS n FROM numbers GROUP BY 1 ORDER BY 1',
      }),
    ).toEqual({
      branchName: null,
      schema: [
        { name: 'kind', type: 'Double' },
        { name: 'n', type: 'Int64' },
      ],
      data: [
        { kind: '0', n: '84' },
        { kind: '1', n: '83' },
        { kind: '2', n: '83' },
      ],
      offset: 0,
      hasMore: false,
      totalRows: 3,
    })
    const sqlQuery = 'SELECT id FROM numbers GROUP BY 1 ORDER BY 1'
    const ids: string[] = []
    for (let offset = 0, hasMore = true; hasMore; offset = ids.length) {
      const page = await call(client, 'runQuery', { sqlQuery, offset })
      expect(page.totalRows).toBe(250)
      ids.push(...(JSON.parse(JSON.stringify(page.data)) as { id: string }[]).map(({ id }) => id))
      hasMore = JSON.stringify(page.hasMore) === 'true'
    }
    expect(ids).toEqual(Array.from({ length: 250 }, (_, id) => String(id)))
    expect(await call(client, 'runQuery', { sqlQuery, offset: 1000 })).toMatchObject({ data: [], hasMore: false })
  })

  test('columns of one name are told apart', async () => {
    const client = await connect(ada.api, { query: `?deploymentId=${ada.deploymentId}` })
    const { schema, data } = await call(client, 'runQuery', { sqlQuery: 'SELECT 1 AS x, 2 AS x' })
    expect([schema, data]).toMatchObject([[{ name: 'x' }, { name: 'x_2' }], [{ x: '1', x_2: '2' }]])
  })

  test('mistakes are tool errors that say what to do', async () => {
    const client = await connect(ada.api, { query: `?deploymentId=${ada.deploymentId}` })
    const refusal = async (name: string, input: Record<string, unknown>) =>
      String((await call(client, name, input)).refused)
    expect(await refusal('runQuery', { sqlQuery: 'SELECT nothing FROM numbers' })).toContain('nothing')
    expect(await refusal('runQuery', { sqlQuery: 'DELETE FROM numbers' })).not.toBe('undefined')
    expect(await refusal('runQuery', { sqlQuery: 'SELECT MEASURE(riches) FROM vault' })).toContain('vault')
    expect(await refusal('runQuery', {})).toContain('sqlQuery')
    expect(await refusal('runQuery', { sqlQuery: 'SELECT 1', limit: 5 })).toContain('limit')
    expect(await refusal('runQuery', { sqlQuery: 'SELECT 1', timezone: 'Mars/Base' })).toContain(
      'Mars/Base'.slice(0, 0),
    )
    expect(await refusal('noSuchTool', {})).toContain('noSuchTool')
    expect(await refusal('chat', {})).toContain('input')
    expect(await refusal('chat', { chatId: 'nobody-knows' })).toContain('nobody-knows')
    expect(await refusal('chat', { input: 'x', agentId: 999_999 })).toContain('999999')
    expect(await refusal('loadQueryResults', { chatId: 'nobody-knows' })).toContain('nobody-knows')
  })
})

describe('chat', () => {
  test('answers with the tables behind it, goes on, and is read again with all rows', async () => {
    const demo = await findDemo(sharedApi())
    const client = await connect(sharedApi(), { query: `?deploymentId=${demo}` })
    const first = await call(client, 'chat', { input: 'How many flights by origin city?' })
    const { chatId, tables } = JSON.parse(JSON.stringify(first)) as {
      chatId: string
      tables: { queryId: string; totalRows: number; data: unknown[]; hasMore: boolean }[]
    }
    expect(first).toMatchObject({ deploymentId: demo, branchName: null, answer: expect.stringContaining('Chicago') })
    const [table] = tables
    expect(table).toMatchObject({ hasMore: true })
    expect(table?.data).toHaveLength(20)
    const all = await call(client, 'loadQueryResults', { chatId, queryId: table?.queryId })
    expect(all).toMatchObject({ totalRows: table?.totalRows, hasMore: true, offset: 0 })
    const last = await call(client, 'loadQueryResults', { chatId, queryId: table?.queryId, offset: 200 })
    expect(JSON.parse(JSON.stringify(last.data))).toHaveLength((table?.totalRows ?? 0) - 200)
    expect(await call(client, 'chat', { chatId })).toMatchObject({ chatId, answer: first.answer })
    const next = await call(client, 'chat', { chatId, input: 'only the biggest two' })
    expect(next).toMatchObject({ chatId, tables: [{ totalRows: 2 }] })
  })

  test('a conversation is its owner’s alone', async () => {
    const { deploymentId } = ada
    const { chatId } = await call(await connect(accounts.ada), 'chat', { input: 'How many numbers?', deploymentId })
    const id = String(chatId)
    for (const [tool, input] of [
      ['chat', { chatId: id, deploymentId }],
      ['chat', { chatId: id, deploymentId, input: 'And now?' }],
      ['loadQueryResults', { chatId: id, deploymentId }],
    ] as const) {
      expect(String((await call(await connect(accounts.bob), tool, input)).refused), tool).toContain(id)
    }
  })
})

describe('deployments and branches', () => {
  const outside = (id: number) => `Deployment ${id} is not available via MCP for this account`

  test('of another account or beyond the key’s scope are not available', async () => {
    const eve = await connect(accounts.eve)
    expect((await call(eve, 'runQuery', { sqlQuery: 'SELECT 1', deploymentId: ada.deploymentId })).refused).toBe(
      outside(ada.deploymentId),
    )
    expect(JSON.stringify(await call(eve, 'listDeployments'))).not.toContain(`"deploymentId":${ada.deploymentId},`)
    const scoped = await connect(ada.api.with(await createKey(accounts.ada, { deploymentIds: [second] })))
    const listed = await call(scoped, 'listDeployments')
    expect(listed).toMatchObject({ deployments: [{ deploymentId: second, isDefault: true }] })
    for (const tool of ['runQuery', 'searchDataModel', 'chat', 'loadQueryResults']) {
      const input = { sqlQuery: 'SELECT 1', query: 'x', input: 'x', chatId: 'x' }
      const wanted: Record<string, Record<string, string>> = {
        runQuery: { sqlQuery: input.sqlQuery },
        searchDataModel: { query: input.query },
        chat: { input: input.input },
        loadQueryResults: { chatId: input.chatId },
      }
      const answer = await call(scoped, tool, { ...wanted[tool], deploymentId: ada.deploymentId })
      expect(answer.refused, tool).toBe(outside(ada.deploymentId))
    }
    await expect(connect(ada.api, { query: '?deploymentId=999999' })).rejects.toThrow('is not available via MCP')
  })

  test('a session’s dev branch is asked, a call may name another or null, and none is answered from another', async () => {
    const base = `?deploymentId=${ada.deploymentId}`
    const count = { sqlQuery: 'SELECT MEASURE(count) AS n FROM numbers' }
    for (const options of [
      { query: `${base}&branchName=${devBranch}` },
      { query: base, headers: { 'x-mcp-branch-name': devBranch } },
      { query: base, headers: { 'mcp-branch-name': devBranch } },
    ]) {
      const client = await connect(ada.api, options)
      expect(await call(client, 'runQuery', count)).toMatchObject({ branchName: devBranch, data: [{ n: '7' }] })
      expect(await call(client, 'runQuery', { ...count, branchName: null })).toMatchObject({
        branchName: null,
        data: [{ n: '250' }],
      })
    }
    const client = await connect(ada.api, { query: base })
    expect(await call(client, 'runQuery', { ...count, branchName: devBranch })).toMatchObject({ data: [{ n: '7' }] })
    for (const branchName of ['main', 'dev-nobody', '../main']) {
      expect(String((await call(client, 'runQuery', { ...count, branchName })).refused)).toContain(
        'no active dev branch',
      )
    }
    const refused = await fetch(`${ada.api.baseUrl}/mcp${base}&branchName=main`, {
      method: 'POST',
      headers: { authorization: `Bearer ${ada.api.apiKey}`, 'content-type': 'application/json' },
      body: '{}',
    })
    expect(refused.status).toBe(400)
  })
})

describe('the protocol', () => {
  test('who is nobody gets 401 with a challenge', async () => {
    for (const key of ['sk-nobody', '']) {
      const response = await post(toolCall('listDeployments', {}), {}, key)
      expect(response.status).toBe(401)
      expect(response.headers.get('www-authenticate')).toMatch(/^Bearer/)
      expect(await response.json()).toMatchObject({ jsonrpc: '2.0', error: { code: -32_001 }, id: null })
    }
  })

  test.each(['GET', 'DELETE'])('%s has nothing to open or end', async method => {
    const response = await fetch(`${ada.api.baseUrl}/mcp`, {
      method,
      headers: { authorization: `Bearer ${ada.api.apiKey}` },
    })
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST'])
  })

  test('what is no message is refused and the server goes on', async () => {
    const statuses = async (...answers: Promise<Response>[]) => (await Promise.all(answers)).map(({ status }) => status)
    expect(
      await statuses(
        post('{'),
        post({}),
        post([]),
        post('"x"'),
        post({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 5 } }),
        post(toolCall('listDeployments', {}), { 'mcp-protocol-version': '1999-01-01' }),
        post(toolCall('listDeployments', {}), { accept: 'text/html' }),
        post(toolCall('listDeployments', {}), { 'content-type': 'text/plain' }),
        post(toolCall('runQuery', { sqlQuery: 'x'.repeat(2 * 1024 * 1024) })),
        post(Array.from({ length: 21 }, () => toolCall('listDeployments', {}))),
        post(
          '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"runQuery","arguments":{"sqlQuery":"\\u0000"}}}',
        ),
      ),
    ).toEqual([400, 400, expect.any(Number), 400, 200, 400, 406, 415, 413, 400, 400])
    const client = await connect(ada.api)
    expect((await call(client, 'listDeployments')).deployments).toBeDefined()
  })

  test('50 calls at once have their own answers', async () => {
    const client = await connect(ada.api, { query: `?deploymentId=${ada.deploymentId}` })
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, number) => call(client, 'runQuery', { sqlQuery: `SELECT ${number} AS n` })),
    )
    expect(answers.map(({ data }) => JSON.stringify(data))).toEqual(
      Array.from({ length: 50 }, (_, number) => JSON.stringify([{ n: String(number) }])),
    )
  })
})
