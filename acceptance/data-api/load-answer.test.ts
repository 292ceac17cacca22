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

const isoInstant = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/

describe('the answer', () => {
  test('carries the query as it was understood, the rows, and what describes them', async () => {
    const { status, body, headers } = await data.load({
      measures: ['orders.count', 'orders.total', 'orders.share_paid'],
      dimensions: ['orders.status'],
      segments: ['orders.paid'],
      timeDimensions: [
        { dimension: 'orders.created_at', granularity: 'month', dateRange: ['2024-01-01', '2024-02-29'] },
      ],
      filters: [{ dimension: 'orders.id', operator: 'gt', values: [1] }],
    })
    expect(status).toBe(200)
    expect(headers.get('content-type')).toMatch(/^application\/json/)
    expect(headers.get('cache-control')).toBe('no-store')
    expect(body).toMatchObject({
      query: {
        measures: ['orders.count', 'orders.total', 'orders.share_paid'],
        dimensions: ['orders.status'],
        segments: ['orders.paid'],
        filters: [{ member: 'orders.id', operator: 'gt', values: ['1'] }],
        timeDimensions: [
          {
            dimension: 'orders.created_at',
            granularity: 'month',
            dateRange: ['2024-01-01T00:00:00.000', '2024-02-29T23:59:59.999'],
          },
        ],
        order: [{ id: 'orders.created_at', desc: false }],
        limit: 10_000,
        rowLimit: 10_000,
        timezone: 'UTC',
        queryType: 'regularQuery',
      },
      annotation: {
        measures: {
          'orders.count': {
            title: 'Orders Count',
            shortTitle: 'Count',
            type: 'number',
            drillMembers: ['orders.id', 'orders.status', 'orders.created_at'],
            drillMembersGrouped: { measures: [], dimensions: ['orders.id', 'orders.status', 'orders.created_at'] },
          },
          'orders.total': { title: 'Orders Total', type: 'number', format: 'currency' },
          'orders.share_paid': { type: 'number', format: 'percent' },
        },
        dimensions: {
          'orders.status': {
            title: 'Orders State of the order',
            shortTitle: 'State of the order',
            description: 'How far it is.',
            type: 'string',
            meta: { owner: 'sales' },
          },
        },
        segments: { 'orders.paid': { title: 'Orders Paid', shortTitle: 'Paid', description: 'Paid for.' } },
        timeDimensions: {
          'orders.created_at.month': {
            type: 'time',
            granularity: { name: 'month', title: 'month', interval: '1 month' },
          },
          'orders.created_at': { type: 'time' },
        },
      },
      lastRefreshTime: expect.stringMatching(isoInstant),
      dataSource: 'default',
      dbType: 'duckdb',
      external: false,
      slowQuery: false,
      total: null,
      complete: true,
      data: [
        {
          'orders.status': 'paid',
          'orders.created_at.month': '2024-01-01T00:00:00.000',
          'orders.created_at': '2024-01-01T00:00:00.000',
          'orders.count': '2',
          'orders.total': '25.25',
          'orders.share_paid': '1',
        },
        {
          'orders.status': 'paid',
          'orders.created_at.month': '2024-02-01T00:00:00.000',
          'orders.created_at': '2024-02-01T00:00:00.000',
          'orders.count': '1',
          'orders.total': '40.00',
          'orders.share_paid': '1',
        },
      ],
    })
  })

  test('shows neither the SQL nor anything of the database', async () => {
    const { body } = await data.load({ measures: ['orders.count'] })
    expect(Object.keys(body).sort()).toEqual(
      [
        'query',
        'lastRefreshTime',
        'annotation',
        'dataSource',
        'dbType',
        'extDbType',
        'external',
        'slowQuery',
        'total',
        'complete',
        'data',
      ].sort(),
    )
    expect(JSON.stringify(body)).not.toMatch(/SELECT|VALUES/)
  })

  test('with queryType multi is wrapped, whatever the query', async () => {
    const { status, body } = await data.load({ measures: ['orders.count'] }, { queryType: 'multi' })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      queryType: 'regularQuery',
      slowQuery: false,
      pivotQuery: { measures: ['orders.count'], queryType: 'regularQuery' },
      results: [{ data: [{ 'orders.count': '6' }], query: { measures: ['orders.count'] }, total: null }],
    })
    expect(body.data).toBeUndefined()
  })

  test('is the same by GET and by POST, the query as an object or as text', async () => {
    const query = { measures: ['orders.count'], dimensions: ['orders.status'], order: { 'orders.status': 'desc' } }
    const text = JSON.stringify(query)
    const answers = await Promise.all([
      data.post('load', { query }),
      data.post('load', { query: text }),
      data.get('load', { query: text }),
      data.get('load', { query: text, queryType: 'regularQuery', cache: 'stale-if-slow' }),
    ])
    for (const { status, body } of answers) {
      expect(status).toBe(200)
      expect(body.data).toEqual(answers[0]?.body.data)
      expect(rowsOf(body)).toHaveLength(3)
    }
  })

  test('comes whatever the cache mode', async () => {
    for (const cache of ['stale-if-slow', 'stale-while-revalidate', 'must-revalidate', 'no-cache']) {
      for (const request of [
        { query: { measures: ['orders.count'] }, cache },
        { query: { measures: ['orders.count'], cacheMode: cache } },
      ]) {
        const { status, body } = await data.post('load', request)
        expect([status, rowsOf(body)]).toEqual([200, [{ 'orders.count': '6' }]])
      }
    }
    const { status } = await data.post('load', { query: { measures: ['orders.count'], renewQuery: true } })
    expect(status).toBe(200)
  })
})

describe('cells', () => {
  test('numbers keep all their digits, moments have milliseconds and no zone, nothing is null', async () => {
    const rows = await data.rows({
      dimensions: ['orders.id', 'orders.serial', 'orders.is_gift', 'orders.note', 'orders.created_at'],
      measures: ['orders.total', 'orders.average', 'orders.count'],
      order: [['orders.id', 'asc']],
    })
    const cells = (row: (typeof rows)[number] | undefined) =>
      Object.fromEntries(Object.entries(row ?? {}).map(([key, value]) => [key.slice('orders.'.length), value]))
    expect(cells(rows[0])).toEqual({
      id: '1',
      serial: '9007199254740993',
      is_gift: true,
      note: 'first',
      created_at: '2024-01-01T00:00:00.000',
      total: '10.50',
      average: '10.5',
      count: '1',
    })
    expect(cells(rows[2])).toMatchObject({ created_at: '2024-01-02T12:00:00.123', total: '5.00', is_gift: false })
    expect(cells(rows[4])).toMatchObject({ is_gift: null, note: null })
    expect(cells(rows[5])).toMatchObject({
      note: 'Ünïcode',
      total: null,
      average: null,
      created_at: '2024-03-31T00:59:59.999',
    })
  })

  test('the formats hold the same cells', async () => {
    const query = {
      dimensions: ['orders.status'],
      measures: ['orders.count', 'orders.largest'],
      timeDimensions: [{ dimension: 'orders.created_at', granularity: 'year' }],
      order: [['orders.status', 'asc']],
    }
    const rows = await data.rows({ ...query, responseFormat: 'default' })
    expect(rows).toEqual(await data.rows(query))
    const compact = Object((await data.load({ ...query, responseFormat: 'compact' })).body.data)
    const columnar = Object((await data.load({ ...query, responseFormat: 'columnar' })).body.data)
    expect(compact.members).toEqual(columnar.members)
    expect([...compact.members].sort()).toEqual(
      ['orders.status', 'orders.count', 'orders.largest', 'orders.created_at.year', 'orders.created_at'].sort(),
    )
    const fromDataset = compact.dataset.map((cells: unknown[]) =>
      Object.fromEntries(cells.map((cell, index) => [compact.members[index], cell])),
    )
    expect(fromDataset).toEqual(rows)
    const fromColumns = rows.map((_, row) =>
      Object.fromEntries(
        columnar.members.map((member: string, index: number) => [member, columnar.columns[index][row]]),
      ),
    )
    expect(fromColumns).toEqual(rows)
    expect(Object.keys(compact).sort()).toEqual(['dataset', 'members'])
    expect(Object.keys(columnar).sort()).toEqual(['columns', 'members'])
  })
})
