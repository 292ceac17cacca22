import { beforeAll, describe, expect, test } from 'vitest'
import { type Json, sharedApi } from '../support/api.ts'
import { createDataClient, type DataClient } from './data-client.ts'
import { createProject } from './project.ts'
import { shop } from './shop.ts'

let data: DataClient
beforeAll(async () => {
  const api = sharedApi()
  data = await createDataClient(api, await createProject(api, shop))
})

const explanationsOf = (body: Json) => JSON.parse(JSON.stringify(body.explanations))

describe('explain', () => {
  test('says in words and as data how a query is answered, without asking the database', async () => {
    const query = {
      measures: ['orders.total', 'customers.count'],
      dimensions: ['customers.city'],
      filters: [{ member: 'orders.total', operator: 'gt', values: ['1'] }],
    }
    const { status, body } = await data.post('explain', { query })
    expect([status, body.queryType]).toEqual([200, 'regularQuery'])
    const [explanation] = explanationsOf(body)
    expect(explanation).toMatchObject({ grain: ['customers.city'], parts: [{ root: 'orders' }], restricted: [] })
    expect(explanation.text.join(' ')).toMatch(/orders.*customers/)
    expect(await data.get('explain', { query: JSON.stringify(query) })).toMatchObject({ status: 200, body })
  })

  test('explains each query of a request, and refuses what load refuses', async () => {
    const time = { dimension: 'orders.created_at', granularity: 'month' }
    const ranges = [
      ['2024-01-01', '2024-01-31'],
      ['2024-02-01', '2024-02-29'],
    ]
    const query = { measures: ['orders.count'], timeDimensions: [{ ...time, compareDateRange: ranges }] }
    expect(explanationsOf((await data.post('explain', { query, queryType: 'multi' })).body)).toHaveLength(2)
    const refused = await data.post('explain', { query: { measures: ['orders.nope'] } })
    expect([refused.status, String(refused.body.error)]).toEqual([400, expect.stringMatching(/^'nope' not found/)])
    expect((await data.post('explain', { query }, { authorization: 'nonsense' })).status).toBe(403)
  })
})
