import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createDataClient, type DataClient, rowsOf } from '../data-api/data-client.ts'
import { openSocket, socketUrl } from '../data-api/socket-client.ts'
import { askSql } from '../data-api/sql-client.ts'
import { type SqlPlatform, startSqlPlatform } from '../sql-protocol/sql-platform.ts'
import { createContent } from '../support/content-facts.ts'
import { exchange, generateSession, openSession } from '../support/embedding.ts'

const files = {
  'model/orders.yml': `cubes:
  - name: orders
    sql: SELECT i AS id, CASE WHEN i < 3 THEN 'red' ELSE 'blue' END AS customer, i AS amount FROM range(10) AS t(i)
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true }
      - { name: customer, sql: customer, type: string }
    measures:
      - { name: count, type: count }
      - { name: total, sql: amount, type: sum }
    access_policy:
      - group: readers
        member_level: { includes: [count, customer] }
        row_level:
          filters: [{ member: customer, operator: equals, values: ["{ userAttributes.customer }"] }]
`,
}

let platform: SqlPlatform
let data: DataClient
/** Data tokens of a user of each customer. */
const tokens: Record<string, string> = {}
const counts = { red: '3', blue: '7' }
beforeAll(async () => {
  platform = await startSqlPlatform(files, {})
  const { api, deploymentId } = platform
  data = await createDataClient(api, deploymentId)
  await api.post('/api/v1/user-groups', { name: 'readers' })
  await api.post('/api/v1/user-attributes', { name: 'customer', type: 'string' })
  for (const customer of Object.keys(counts)) {
    const session = await openSession(api, {
      deploymentId,
      externalId: `of-${customer}`,
      groups: ['readers'],
      userAttributes: [{ name: 'customer', value: customer }],
    })
    const { body } = await session.post(`/api/v1/deployments/${deploymentId}/token`)
    tokens[customer] = String(body.cubeApiToken)
  }
})
afterAll(() => platform?.platform.dispose())

/** How many orders there are of each customer that somebody sees, asked in one way. */
type Ask = (token: string) => Promise<unknown>
const query = { measures: ['orders.count'], dimensions: ['orders.customer'] }
const statement = 'SELECT customer, MEASURE(count) AS count FROM orders GROUP BY 1'
const post = async (path: string, token: string, body: object) => {
  const response = await fetch(`${data.url().replace(/\/v1$/, '')}/${path}`, {
    method: 'POST',
    headers: { authorization: token, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return JSON.parse(await response.text())
}
const ways: Readonly<Record<string, Ask>> = {
  'the data API': async authorization =>
    rowsOf((await data.load(query, {}, { authorization })).body).map(row => [
      row['orders.customer'],
      row['orders.count'],
    ]),
  GraphQL: async token => {
    const { data: answer } = await post('graphql', token, { query: '{ cube { orders { customer count } } }' })
    return answer.cube.map(({ orders }: { orders: { customer: string; count: unknown } }) => [
      orders.customer,
      String(orders.count),
    ])
  },
  'a web socket': async token => {
    const client = await openSocket(socketUrl(platform.api.baseUrl, platform.deploymentId), token)
    try {
      const { message } = await client.ask({ messageId: 1, method: 'load', params: { query } })
      const [result] = Object(message).results ?? [Object(message)]
      return rowsOf(result).map(row => [row['orders.customer'], row['orders.count']])
    } finally {
      client.socket.terminate()
    }
  },
  'SQL over HTTP': async token => (await askSql(data, statement, {}, token)).rows,
  "PostgreSQL's protocol": async token => {
    const client = await platform.connect({ user: 'embed', password: token })
    try {
      return (await client.query({ text: statement, rowMode: 'array' })).rows
    } finally {
      await client.end()
    }
  },
}

describe("an embed session's rights (SPEC, Generate embed session) hold in every way to ask", () => {
  test.each(Object.entries(ways))('%s shows the rows of the own customer alone', async (_, ask) => {
    for (const [customer, count] of Object.entries(counts)) {
      expect(await ask(tokens[customer] ?? '')).toEqual([[customer, count]])
    }
  })

  test('a measure that his groups do not get is asked in none', async () => {
    const token = tokens.red ?? ''
    const { status } = await data.load({ measures: ['orders.total'] }, {}, { authorization: token })
    expect(status).not.toBe(200)
    expect((await askSql(data, 'SELECT MEASURE(total) FROM orders', {}, token)).error).not.toBeNull()
    const graphql = await post('graphql', token, { query: '{ cube { orders { total } } }' })
    expect(graphql.errors).toHaveLength(1)
    const client = await platform.connect({ user: 'embed', password: token })
    try {
      await expect(client.query('SELECT MEASURE(total) FROM orders')).rejects.toThrow()
    } finally {
      await client.end()
    }
  })
})

describe('the commands of docs/embedding.md', () => {
  const root = join(dirname(fileURLToPath(import.meta.url)), '../..')
  const page = readFileSync(join(root, 'docs/embedding.md'), 'utf8')
  const codeOf = (heading: string) => {
    const [, section = ''] = new RegExp(`^## ${heading}\\n(.*?)(?=^## |$(?![^]))`, 'ms').exec(page) ?? []
    const [, code = ''] = /^```sh\n(.*?)^```$/ms.exec(section) ?? []
    expect(code).not.toBe('')
    return code
  }
  const run = async (code: string, environment: Readonly<Record<string, string>>) => {
    const env = { PATH: process.env.PATH ?? '', ...environment }
    const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', code], { env, timeout: 60_000 })
    return stdout.split(/(?<=[}\]])(?=\{)/).map(text => JSON.parse(text))
  }

  test('go from a session to data', async () => {
    const answers = await run(codeOf('From a session to data'), {
      HEDRON_API_URL: platform.api.baseUrl,
      HEDRON_API_KEY: platform.platform.apiKey,
      DEPLOYMENT: String(platform.deploymentId),
    })
    expect(answers).toMatchObject([{ externalId: 'ann@customer.example' }, { cubes: [] }])
  })

  test('write, answer, resolve and list comments', async () => {
    const { api, deploymentId } = platform
    await api.put('/api/v1/tenant/settings', { embedding: { enableDashboardComments: true } })
    const { workbookId, publicId } = await createContent(api, deploymentId)
    await api.put(`/api/v1/deployments/${deploymentId}/workbooks/${workbookId}/embed-access`, {
      allEmbedUsers: true,
      action: 'read',
      allowEmbed: true,
    })
    const sessionId = await generateSession(api, {
      deploymentId,
      externalId: 'of-the-docs',
      embedTenantName: 'of-the-docs',
    })
    const { body } = await exchange(api, sessionId)
    const answers = await run(codeOf('Comments on embedded dashboards'), {
      HEDRON_API_URL: api.baseUrl,
      PUBLIC_ID: publicId,
      EMBED_TOKEN: String(body.token),
    })
    expect(answers).toMatchObject([
      { body: 'Why did May fall?', isOwn: true },
      { body: 'Two shops closed.' },
      {},
      { items: [{ root: { body: 'Why did May fall?' }, replies: [{ body: 'Two shops closed.' }] }] },
    ])
  })
})
