import { beforeAll, describe, expect, test } from 'vitest'
import { createDataClient, type DataClient, rowsOf } from '../data-api/data-client.ts'
import { createProject, type ProjectFiles } from '../data-api/project.ts'
import { sharedApi, unique } from '../support/api.ts'
import { openSession } from '../support/embedding.ts'

/** How many customers, and rows in all. */
const customers = 100
const rows = 20_000

const table = `SELECT i AS id, 'customer-' || (i % ${customers}) AS customer, (i * 7919) % 1000 AS amount FROM range(${rows}) AS t(i)`

const cube = (name: string, value: string) => `
  - name: ${name}
    sql: ${table}
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true }
      - { name: customer, sql: customer, type: string }
    measures:
      - { name: count, type: count }
      - { name: total, sql: amount, type: sum }
    access_policy:
      - group: "*"
        row_level:
          filters: [{ member: customer, operator: equals, values: ["{ ${value} }"] }]`

/** The same rows under a policy by the security context, and under one by an attribute. */
const files: ProjectFiles = {
  'model/orders.yml': `cubes:${cube('by_context', 'securityContext.customer')}${cube('by_attribute', 'userAttributes.customer')}
`,
}

const expected = Array.from({ length: customers }, (_, customer) => {
  const own = Array.from({ length: rows / customers }, (_, index) => index * customers + customer)
  return { count: own.length, total: own.reduce((sum, i) => sum + ((i * 7919) % 1000), 0) }
})

const api = sharedApi()
let deploymentId = 0
let data: DataClient
beforeAll(async () => {
  deploymentId = await createProject(api, files)
  data = await createDataClient(api, deploymentId)
})

/** A session of one customer: one half by security context, the other by an attribute of the customer's embed tenant. */
async function openCustomer(customer: number): Promise<{ cube: string; authorization: string }> {
  const name = `customer-${customer}`
  const externalId = unique('user')
  const byContext = customer % 2 === 0
  const session = await openSession(api, {
    deploymentId,
    externalId,
    ...(byContext
      ? { securityContext: { customer: name } }
      : {
          embedTenantName: unique('t'),
          creatorMode: true,
          userAttributeDefinitions: [{ name: 'customer', type: 'string' }],
          userAttributes: [{ name: 'customer', value: name }],
        }),
  })
  const { body } = await session.post(`/api/v1/deployments/${deploymentId}/token`)
  return { cube: byContext ? 'by_context' : 'by_attribute', authorization: String(body.cubeApiToken) }
}

describe('100 concurrent sessions of 100 customers', () => {
  test('each see their own rows alone, cold and from the cache, as the database holds them', async () => {
    const sessions = await Promise.all(Array.from({ length: customers }, (_, customer) => openCustomer(customer)))
    for (let round = 0; round < 2; round++) {
      const answers = await Promise.all(
        sessions.map(async ({ cube, authorization }) => {
          const measures = [`${cube}.count`, `${cube}.total`]
          const query = { measures, dimensions: [`${cube}.customer`] }
          const { status, body } = await data.load(query, {}, { authorization })
          return status === 200 ? rowsOf(body) : body
        }),
      )
      expect(answers).toEqual(
        sessions.map(({ cube }, customer) => [
          {
            [`${cube}.customer`]: `customer-${customer}`,
            [`${cube}.count`]: String(expected[customer]?.count),
            [`${cube}.total`]: String(expected[customer]?.total),
          },
        ]),
      )
    }
  })

  test('get nothing by a filter for another, by an or, or from the other cube', async () => {
    for (const customer of [2, 3]) {
      const { cube, authorization } = await openCustomer(customer)
      const [member, measures] = [`${cube}.customer`, [`${cube}.count`]]
      const own = { member, operator: 'equals', values: [`customer-${customer}`] }
      const others = { member, operator: 'equals', values: ['customer-50'] }
      const countOf = async (filters: object[]) =>
        rowsOf((await data.load({ measures, filters }, {}, { authorization })).body)[0]?.[`${cube}.count`]
      expect(await countOf([others])).toBe('0')
      expect(await countOf([{ or: [own, others] }])).toBe('200')
      expect(await countOf([{ member, operator: 'set' }])).toBe('200')
      const elsewhere = cube === 'by_context' ? 'by_attribute' : 'by_context'
      const { status, body } = await data.load({ measures: [`${elsewhere}.count`] }, {}, { authorization })
      const seen = status === 200 ? rowsOf(body)[0]?.[`${elsewhere}.count`] : '0'
      expect(seen).toBe('0')
    }
  })

  test('a changed attribute holds from the next data token on', async () => {
    const who = { externalId: unique('user'), embedTenantName: unique('t'), creatorMode: true }
    const set = (value: string | null) =>
      openSession(api, {
        deploymentId,
        ...who,
        userAttributeDefinitions: [{ name: 'customer', type: 'string' }],
        userAttributes: [{ name: 'customer', value }],
      })
    const session = await set('customer-1')
    const customersOf = async () => {
      const { body } = await session.post(`/api/v1/deployments/${deploymentId}/token`)
      const query = { dimensions: ['by_attribute.customer'] }
      const answer = await data.load(query, {}, { authorization: String(body.cubeApiToken) })
      return answer.status === 200 ? rowsOf(answer.body).map(row => row['by_attribute.customer']) : []
    }
    expect(await customersOf()).toEqual(['customer-1'])
    await set('customer-2')
    expect(await customersOf()).toEqual(['customer-2'])
    await set(null)
    expect(await customersOf()).toEqual([])
  })
})
