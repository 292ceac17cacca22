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

describe('order, limit and offset', () => {
  const ids = async (query: Record<string, unknown>) =>
    (await data.rows({ dimensions: ['orders.id'], ...query })).map(row => Number(row['orders.id']))

  test('without an order: time first, else the first measure falling, else the first dimension', async () => {
    const byTime = await data.rows({
      measures: ['orders.count'],
      timeDimensions: [{ dimension: 'orders.created_at', granularity: 'month' }],
    })
    expect(byTime.map(row => [row['orders.created_at'], row['orders.count']])).toEqual([
      ['2024-01-01T00:00:00.000', '3'],
      ['2024-02-01T00:00:00.000', '1'],
      ['2024-03-01T00:00:00.000', '2'],
    ])
    const byMeasure = await data.rows({ measures: ['orders.count'], dimensions: ['orders.status'] })
    expect(byMeasure.map(row => row['orders.status'])).toEqual(['paid', 'new', null])
    expect(await ids({})).toEqual([1, 2, 3, 4, 5, 6])
  })

  test('as an object, as pairs, by several members', async () => {
    expect(await ids({ order: { 'orders.id': 'desc' } })).toEqual([6, 5, 4, 3, 2, 1])
    expect(await ids({ order: [['orders.id', 'desc']] })).toEqual([6, 5, 4, 3, 2, 1])
    const rows = await data.rows({
      dimensions: ['orders.status', 'orders.id'],
      order: [
        ['orders.status', 'asc'],
        ['orders.id', 'desc'],
      ],
    })
    expect(rows.map(row => row['orders.id']).slice(0, 5)).toEqual(['6', '1', '4', '3', '2'])
  })

  test('an empty order is none', async () => {
    for (const order of [[], {}]) {
      const { body } = await data.load({ measures: ['orders.count'], dimensions: ['orders.status'], order })
      expect(Object(body.query).order).toEqual([])
      expect(rowsOf(body)).toHaveLength(3)
    }
  })

  test('pages neither overlap nor leave out, even among equals', async () => {
    const pages = await Promise.all(
      [0, 2, 4, 6].map(offset =>
        data.rows({ measures: ['orders.count'], dimensions: ['orders.id'], limit: 2, offset }),
      ),
    )
    expect(pages.map(page => page.map(row => row['orders.id']))).toEqual([['1', '2'], ['3', '4'], ['5', '6'], []])
  })

  test('a limit of 0 gives no rows but all the rest', async () => {
    const { status, body } = await data.load({
      measures: ['orders.count'],
      dimensions: ['orders.id'],
      limit: 0,
      total: true,
    })
    expect([status, rowsOf(body), body.total]).toEqual([200, [], 6])
  })

  test('the total counts past limit and offset, and is null unless asked for', async () => {
    const query = { measures: ['orders.count'], dimensions: ['orders.id'], limit: 2, offset: 1 }
    expect((await data.load({ ...query, total: true })).body.total).toBe(6)
    expect((await data.load({ ...query, total: false })).body.total).toBeNull()
    expect((await data.load(query)).body.total).toBeNull()
    const filtered = { ...query, filters: [{ member: 'orders.total', operator: 'gt', values: ['10'] }] }
    expect((await data.load({ ...filtered, total: true })).body.total).toBe(4)
  })
})

describe('what is asked of rows', () => {
  const count = async (query: Record<string, unknown>) => {
    const [row] = await data.rows({ measures: ['orders.count'], ...query })
    return Number(row?.['orders.count'])
  }
  test('segments and date ranges', async () => {
    expect(await count({ segments: ['orders.paid'] })).toBe(3)
    const range = (dateRange: unknown) => count({ timeDimensions: [{ dimension: 'orders.created_at', dateRange }] })
    expect(await range(['2024-01-01', '2024-01-31'])).toBe(3)
    expect(await range('2024-02-29')).toBe(1)
    expect(await range('from 2024-03-01 to 2024-03-31')).toBe(2)
    expect(await range('last 7 days')).toBe(0)
    expect(await range('last year')).toBeTypeOf('number')
  })

  test('a time zone moves buckets and the ends of a range, its summer time with it', async () => {
    const byDay = async (timezone: string) =>
      (
        await data.rows({
          measures: ['orders.count'],
          timezone,
          timeDimensions: [{ dimension: 'orders.created_at', granularity: 'day' }],
        })
      ).map(row => [String(row['orders.created_at.day']).slice(0, 10), row['orders.count']])
    expect(await byDay('UTC')).toEqual([
      ['2024-01-01', '2'],
      ['2024-01-02', '1'],
      ['2024-02-29', '1'],
      ['2024-03-10', '1'],
      ['2024-03-31', '1'],
    ])
    expect(await byDay('America/Los_Angeles')).toEqual([
      ['2023-12-31', '1'],
      ['2024-01-01', '1'],
      ['2024-01-02', '1'],
      ['2024-02-29', '1'],
      ['2024-03-09', '1'],
      ['2024-03-30', '1'],
    ])
    const inRange = (timezone: string, day: string) =>
      count({ timezone, timeDimensions: [{ dimension: 'orders.created_at', dateRange: [day, day] }] })
    expect(await inRange('Europe/Berlin', '2024-01-02')).toBe(2)
    expect(await inRange('America/New_York', '2023-12-31')).toBe(1)
    const hour = await data.rows({
      measures: ['orders.count'],
      timezone: 'Europe/Berlin',
      timeDimensions: [
        { dimension: 'orders.created_at', granularity: 'hour', dateRange: ['2024-03-31', '2024-03-31'] },
      ],
    })
    expect(hour.map(row => row['orders.created_at.hour'])).toEqual(['2024-03-31T01:00:00.000'])
  })

  test('joins bring the other side, and repeat nothing', async () => {
    const rows = await data.rows({
      measures: ['orders.count', 'customers.count', 'orders.buyers'],
      dimensions: ['customers.name'],
      order: { 'customers.name': 'asc' },
    })
    expect(rows.map(row => Object.values(row))).toEqual([
      ['Ada', '2', '1', '1'],
      ['Grace', '2', '1', '1'],
      ["O'Neil", '2', '1', '1'],
    ])
    const [all] = await data.rows({ measures: ['orders.total', 'customers.count'] })
    expect(all).toEqual({ 'orders.total': '175.75', 'customers.count': '3' })
  })

  test('a view answers under its own names', async () => {
    const rows = await data.rows({
      measures: ['sales.count'],
      dimensions: ['sales.customers_name'],
      segments: ['sales.paid'],
      order: { 'sales.customers_name': 'asc' },
    })
    expect(rows).toEqual([
      { 'sales.customers_name': 'Ada', 'sales.count': '1' },
      { 'sales.customers_name': 'Grace', 'sales.count': '2' },
    ])
  })

  test('ungrouped gives rows as they are', async () => {
    const rows = await data.rows({
      dimensions: ['orders.status'],
      measures: ['orders.total'],
      ungrouped: true,
      filters: [{ member: 'orders.status', operator: 'equals', values: ['paid'] }],
      order: { 'orders.total': 'asc' },
    })
    expect(rows).toEqual(['5.00', '20.25', '40.00'].map(total => ({ 'orders.status': 'paid', 'orders.total': total })))
  })

  test('a dimension with its granularity is a time dimension', async () => {
    const { body } = await data.load({ measures: ['orders.count'], dimensions: ['orders.created_at.quarter'] })
    expect(rowsOf(body)).toEqual([
      {
        'orders.created_at.quarter': '2024-01-01T00:00:00.000',
        'orders.created_at': '2024-01-01T00:00:00.000',
        'orders.count': '6',
      },
    ])
    expect(body.query).toMatchObject({
      dimensions: [],
      timeDimensions: [{ dimension: 'orders.created_at', granularity: 'quarter' }],
    })
  })
})

describe('limits of a deployment', () => {
  test('its variables decide the default, the most, and the zone', async () => {
    const id = await createProject(api, shop, {
      CUBEJS_DB_QUERY_DEFAULT_LIMIT: '2',
      CUBEJS_DB_QUERY_LIMIT: '4',
      CUBEJS_DEFAULT_TIMEZONE: 'Asia/Tokyo',
    })
    const own = await createDataClient(api, id)
    const { body } = await own.load({ dimensions: ['orders.id'] })
    expect(rowsOf(body)).toHaveLength(2)
    expect(body.query).toMatchObject({ limit: 2, timezone: 'Asia/Tokyo' })
    expect(await own.rows({ dimensions: ['orders.id'], limit: 4 })).toHaveLength(4)
    const refused = await own.load({ dimensions: ['orders.id'], limit: 5 })
    expect([refused.status, String(refused.body.error)]).toEqual([
      500,
      expect.stringMatching(/^Error: The query limit has been exceeded\./),
    ])
  })

  test('rows without the primary keys of their cubes are refused where a variable says so, and rows with them are not', async () => {
    const id = await createProject(api, shop, { CUBEJS_ALLOW_UNGROUPED_WITHOUT_PRIMARY_KEY: 'false' })
    const own = await createDataClient(api, id)
    const { status, body } = await own.load({ dimensions: ['orders.status'], ungrouped: true })
    expect([status, String(body.error)]).toEqual([
      400,
      expect.stringMatching(/^Ungrouped query requires primary keys to be present in dimensions: 'orders\.id'/),
    ])
    expect(await own.rows({ dimensions: ['orders.id', 'orders.status'], ungrouped: true })).toHaveLength(6)
    expect(await own.rows({ dimensions: ['orders.status'] })).not.toHaveLength(6)
  })
})
