import cube, { type CubeApi, RequestError } from '@cubejs-client/core'
import { beforeAll, describe, expect, test } from 'vitest'
import { sharedApi } from '../support/api.ts'
import { createDataClient } from './data-client.ts'
import { createProject } from './project.ts'
import { shop } from './shop.ts'

const api = sharedApi()
let client: CubeApi
let apiUrl = ''
let token = ''
beforeAll(async () => {
  const data = await createDataClient(api, await createProject(api, shop))
  apiUrl = data.url()
  token = data.token
  client = cube(token, { apiUrl })
})

const fourMonths: [string, string] = ['2024-01-01', '2024-04-30']
const threeDays: [string, string] = ['2024-01-01', '2024-01-03']
const byMonth = {
  measures: ['orders.count'],
  timeDimensions: [
    {
      dimension: 'orders.created_at',
      granularity: 'month',
      dateRange: fourMonths,
    },
  ],
}

describe('the client that npm has', () => {
  test('loads, pivots and fills in the months without orders', async () => {
    const result = await client.load(byMonth)
    expect(result.rawData()).toHaveLength(3)
    expect(result.chartPivot().map(row => [row.x, row['orders.count']])).toEqual([
      ['2024-01-01T00:00:00.000', 3],
      ['2024-02-01T00:00:00.000', 1],
      ['2024-03-01T00:00:00.000', 2],
      ['2024-04-01T00:00:00.000', 0],
    ])
    expect(result.query()).toMatchObject({ measures: ['orders.count'], timezone: 'UTC' })
    expect(result.pivotQuery().queryType).toBe('regularQuery')
    expect(result.seriesNames()).toMatchObject([{ key: 'orders.count', title: 'Orders Count', shortTitle: 'Count' }])
  })

  test('makes a table with its columns, and a series for each value', async () => {
    const result = await client.load({ measures: ['orders.count', 'orders.total'], dimensions: ['orders.status'] })
    expect(result.tablePivot()).toEqual([
      { 'orders.status': 'paid', 'orders.count': '3', 'orders.total': '65.25' },
      { 'orders.status': 'new', 'orders.count': '2', 'orders.total': '10.50' },
      { 'orders.status': null, 'orders.count': '1', 'orders.total': '100.00' },
    ])
    expect(result.tableColumns().map(({ key, type, shortTitle, format }) => [key, type, shortTitle, format])).toEqual([
      ['orders.status', 'string', 'State of the order', undefined],
      ['orders.count', 'number', 'Count', undefined],
      ['orders.total', 'number', 'Total', 'currency'],
    ])
    const pivoted = await client.load({ ...byMonth, dimensions: ['orders.status'] })
    expect(pivoted.series().map(({ key }) => key)).toEqual(
      expect.arrayContaining(['new,orders.count', 'paid,orders.count']),
    )
    const restored = JSON.parse(JSON.stringify(result.serialize()))
    expect(restored.loadResponse.results[0].data).toEqual(result.rawData())
  })

  test('casts numbers when it is told to', async () => {
    const query = {
      measures: ['orders.total'],
      dimensions: ['orders.id', 'orders.status'],
      order: { 'orders.id': 'asc' as const },
    }
    expect((await client.load(query)).rawData()[0]).toEqual({
      'orders.id': '1',
      'orders.status': 'new',
      'orders.total': '10.50',
    })
    expect((await client.load(query, { castNumerics: true })).rawData()[0]).toEqual({
      'orders.id': 1,
      'orders.status': 'new',
      'orders.total': 10.5,
    })
    const casting = cube(token, { apiUrl, castNumerics: true })
    expect((await casting.load(query)).rawData().at(-1)).toEqual({
      'orders.id': 6,
      'orders.status': 'new',
      'orders.total': null,
    })
  })

  test('reads every response format', async () => {
    const query = { measures: ['orders.count'], dimensions: ['orders.status'] }
    const plain = (await client.load(query)).rawData()
    for (const format of ['compact', 'columnar']) {
      expect((await client.load(query, {}, undefined, format)).rawData()).toEqual(plain)
    }
  })

  test('compares date ranges', async () => {
    const result = await client.load({
      measures: ['orders.count'],
      timeDimensions: [
        {
          dimension: 'orders.created_at',
          granularity: 'day',
          compareDateRange: [
            ['2024-01-01', '2024-01-02'],
            ['2024-03-30', '2024-03-31'],
          ],
        },
      ],
    })
    expect(result.decompose()).toHaveLength(2)
    const [january = '', march = ''] = result.seriesNames().map(({ key }) => key)
    expect(january).toContain('2024-01-01')
    expect(result.chartPivot().map(row => [row[january], row[march]])).toEqual([
      [2, 0],
      [1, 1],
    ])
  })

  test('blends queries on their common time', async () => {
    const day = (dimension: string) => [{ dimension, granularity: 'day' as const, dateRange: threeDays }]
    const result = await client.load([
      { measures: ['orders.count'], timeDimensions: day('orders.created_at') },
      { measures: ['visits.count'], timeDimensions: day('visits.visited_at') },
    ])
    expect(result.chartPivot().map(row => [row.x, row['orders.count'], row['visits.count']])).toEqual([
      ['2024-01-01T00:00:00.000', 2, 1],
      ['2024-01-02T00:00:00.000', 1, 2],
      ['2024-01-03T00:00:00.000', 0, 0],
    ])
  })

  test('drills down to the rows behind a number', async () => {
    const result = await client.load({ measures: ['orders.count'], dimensions: ['orders.status'] })
    const drill = result.drillDown({ xValues: ['paid'] })
    if (drill === null) throw new Error('there is nothing to drill down to')
    const rows = (await client.load(drill)).rawData()
    expect(rows.map(row => Object(row)['orders.id'])).toEqual(['2', '3', '4'])
  })

  test('knows the total', async () => {
    const result = await client.load({ dimensions: ['orders.id'], limit: 2, total: true })
    expect([result.rawData().length, result.totalRows()]).toEqual([2, 6])
  })

  test('reads meta, SQL and dry runs', async () => {
    const meta = await client.meta()
    expect(meta.cubes.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['orders', 'customers', 'visits', 'sales']),
    )
    expect(meta.resolveMember('orders.count', 'measures')).toMatchObject({ title: 'Orders Count', type: 'number' })
    expect(meta.defaultTimeDimensionNameFor('orders.count')).toBe('orders.created_at')
    expect(meta.filterOperatorsForMember('orders.created_at', 'dimensions').map(({ name }) => name)).toContain(
      'inDateRange',
    )
    expect((await client.meta({ onlyViews: true })).cubes.map(({ name }) => name)).toEqual(['sales'])

    expect((await client.sql(byMonth)).sql()).toMatch(/^SELECT/)
    expect(await client.dryRun(byMonth)).toMatchObject({
      queryType: 'regularQuery',
      pivotQuery: { measures: ['orders.count'] },
    })
    const compared = {
      measures: ['orders.count'],
      timeDimensions: [{ dimension: 'orders.created_at', compareDateRange: ['today', 'yesterday'] }],
    }
    expect((await client.dryRun(compared)).queryType).toBe('compareDateRangeQuery')
  })

  test('asks SQL, whole and as a stream, and is told what is wrong', async () => {
    const statement = 'SELECT status, MEASURE(count) AS n FROM orders GROUP BY 1 ORDER BY 2, 1'
    const rows = [
      [null, '1'],
      ['new', '2'],
      ['paid', '3'],
    ]
    const whole = await client.cubeSql(statement, { timezone: 'Asia/Tokyo', cache: 'no-cache' })
    expect(whole.schema).toMatchObject([
      { name: 'status', column_type: 'String' },
      { name: 'n', column_type: 'Int64' },
    ])
    expect(whole.data).toEqual(rows)
    const streamed: unknown[] = []
    for await (const part of client.cubeSqlStream(statement)) streamed.push(part)
    expect(streamed).toMatchObject([
      { type: 'schema', schema: whole.schema },
      { type: 'data', data: rows },
    ])
    await expect(client.cubeSql('SELECT nope FROM orders')).rejects.toThrow('column "nope" does not exist')
  })

  test('gives up a query whose signal was aborted', async () => {
    await expect(client.load(byMonth, { signal: AbortSignal.abort() })).rejects.toThrow('aborted')
  })

  test('sends a long query by POST', async () => {
    const values = Array.from({ length: 500 }, (_, index) => `some value ${index}`)
    const result = await client.load({
      measures: ['orders.count'],
      filters: [{ member: 'orders.status', operator: 'notEquals', values }],
    })
    expect(result.rawData()).toEqual([{ 'orders.count': '6' }])
  })

  test('takes its token from a function', async () => {
    const asking = cube(async () => `Bearer ${token}`, { apiUrl })
    expect((await asking.load({ measures: ['orders.count'] })).rawData()).toEqual([{ 'orders.count': '6' }])
  })

  test('is told what is wrong', async () => {
    const refused = await client.load({ measures: ['orders.nope'] }).catch((error: unknown) => error)
    if (!(refused instanceof RequestError)) throw new Error('the query was not refused')
    expect([refused.status, refused.message]).toEqual([
      400,
      expect.stringMatching(/^'nope' not found for path 'orders\.nope'/),
    ])
    const stranger = await cube('garbled', { apiUrl })
      .meta()
      .catch((error: unknown) => error)
    expect(stranger).toMatchObject({ message: 'Invalid token', status: 403 })
  })

  test('gives up the older of two with one mutex', async () => {
    const mutexObj = {}
    const [older, newer] = await Promise.all([
      client.load(byMonth, { mutexObj, mutexKey: 'chart' }),
      client.load({ measures: ['orders.total'] }, { mutexObj, mutexKey: 'chart' }),
    ])
    expect(older).toBeNull()
    expect(newer.rawData()).toEqual([{ 'orders.total': '175.75' }])
  })

  test('subscribes by asking again, and stops when it is told to', async () => {
    const polling = cube(token, { apiUrl, pollInterval: 0.1 })
    let told = 0
    const enough = Promise.withResolvers<void>()
    const subscription = polling.subscribe({ measures: ['orders.count'] }, {}, (error, result) => {
      expect([error, result?.rawData()]).toEqual([null, [{ 'orders.count': '6' }]])
      told += 1
      if (told === 3) enough.resolve()
    })
    await enough.promise
    await subscription.unsubscribe()
    const before = told
    await new Promise(resolve => setTimeout(resolve, 500))
    expect(told - before, 'one may have been under way').toBeLessThanOrEqual(1)
  })

  test('is told that nobody answers, after the tries that it was given', async () => {
    const lost = cube(token, { apiUrl: 'http://127.0.0.1:1/cubejs-api/v1', networkErrorRetries: 1, pollInterval: 0.05 })
    await expect(lost.load({ measures: ['orders.count'] })).rejects.toThrow('network Error')
  })

  test('reads every response format of compared and of blended queries', async () => {
    const compared = {
      measures: ['orders.count'],
      timeDimensions: [{ dimension: 'orders.created_at', compareDateRange: [threeDays, fourMonths] }],
    }
    const day = (dimension: string) => [{ dimension, granularity: 'day' as const, dateRange: threeDays }]
    const blended = [
      { measures: ['orders.count'], timeDimensions: day('orders.created_at') },
      { measures: ['visits.count'], timeDimensions: day('visits.visited_at') },
    ]
    for (const query of [compared, blended]) {
      const plain = (await client.load(query)).tablePivot()
      for (const format of ['compact', 'columnar']) {
        expect((await client.load(query, {}, undefined, format)).tablePivot()).toEqual(plain)
      }
    }
  })
})
