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

const count = { measures: ['orders.count'] }

describe('SQL in a query', () => {
  // Each holds a word that must be found in no statement.
  const marker = 'zq7marker'
  const attacks = [
    `' OR '1'='1 ${marker}`,
    `'; DROP TABLE ${marker}; --`,
    `" OR 1=1 -- ${marker}`,
    `') UNION SELECT '${marker}`,
    `\\'; SELECT '${marker}`,
    `*/ SELECT '${marker}' /*`,
    `$1 $2 ${marker}`,
    `{CUBE}.id ${marker}`,
    `\${orders.cost} {{ ${marker} }}`,
    `${marker}\u0000' OR 1=1 --`,
    `\ud800${marker}`,
    `read_text('/etc/passwd') ${marker}`,
    `orders.count) FROM (SELECT '${marker}`,
  ]
  const time = { dimension: 'orders.created_at', granularity: 'day' }
  const fields: Record<string, (text: string) => unknown> = {
    measures: text => ({ measures: [text] }),
    'part of a measure': text => ({ measures: [`orders.${text}`] }),
    dimensions: text => ({ dimensions: [text] }),
    'granularity of a dimension': text => ({ dimensions: [`orders.created_at.${text}`] }),
    segments: text => ({ ...count, segments: [text] }),
    'key of order': text => ({ ...count, order: { [text]: 'asc' } }),
    'direction of order': text => ({ ...count, order: { 'orders.count': text } }),
    'pair of order': text => ({ ...count, order: [[text, 'desc']] }),
    'third of order': text => ({ ...count, order: [['orders.count', 'desc', text]] }),
    timezone: text => ({ ...count, timeDimensions: [time], timezone: text }),
    'time dimension': text => ({ ...count, timeDimensions: [{ ...time, dimension: text }] }),
    granularity: text => ({ ...count, timeDimensions: [{ ...time, granularity: text }] }),
    'range as text': text => ({ ...count, timeDimensions: [{ ...time, dateRange: text }] }),
    'range of two': text => ({ ...count, timeDimensions: [{ ...time, dateRange: ['2024-01-01', text] }] }),
    'date with more': text => ({ ...count, timeDimensions: [{ ...time, dateRange: [`2024-01-01${text}`] }] }),
    'compared range': text => ({ ...count, timeDimensions: [{ ...time, compareDateRange: [text] }] }),
    'member of a filter': text => ({ ...count, filters: [{ member: text, operator: 'set' }] }),
    operator: text => ({ ...count, filters: [{ member: 'orders.id', operator: text, values: ['1'] }] }),
    'value of a number': text => ({ ...count, filters: [{ member: 'orders.id', operator: 'equals', values: [text] }] }),
    'value of a date': text => ({
      ...count,
      filters: [{ member: 'orders.created_at', operator: 'beforeDate', values: [text] }],
    }),
    'value of a flag': text => ({
      ...count,
      filters: [{ member: 'orders.is_gift', operator: 'equals', values: [text] }],
    }),
    'value of a measure': text => ({ ...count, filters: [{ member: 'orders.total', operator: 'gt', values: [text] }] }),
    limit: text => ({ ...count, limit: text }),
    offset: text => ({ ...count, offset: text }),
    joinHints: text => ({ ...count, joinHints: [['orders', text]] }),
    responseFormat: text => ({ ...count, responseFormat: text }),
    cacheMode: text => ({ ...count, cacheMode: text }),
    'an unknown key': text => ({ ...count, [text]: 1 }),
    subqueryJoins: text => ({ ...count, subqueryJoins: [{ sql: text, on: text, joinType: 'LEFT', alias: text }] }),
  }

  test.for(Object.keys(fields))('is refused in %s', async field => {
    for (const attack of attacks) {
      for (const action of ['sql', 'load'] as const) {
        const { status, body } = await data.post(action, { query: fields[field]?.(attack) })
        expect({ attack, status }).toEqual({ attack, status: 400 })
        expect(body).not.toHaveProperty('data')
        expect(String(body.error)).not.toMatch(/SELECT\s+count|Parser Error|Binder Error|Catalog Error/)
      }
    }
  })

  test.for([
    'equals',
    'notEquals',
    'contains',
    'notContains',
    'startsWith',
    'notStartsWith',
    'endsWith',
    'notEndsWith',
  ])('is a value like any other for %s', async operator => {
    for (const attack of attacks) {
      const query = { ...count, filters: [{ member: 'orders.note', operator, values: [attack] }] }
      const { status, body } = await data.post('sql', { query })
      expect({ attack, status }).toEqual({ attack, status: 200 })
      const [text, values] = Object(body.sql).sql
      expect(text).not.toContain(marker)
      expect(JSON.stringify(values)).toContain(marker)
      const answer = await data.load(query)
      const wanted = operator.startsWith('not') ? '6' : '0'
      expect({ attack, status: answer.status, data: answer.body.data }).toEqual({
        attack,
        status: 200,
        data: [{ 'orders.count': wanted }],
      })
    }
  })

  test('in a request id ends in no statement', async () => {
    for (const id of ["*/;SELECT'zq7marker';/*", '--', "';DROP", `${'x'.repeat(500)}`]) {
      const { status, body } = await data.load(
        { ...count, limit: 3 },
        { cache: 'no-cache' },
        { headers: { 'x-request-id': id } },
      )
      expect([status, body.data]).toEqual([200, [{ 'orders.count': '6' }]])
    }
  })
})

describe('JSON with ill intent', () => {
  const alive = async () => expect((await data.load(count)).status).toBe(200)
  const nested = (opening: string, closing: string, depth = 100_000) => opening.repeat(depth) + closing.repeat(depth)

  test.for<[what: string, body: string]>([
    ['no JSON', '{"query":'],
    ['nothing', ''],
    ['null', 'null'],
    ['a list', '[]'],
    ['a text', '"query"'],
    ['a number', '1e999'],
    ['lists without end', nested('[', ']')],
    ['objects without end', `${'{"query":'.repeat(100_000)}1${'}'.repeat(100_000)}`],
    ['lists without end in a text', JSON.stringify({ query: nested('[', ']') })],
    [
      'filters without end in a text',
      JSON.stringify({
        query: `{"measures":["orders.count"],"filters":[${'{"and":['.repeat(50_000)}${']}'.repeat(50_000)}]}`,
      }),
    ],
    [
      'a value without end in a text',
      JSON.stringify({
        query: `{"measures":["orders.count"],"filters":[{"member":"orders.id","operator":"equals","values":[${nested('[', ']', 50_000)}]}]}`,
      }),
    ],
    ['a member without end in a text', JSON.stringify({ query: `{"measures":[${nested('[', ']', 50_000)}]}` })],
    ['the prototype as query', '{"__proto__":{"query":{"measures":["orders.count"]}}}'],
    ['a limit beyond numbers', '{"query":{"measures":["orders.count"],"limit":1e999}}'],
    ['a limit that is not exact', '{"query":{"measures":["orders.count"],"limit":9007199254740993}}'],
    ['an offset beyond numbers', '{"query":{"measures":["orders.count"],"offset":1e300}}'],
    ['as many members', JSON.stringify({ query: { measures: Array(100_000).fill('orders.count') } })],
    [
      'as many filters',
      JSON.stringify({ query: { ...count, filters: Array(20_000).fill({ member: 'orders.id', operator: 'set' }) } }),
    ],
    [
      'as many queries',
      JSON.stringify({
        queryType: 'multi',
        query: Array(5_000).fill({
          ...count,
          timeDimensions: [{ dimension: 'orders.created_at', granularity: 'day' }],
        }),
      }),
    ],
    ['a name as long', JSON.stringify({ query: { measures: [`orders.${'x'.repeat(1_000_000)}`] } })],
    [
      'a date as long',
      JSON.stringify({
        query: {
          ...count,
          timeDimensions: [{ dimension: 'orders.created_at', dateRange: `last ${'9'.repeat(1_000_000)} days` }],
        },
      }),
    ],
    [
      'a range beyond time',
      JSON.stringify({
        query: { ...count, timeDimensions: [{ dimension: 'orders.created_at', dateRange: 'last 99999 years' }] },
      }),
    ],
  ])('%s', async ([what, body]) => {
    for (const action of ['load', 'sql', 'dry-run'] as const) {
      const answer = await data.post(action, body)
      expect({ what, action, status: answer.status }).toEqual({ what, action, status: 400 })
      expect(String(answer.body.error).length, 'the message does not repeat it all').toBeLessThan(5_000)
    }
    await alive()
  })

  test('the offset of nobody gives no rows', async () => {
    const { status, body } = await data.load({ ...count, offset: Number.MAX_SAFE_INTEGER })
    expect([status, body.data]).toEqual([200, []])
  })

  test('a key of the prototype reaches no object', async () => {
    const { status } = await data.post('load', '{"query":{"measures":["orders.count"],"__proto__":{"limit":0}}}')
    expect([200, 400]).toContain(status)
    expect(Reflect.get({}, 'limit')).toBeUndefined()
    await alive()
  })

  test('a body beyond the most is 413', async () => {
    const response = await fetch(`${data.url()}/load`, {
      method: 'POST',
      headers: { authorization: data.token, 'content-type': 'application/json' },
      body: Buffer.alloc(65 * 1024 * 1024, 'x'),
    }).catch(() => null)
    // The server may close the line while the body is still on its way.
    if (response) expect(response.status).toBe(413)
    await alive()
  })

  test('a body of another type is 415, and what is no UTF-8 is refused', async () => {
    const send = (contentType: string, body: string | Buffer<ArrayBuffer>) =>
      fetch(`${data.url()}/load`, {
        method: 'POST',
        headers: { authorization: data.token, 'content-type': contentType },
        body,
      })
    expect((await send('text/plain', 'query=1')).status).toBe(415)
    expect((await send('application/xml', '<query/>')).status).toBe(415)
    const broken = Buffer.concat([
      Buffer.from('{"query":{"measures":["orders.'),
      Buffer.from([0xff, 0xfe]),
      Buffer.from('"]}}'),
    ])
    expect((await send('application/json', broken)).status).toBe(400)
    expect((await send('application/json; charset=utf-8', JSON.stringify({ query: count }))).status).toBe(200)
  })

  test('parameters that come twice or are broken', async () => {
    const get = async (search: string) =>
      (await fetch(`${data.url()}/load?${search}`, { headers: { authorization: data.token } })).status
    const good = encodeURIComponent(JSON.stringify(count))
    expect(await get(`query=${good}&query=${good}`)).toBe(400)
    expect(await get('query=%ff%fe')).toBe(400)
    expect(await get('query[measures][]=orders.count')).toBe(400)
    expect(await get(`query=${good}&cache=whatever`)).toBe(400)
    expect(await get(`query=${good}&queryType=multi&extra=1`)).toBe(200)
  })

  test('many values are one query still', async () => {
    const values = Array.from({ length: 10_000 }, (_, index) => String(index + 5))
    const { status, body } = await data.load({
      ...count,
      filters: [{ member: 'orders.id', operator: 'equals', values }],
    })
    expect([status, body.data]).toEqual([200, [{ 'orders.count': '2' }]])
  })
})
