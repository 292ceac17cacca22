import { beforeAll, describe, expect, test } from 'vitest'
import { sharedApi } from '../support/api.ts'
import { createDataClient, type DataClient, rowsOf } from './data-client.ts'
import { createProject } from './project.ts'
import { shop } from './shop.ts'

const api = sharedApi()
let data: DataClient
beforeAll(async () => {
  data = await createDataClient(api, await createProject(api, shop))
})

describe('several queries in one', () => {
  test('compared date ranges: a result for each, rows with their range', async () => {
    const query = {
      measures: ['orders.count'],
      dimensions: ['orders.status'],
      timeDimensions: [
        {
          dimension: 'orders.created_at',
          granularity: 'month',
          compareDateRange: [
            ['2024-01-01', '2024-01-31'],
            ['2024-03-01', '2024-03-31'],
          ],
        },
      ],
    }
    const { status, body } = await data.load(query, { queryType: 'multi' })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      queryType: 'compareDateRangeQuery',
      slowQuery: false,
      pivotQuery: { queryType: 'compareDateRangeQuery', dimensions: ['compareDateRange', 'orders.status'] },
    })
    const [january, march] = Object(body.results)
    expect(Object(body.results)).toHaveLength(2)
    expect(january.query).toMatchObject({
      timeDimensions: [{ dateRange: ['2024-01-01T00:00:00.000', '2024-01-31T23:59:59.999'] }],
    })
    expect(rowsOf(january).map(row => [row.compareDateRange, row['orders.status'], row['orders.count']])).toEqual([
      ['2024-01-01T00:00:00.000 - 2024-01-31T23:59:59.999', 'new', '1'],
      ['2024-01-01T00:00:00.000 - 2024-01-31T23:59:59.999', 'paid', '2'],
    ])
    expect(rowsOf(march).map(row => row.compareDateRange)).toEqual(
      Array(2).fill('2024-03-01T00:00:00.000 - 2024-03-31T23:59:59.999'),
    )
  })

  test('blended queries share the key time', async () => {
    const { status, body } = await data.load(
      [
        {
          measures: ['orders.count'],
          timeDimensions: [
            { dimension: 'orders.created_at', granularity: 'day', dateRange: ['2024-01-01', '2024-01-02'] },
          ],
        },
        {
          measures: ['visits.count'],
          timeDimensions: [
            { dimension: 'visits.visited_at', granularity: 'day', dateRange: ['2024-01-01', '2024-01-02'] },
          ],
        },
      ],
      { queryType: 'multi' },
    )
    expect(status).toBe(200)
    expect(body).toMatchObject({
      queryType: 'blendingQuery',
      pivotQuery: {
        queryType: 'blendingQuery',
        measures: ['orders.count', 'visits.count'],
        dimensions: [],
        timeDimensions: [{ dimension: 'time', granularity: 'day' }],
      },
    })
    const [orders, visits] = Object(body.results)
    expect(rowsOf(orders).map(row => [row['time.day'], row.time, row['orders.count']])).toEqual([
      ['2024-01-01T00:00:00.000', '2024-01-01T00:00:00.000', '2'],
      ['2024-01-02T00:00:00.000', '2024-01-02T00:00:00.000', '1'],
    ])
    expect(rowsOf(visits).map(row => [row['time.day'], row['visits.count']])).toEqual([
      ['2024-01-01T00:00:00.000', '1'],
      ['2024-01-02T00:00:00.000', '2'],
    ])
  })
})
