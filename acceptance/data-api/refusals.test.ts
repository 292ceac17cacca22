import { beforeAll, describe, expect, test } from 'vitest'
import { buildOf, createDeployment, createKey, sharedApi } from '../support/api.ts'
import { createDataClient, type DataClient } from './data-client.ts'
import { createProject, enterDevMode, putFiles } from './project.ts'
import { shop } from './shop.ts'

const api = sharedApi()
let data: DataClient
beforeAll(async () => {
  data = await createDataClient(api, await createProject(api, shop))
})

const actions = ['load', 'sql', 'dry-run'] as const
const count = { measures: ['orders.count'] }
const day = [{ dimension: 'orders.created_at', granularity: 'day' }]
const filter = (value: unknown) => ({ ...count, filters: [value] })
const deep = (levels: number): unknown =>
  levels === 0 ? { member: 'orders.id', operator: 'set' } : { and: [deep(levels - 1)] }

describe('a query that is not one', () => {
  test.for<[what: string, query: unknown, error: string | RegExp]>([
    [
      'empty',
      {},
      'Query should contain either measures, dimensions or timeDimensions with granularities in order to be valid',
    ],
    [
      'a range alone',
      { timeDimensions: [{ dimension: 'orders.created_at', dateRange: 'today' }] },
      /^Query should contain either measures/,
    ],
    ['a text that is no JSON', '{"measures"', /^Unable to decode query param as JSON, error: /],
    ['a number', 7, /^Invalid query format: /],
    ['a list of nothing', [], /^Invalid query format: /],
    ['a list of texts', ['orders.count'], /^Invalid query format: /],
    ['an unknown key', { ...count, measure: [] }, 'Invalid query format: "measure" is not allowed'],
    ['a key of the prototype', { ...count, constructor: 1 }, 'Invalid query format: "constructor" is not allowed'],
    ['masked members', { ...count, maskedMembers: ['orders.count'] }, 'maskedMembers cannot be provided in the query'],
    [
      'an expression',
      { measures: [{ expression: ['1'], cubeName: 'orders', name: 'x' }] },
      'Expressions are not allowed in this context',
    ],
    ['an expression as text', { measures: ['{"expr":{"sql":"1"}}'] }, 'Expressions are not allowed in this context'],
    ['members that are no list', { measures: 'orders.count' }, 'Invalid query format: "measures" must be an array'],
    ['a member that is no text', { measures: [5] }, /^Invalid query format: "measures\[0\]"/],
    [
      'a member of one part',
      { measures: ['count'] },
      /^Invalid query format: "measures\[0\]" with value "count" fails to match the required pattern/,
    ],
    ['a measure of three parts', { measures: ['orders.count.day'] }, /^Invalid query format: "measures\[0\]"/],
    ['a limit as text', { ...count, limit: '5' }, /^Invalid query format: "limit"/],
    ['a limit below 0', { ...count, limit: -1 }, /^Invalid query format: "limit"/],
    ['a limit that is no whole number', { ...count, limit: 1.5 }, /^Invalid query format: "limit"/],
    ['an offset below 0', { ...count, offset: -1 }, /^Invalid query format: "offset"/],
    ['an unknown zone', { ...count, timezone: 'Mars/Olympus' }, /^Invalid query format: "timezone".*Mars\/Olympus/],
    ['an unknown format', { ...count, responseFormat: 'csv' }, /^Invalid query format: "responseFormat"/],
    ['an unknown direction', { ...count, order: { 'orders.count': 'up' } }, /^Invalid query format: "order"/],
    ['a total that is no flag', { ...count, total: 'yes' }, /^Invalid query format: "total"/],
    [
      'a granularity without end',
      { ...count, timeDimensions: [{ dimension: 'orders.created_at', granularity: 'x'.repeat(129) }] },
      /^Invalid query format: .*granularity/,
    ],
    [
      'three ends of a range',
      {
        ...count,
        timeDimensions: [{ dimension: 'orders.created_at', dateRange: ['2024-01-01', '2024-01-02', '2024-01-03'] }],
      },
      /^Invalid query format: /,
    ],
    ['a filter of nothing', filter({ operator: 'set' }), /^Invalid query format: /],
    [
      'a filter of both spellings',
      filter({ member: 'orders.id', dimension: 'orders.id', operator: 'set' }),
      /^Invalid query format: /,
    ],
    [
      'a filter on an object',
      filter({ member: 'orders.id', operator: 'equals', values: [{ a: 1 }] }),
      /^Invalid query format: /,
    ],
    ['filters without end', filter(deep(40)), /nest/],
    [
      'no operator',
      filter({ member: 'orders.status', values: ['x'] }),
      'Operator required for filter: {"member":"orders.status","values":["x"]}',
    ],
    [
      'an unknown operator',
      filter({ member: 'orders.status', operator: 'like', values: ['x'] }),
      /^Operator like not supported for filter: \{"member":"orders\.status"/,
    ],
    [
      'an operator of another type',
      filter({ member: 'orders.id', operator: 'inDateRange', values: ['2024-01-01'] }),
      /^Operator inDateRange not supported for filter: /,
    ],
    [
      'no values',
      filter({ member: 'orders.status', operator: 'equals' }),
      'Values required for filter: {"member":"orders.status","operator":"equals"}',
    ],
    [
      'empty values',
      filter({ member: 'orders.status', operator: 'equals', values: [] }),
      /^Values required for filter: /,
    ],
    [
      'a word for a number',
      filter({ member: 'orders.id', operator: 'gt', values: ['many'] }),
      /'many' is not a number/,
    ],
    [
      'a word for a date',
      filter({ member: 'orders.created_at', operator: 'inDateRange', values: ['whenever'] }),
      "Can't parse date: 'whenever'",
    ],
    [
      'a word for a range',
      { ...count, timeDimensions: [{ dimension: 'orders.created_at', dateRange: 'whenever' }] },
      "Can't parse date: 'whenever'",
    ],
    [
      'a day that is none',
      { ...count, timeDimensions: [{ dimension: 'orders.created_at', dateRange: ['2024-02-30', '2024-03-01'] }] },
      "Can't parse date: '2024-02-30'",
    ],
    [
      'two comparisons',
      {
        ...count,
        timeDimensions: Array(2).fill({ dimension: 'orders.created_at', compareDateRange: ['today', 'yesterday'] }),
      },
      'compareDateRange can only exist for one timeDimension',
    ],
    [
      'blended on different granularities',
      [
        { ...count, timeDimensions: day },
        { ...count, timeDimensions: [{ dimension: 'orders.created_at', granularity: 'month' }] },
      ],
      'Data blending query granularities must match',
    ],
    ['blended on none', [count, count], 'Data blending query without granularity is not supported'],
  ])('%s', async ([, query, error]) => {
    for (const action of actions) {
      const { status, body } = await data.post(action, { query, queryType: 'multi' })
      expect({ action, status, error: body.error }).toEqual({
        action,
        status: 400,
        error: typeof error === 'string' ? error : expect.stringMatching(error),
      })
      expect(body.type).toBeUndefined()
      expect(body.stack).toBeUndefined()
    }
  })

  test.for<[what: string, body: unknown, error: RegExp]>([
    ['a list', [], /^Invalid query format: the request must be a JSON object/],
    ['an unknown kind', { query: count, queryType: 'many' }, /^Invalid query format: "queryType" must be one of \[/],
    ['an unknown cache mode', { query: count, cache: 'always' }, /^Invalid query format: "cache" must be one of \[/],
    [
      'a limit beside the query',
      { query: count, limit: 5 },
      /^Invalid query format: "limit" stands beside the query, where it has no effect/,
    ],
    ['no JSON', '{"query":', /^The body is not valid JSON/],
  ])('or a request that is none: %s', async ([, request, error]) => {
    for (const action of actions) {
      const { status, body } = await data.post(action, request)
      expect([action, status, body.error]).toEqual([action, 400, expect.stringMatching(error)])
    }
  })

  test('as it is larger than anybody should wait for, in its body or in what it asks', async () => {
    const text = await data.post('load', `{"query": "${' '.repeat(8 * 1024 * 1024)}"}`)
    expect([text.status, text.body]).toEqual([413, { error: 'The body is larger than 8 MiB.', code: 'body_too_large' }])
    const values = (length: number) => Array.from({ length }, (_, index) => String(index))
    const among = (length: number) => filter({ member: 'orders.id', operator: 'equals', values: values(length) })
    expect((await data.load(among(50_000))).body.data, 'a long list is none of these').toEqual([
      { 'orders.count': '6' },
    ])
    const conditions = Array(2_001).fill({ member: 'orders.id', operator: 'set' })
    for (const [query, error] of [
      [among(50_001), /^Invalid query format: "filters" must hold no more than 50000 values/],
      [filter({ or: conditions }), /^Invalid query format: "filters" must hold no more than 2000 conditions/],
    ] as const) {
      for (const action of actions) {
        const { status, body } = await data.post(action, { query })
        expect([status, body.error]).toEqual([400, expect.stringMatching(error)])
      }
    }
  })

  test('as it asks for more rows than are allowed', async () => {
    for (const action of actions) {
      const { status, body } = await data.post(action, { query: { ...count, limit: 50_001 } })
      expect([status, body.error]).toEqual([500, expect.stringMatching(/^Error: The query limit has been exceeded\./)])
    }
  })

  test('or no query at all', async () => {
    for (const action of actions) {
      const answers = [
        await data.post(action, {}),
        await data.get(action, {}),
        await data.get(action, { query: '' }),
        await data.post(action, { query: null }),
      ]
      for (const { status, body } of answers) {
        expect([status, body.error]).toEqual([400, 'Query param is required'])
      }
    }
  })

  test('or of several, for a client that cannot take several', async () => {
    const compared = {
      ...count,
      timeDimensions: [{ dimension: 'orders.created_at', compareDateRange: ['today', 'yesterday'] }],
    }
    const blended = [
      { ...count, timeDimensions: day },
      { measures: ['visits.count'], timeDimensions: [{ dimension: 'visits.visited_at', granularity: 'day' }] },
    ]
    for (const [query, type] of [
      [compared, 'compareDateRangeQuery'],
      [blended, 'blendingQuery'],
    ]) {
      const { status, body } = await data.post('load', { query })
      expect([status, body.error]).toEqual([
        400,
        `'${type}' query type is not supported by the client.Please update the client.`,
      ])
    }
  })
})

describe('a query that the model does not answer', () => {
  test.for<[what: string, query: unknown, error: RegExp]>([
    ['an unknown cube', { measures: ['nope.count'] }, /^Cube 'nope' not found for path 'nope\.count'/],
    ['an unknown member', { measures: ['orders.cuont'] }, /^'cuont' not found for path 'orders\.cuont'/],
    ['a dimension as a measure', { measures: ['orders.status'] }, /^'status' not found for path 'orders\.status'/],
    ['a measure as a dimension', { dimensions: ['orders.count'] }, /^'count' not found for path 'orders\.count'/],
    ['an unknown segment', { ...count, segments: ['orders.nope'] }, /^'nope' not found for path 'orders\.nope'/],
    [
      'an unknown member in a filter',
      filter({ member: 'orders.nope', operator: 'set' }),
      /^'nope' not found for path 'orders\.nope'/,
    ],
    [
      'an unknown granularity',
      { ...count, timeDimensions: [{ dimension: 'orders.created_at', granularity: 'aeon' }] },
      /aeon/,
    ],
    [
      'a time dimension that is none',
      { ...count, timeDimensions: [{ dimension: 'orders.status', granularity: 'day' }] },
      /orders\.status/,
    ],
    ['a hidden measure', { measures: ['orders.margin'] }, /^You requested hidden member: 'orders\.margin'/],
    ['a hidden dimension', { dimensions: ['orders.cost'] }, /^You requested hidden member: 'orders\.cost'/],
    ['a hidden cube', { measures: ['vault.count'] }, /^You requested hidden member: 'vault\.count'/],
    [
      'cubes without a way between them',
      { measures: ['orders.count'], dimensions: ['visits.visited_at'] },
      /^Can't find join path to join /,
    ],
    [
      'a measure and a dimension in one group',
      filter({
        or: [
          { member: 'orders.count', operator: 'gt', values: ['1'] },
          { member: 'orders.id', operator: 'gt', values: ['1'] },
        ],
      }),
      /measure/,
    ],
    [
      'a filter on a measure, ungrouped',
      {
        dimensions: ['orders.id'],
        ungrouped: true,
        filters: [{ member: 'orders.count', operator: 'gt', values: ['1'] }],
      },
      /ungrouped/,
    ],
  ])('%s', async ([, query, error]) => {
    for (const action of actions) {
      const { status, body } = await data.post(action, { query })
      expect({ action, status, type: body.type, error: body.error }).toEqual({
        action,
        status: 400,
        type: 'UserError',
        error: expect.stringMatching(error),
      })
      expect(body.stack).toBeUndefined()
    }
  })

  test('an order by what is not asked for', async () => {
    const { status, body } = await data.post('load', { query: { ...count, order: { 'orders.total': 'asc' } } })
    expect([status, body.error]).toEqual([400, expect.stringContaining("'orders.total'")])
  })
})

describe('a query that the database refuses', () => {
  test('is a fault of the model, told without its SQL or its folder', async () => {
    const id = await createProject(api, {
      'model/broken.yml':
        'cubes:\n  - name: broken\n    sql_table: no_such_table\n    measures:\n      - name: count\n        type: count\n',
    })
    const broken = await createDataClient(api, id)
    const { status, body } = await broken.load({ measures: ['broken.count'] })
    expect(status).toBe(400)
    expect(String(body.error)).toContain('no_such_table')
    expect(JSON.stringify(body)).not.toMatch(/SELECT count|\/deployments\//)
    expect((await broken.get('meta', {})).status).toBe(200)
  })
})

describe('a model that does not compile', () => {
  test('answers with file and line, on its branch alone', async () => {
    const id = await createProject(api, shop)
    const author = api.with(await createKey(api))
    const branch = await enterDevMode(author, id)
    await putFiles(author, id, branch, { 'model/cubes/wrong.yml': 'cubes:\n  - name: wrong\n    sql_tabel: x\n' })
    const own = await createDataClient(api, id)
    for (const action of actions) {
      const { status, body } = await own.post(action, { query: count }, { branch })
      expect([status, body.error]).toEqual([
        500,
        expect.stringMatching(
          /^Error: Compile errors:\nmodel\/cubes\/wrong\.yml Errors:\n.*line 3, column 5: wrong cube: "sql_tabel" is not allowed/s,
        ),
      ])
    }
    expect((await own.get('meta', {}, { branch })).status).toBe(500)
    expect((await own.post('load', { query: count })).status).toBe(200)

    await author.post(`/build/api/v1/deployments/${id}/commit`, { branchName: branch })
    expect(String((await buildOf(api, id)).body.status)).toBe('failed')
    expect((await own.post('load', { query: count })).status, 'production goes on with the last good build').toBe(200)
  })

  test('and one of nothing has nothing to ask', async () => {
    const empty = await createDataClient(api, await createProject(api, { 'model/notes.md': 'Nothing yet.\n' }))
    expect((await empty.get('meta', {})).body.cubes).toEqual([])
    expect((await empty.load(count)).body.error).toMatch(/^Cube 'orders' not found/)
  })

  test('a new deployment answers from its starter', async () => {
    const id = await createDeployment(api)
    await buildOf(api, id)
    const own = await createDataClient(api, id)
    expect(await own.rows({ measures: ['example_orders.total_amount'] })).toEqual([
      { 'example_orders.total_amount': '400' },
    ])
  })
})
