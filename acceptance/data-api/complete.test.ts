import { beforeAll, describe, expect, test } from 'vitest'
import { sharedApi } from '../support/api.ts'
import { createDataClient, type DataClient } from './data-client.ts'
import { createProject } from './project.ts'
import { shop } from './shop.ts'

const api = sharedApi()
let data: DataClient
beforeAll(async () => {
  data = await createDataClient(api, await createProject(api, shop))
})

/** Six rows, one for each order. */
const six = { dimensions: ['orders.id'], order: [['orders.id', 'asc']] }
const count = { measures: ['orders.count'] }

/** How many rows an answer shows, in whichever format. */
function shown(data: unknown): number {
  if (Array.isArray(data)) return data.length
  const { dataset, columns } = Object(data)
  return Array.isArray(dataset) ? dataset.length : Object(columns)[0].length
}

describe('every answer says whether it holds all rows', () => {
  test.for(['default', 'compact', 'columnar'])('in the format %s', async responseFormat => {
    for (const [page, rows, complete, nextOffset] of [
      [{}, 6, true, undefined],
      [{ limit: 7 }, 6, true, undefined],
      [{ limit: 6 }, 6, true, undefined],
      [{ limit: 5 }, 5, false, 5],
      [{ limit: 1 }, 1, false, 1],
      [{ limit: 0 }, 0, false, undefined],
      [{ limit: 2, offset: 3 }, 2, false, 5],
      [{ limit: 3, offset: 3 }, 3, true, undefined],
      [{ limit: 2, offset: 6 }, 0, true, undefined],
      [{ offset: 5 }, 1, true, undefined],
    ] as const) {
      const { status, body } = await data.load({ ...six, ...page, responseFormat })
      expect([page, status, shown(body.data), body.complete, body.nextOffset]).toEqual([
        page,
        200,
        rows,
        complete,
        nextOffset,
      ])
    }
  })

  test('from the cache as from the source, by GET as by POST', async () => {
    const query = { ...six, limit: 4 }
    for (const cache of ['no-cache', 'must-revalidate', 'stale-if-slow', 'stale-if-slow']) {
      const { body } = await data.load(query, { cache })
      expect([shown(body.data), body.complete, body.nextOffset]).toEqual([4, false, 4])
    }
    const { body } = await data.get('load', { query: JSON.stringify(query) })
    expect([shown(body.data), body.complete, body.nextOffset]).toEqual([4, false, 4])
  })

  test('beside a total that counts them all', async () => {
    const part = (await data.load({ ...six, limit: 2, total: true })).body
    expect([part.total, part.complete, part.nextOffset]).toEqual([6, false, 2])
    const whole = (await data.load({ ...six, limit: 6, total: true })).body
    expect([whole.total, whole.complete]).toEqual([6, true])
  })

  test('with ungrouped rows, and with a filter on a measure', async () => {
    const ungrouped = (await data.load({ dimensions: ['orders.id'], ungrouped: true, limit: 5 })).body
    expect([shown(ungrouped.data), ungrouped.complete]).toEqual([5, false])
    const filters = [{ member: 'orders.count', operator: 'gte', values: ['2'] }]
    const filtered = { ...count, dimensions: ['orders.status'], filters }
    expect((await data.load({ ...filtered, limit: 2 })).body.complete).toBe(true)
    expect((await data.load({ ...filtered, limit: 1 })).body.complete).toBe(false)
  })

  test('each of several, and all of them together', async () => {
    const compared = {
      ...count,
      dimensions: ['orders.id'],
      timeDimensions: [
        {
          dimension: 'orders.created_at',
          compareDateRange: [
            ['2024-01-01', '2024-01-31'],
            ['2024-02-01', '2024-02-29'],
          ],
        },
      ],
    }
    const { body } = await data.load({ ...compared, limit: 2 }, { queryType: 'multi' })
    expect([body.complete, Object(body.results).map((result: { complete: unknown }) => result.complete)]).toEqual([
      false,
      [false, true],
    ])
    const whole = await data.load({ ...compared, limit: 3 }, { queryType: 'multi' })
    expect(whole.body.complete).toBe(true)

    const day = (dimension: string) => [{ dimension, granularity: 'day' }]
    const blended = [
      { ...count, timeDimensions: day('orders.created_at'), limit: 4 },
      { measures: ['visits.count'], timeDimensions: day('visits.visited_at'), limit: 2 },
    ]
    const both = (await data.load(blended, { queryType: 'multi' })).body
    expect([both.complete, Object(both.results).map((result: { complete: unknown }) => result.complete)]).toEqual([
      false,
      [false, true],
    ])
  })

  test('and following nextOffset gives every row once', async () => {
    const seen: unknown[] = []
    let offset: unknown = 0
    while (offset !== undefined) {
      const { body } = await data.load({ ...six, limit: 4, offset })
      seen.push(...Object(body.data).map((row: Record<string, unknown>) => row['orders.id']))
      offset = body.nextOffset
    }
    expect(seen).toEqual(['1', '2', '3', '4', '5', '6'])
  })

  test('while the SQL that is shown keeps the limit that was asked for', async () => {
    const { body } = await data.post('sql', { query: { ...six, limit: 4 } })
    const [text, parameters] = Object(body.sql).sql
    expect(`${text} ${JSON.stringify(parameters)}`).toMatch(/LIMIT (\$1 \[4\]|4)/)
  })
})
