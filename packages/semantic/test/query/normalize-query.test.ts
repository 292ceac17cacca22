import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { compileQuery, expandQueries, normalizeQuery, QueryError } from '../../src/index.ts'
import { compileFor, everyone, modelOf, options } from '../support/model.ts'

const model = modelOf(readFileSync(new URL('../golden/shop.yml', import.meta.url), 'utf8'))
const normalize = (query: unknown) => normalizeQuery(model, query, options)

function refusal(query: unknown): { code: string; kind: string; message: string } {
  try {
    compileFor(model, query)
  } catch (error) {
    if (error instanceof QueryError) return { code: error.code, kind: error.kind, message: error.message }
    throw error
  }
  throw new Error('The query was not refused')
}

const count = { measures: ['orders.count'] }
const filtered = (...filters: unknown[]) => ({ ...count, filters })

test('fills in what a query leaves open', () => {
  expect(
    normalize({ measures: ['orders.count', 'orders.count'], dimensions: ['orders.status', 'orders.created_at.day'] }),
  ).toEqual({
    measures: ['orders.count'],
    dimensions: ['orders.status'],
    segments: [],
    filters: [],
    timeDimensions: [{ dimension: 'orders.created_at', granularity: 'day' }],
    order: [{ id: 'orders.created_at', desc: false }],
    limit: 10_000,
    rowLimit: 10_000,
    timezone: 'UTC',
    responseFormat: 'default',
    queryType: 'regularQuery',
  })
})

test('a time zone in small letters is asked by its name, also where the query is known already', () => {
  for (let asked = 0; asked < 4; asked++) {
    expect(normalize({ ...count, timezone: 'europe/berlin' }).timezone).toBe('Europe/Berlin')
  }
  expect(normalize({ ...count, timezone: 'Asia/Kolkata' }).timezone).toBe('Asia/Kolkata')
})

test.each([
  ['first measure, falling', { ...count, dimensions: ['orders.status'] }, [{ id: 'orders.count', desc: true }]],
  ['first dimension, rising', { dimensions: ['orders.status', 'orders.id'] }, [{ id: 'orders.status', desc: false }]],
  ['none when asked', { ...count, order: [] }, []],
  ['none when asked by an object', { ...count, order: {} }, []],
  [
    'a date range alone orders nothing',
    { ...count, timeDimensions: [{ dimension: 'orders.created_at', dateRange: '2024-01-01' }] },
    [{ id: 'orders.count', desc: true }],
  ],
  [
    'as given',
    { ...count, dimensions: ['orders.id'], order: { 'orders.id': 'desc', 'orders.count': 'asc' } },
    [
      { id: 'orders.id', desc: true },
      { id: 'orders.count', desc: false },
    ],
  ],
])('order: %s', (_, query, order) => {
  expect(normalize(query).order).toEqual(order)
})

test('a limit of zero is a limit, and the default stays below the maximum', () => {
  expect(normalize({ ...count, limit: 0 }).limit).toBe(0)
  expect(normalizeQuery(model, count, { ...options, maximumLimit: 100 }).limit).toBe(100)
})

test('values become text, and dates local times', () => {
  const { filters } = normalize({
    ...filtered(
      { member: 'orders.status', operator: 'equals', values: [1.5, true, null] },
      { dimension: 'orders.created_at', operator: 'inDateRange', values: ['2024-01-01', '2024-01-02T10:00:00Z'] },
      { member: 'orders.created_at', operator: 'beforeDate', values: [''] },
    ),
    timezone: 'Europe/Berlin',
  })
  expect(filters).toEqual([
    { member: 'orders.status', operator: 'equals', values: ['1.5', 'true', null] },
    {
      member: 'orders.created_at',
      operator: 'inDateRange',
      values: ['2024-01-01T00:00:00.000', '2024-01-02T11:00:00.000'],
    },
    { member: 'orders.created_at', operator: 'beforeDate', values: [] },
  ])
})

describe('refuses', () => {
  test.each<[string, unknown, string, string]>([
    ['what is no object', 'orders', 'validation', 'Invalid query format: "query" must be of type object'],
    ['unknown keys', { ...count, x: 1 }, 'validation', 'Invalid query format: "x" is not allowed'],
    ['masked members', { ...count, maskedMembers: [] }, 'validation', 'maskedMembers cannot be provided in the query'],
    ['expressions', { measures: [{ expression: 'x' }] }, 'validation', 'Expressions are not allowed in this context'],
    [
      'expressions as text',
      { measures: ['{"expression":"1"}'] },
      'validation',
      'Expressions are not allowed in this context',
    ],
    [
      'SQL for a name',
      { measures: ['orders.count; drop table orders'] },
      'validation',
      'Invalid query format: "measures[0]" with value "orders.count; drop table orders" fails to match the required pattern: /^[a-zA-Z0-9_]+\\.[a-zA-Z0-9_]+$/',
    ],
    [
      'empty queries',
      { timeDimensions: [{ dimension: 'orders.created_at' }] },
      'validation',
      'Query should contain either measures, dimensions or timeDimensions with granularities in order to be valid',
    ],
    ['an unknown cube', { measures: ['nope.count'] }, 'user', "Cube 'nope' not found for path 'nope.count'"],
    ['an unknown member', { measures: ['orders.zzzzzz'] }, 'user', "'zzzzzz' not found for path 'orders.zzzzzz'"],
    [
      'a slip of the pen',
      { measures: ['orders.revenu'] },
      'user',
      "'revenu' not found for path 'orders.revenu'. Did you mean 'revenue'?",
    ],
    [
      'names of JavaScript',
      { measures: ['constructor.prototype'] },
      'user',
      "Cube 'constructor' not found for path 'constructor.prototype'",
    ],
    [
      'a dimension as a measure',
      { measures: ['orders.status'] },
      'user',
      "'status' not found for path 'orders.status' among measures: it is a dimension.",
    ],
    [
      'hidden members',
      { dimensions: ['line_items.order_id'] },
      'user',
      "You requested hidden member: 'line_items.order_id'. Please make it visible using `public: true`. Please note primaryKey fields are `public: false` by default.",
    ],
    [
      'members of hidden cubes',
      { measures: ['buyers.number'] },
      'user',
      "You requested hidden member: 'buyers.number'. Please make it visible using `public: true`. Please note primaryKey fields are `public: false` by default.",
    ],
    [
      'too many rows',
      { ...count, limit: 50_001 },
      'validation',
      'The query limit has been exceeded. Asked for 50001 rows, at most 50000 are allowed.',
    ],
    ['fractions of rows', { ...count, limit: 1.5 }, 'validation', 'Invalid query format: "limit" must be an integer'],
    ['limits as text', { ...count, limit: '10' }, 'validation', 'Invalid query format: "limit" must be an integer'],
    [
      'negative offsets',
      { ...count, offset: -1 },
      'validation',
      'Invalid query format: "offset" must be greater than or equal to 0',
    ],
    [
      'places that are no zones',
      { ...count, timezone: "UTC'; --" },
      'validation',
      `Invalid query format: "timezone" must be a time zone of the IANA database such as America/New_York, but it is 'UTC'; --'`,
    ],
    [
      'unknown formats',
      { ...count, responseFormat: 'csv' },
      'validation',
      'Invalid query format: "responseFormat" must be one of [default, compact, columnar]',
    ],
    [
      'filters without operator',
      filtered({ member: 'orders.status' }),
      'validation',
      'Operator required for filter: {"member":"orders.status"}',
    ],
    [
      'unknown operators',
      filtered({ member: 'orders.status', operator: 'like', values: ['x'] }),
      'validation',
      'Operator like not supported for filter: {"member":"orders.status","operator":"like","values":["x"]}. Operators are equals, notEquals, in, notIn, contains, notContains, startsWith, notStartsWith, endsWith, notEndsWith, gt, gte, lt, lte, set, notSet, inDateRange, notInDateRange, onTheDate, beforeDate, beforeOrOnDate, afterDate, afterOrOnDate, measureFilter.',
    ],
    [
      'operators of another type',
      filtered({ member: 'orders.status', operator: 'inDateRange', values: ['2024-01-01'] }),
      'validation',
      'Operator inDateRange not supported for filter: {"member":"orders.status","operator":"inDateRange","values":["2024-01-01"]}. inDateRange is for dimensions of type time.',
    ],
    [
      'filters without values',
      filtered({ member: 'orders.status', operator: 'equals' }),
      'validation',
      'Values required for filter: {"member":"orders.status","operator":"equals"}',
    ],
    [
      'filters with no value',
      filtered({ member: 'orders.status', operator: 'equals', values: [] }),
      'validation',
      'Values required for filter: {"member":"orders.status","operator":"equals","values":[]}',
    ],
    [
      'words for numbers',
      filtered({ member: 'orders.amount', operator: 'gt', values: ['many'] }),
      'validation',
      `'many' is not a number. Filter: {"member":"orders.amount","operator":"gt","values":["many"]}`,
    ],
    [
      'objects for values',
      filtered({ member: 'orders.amount', operator: 'gt', values: [{}] }),
      'validation',
      'Invalid query format: "filters[0].values[0]" must be one of [string, number, boolean, null]',
    ],
    [
      'two members in a filter',
      filtered({ member: 'orders.id', dimension: 'orders.id', operator: 'set' }),
      'validation',
      'Invalid query format: "filters[0]" contains a conflict between exclusive peers [member, dimension]',
    ],
    [
      'empty groups',
      filtered({ or: [] }),
      'validation',
      'Invalid query format: "filters[0].or" must be an array of at least one filter',
    ],
    [
      'groups of rows and groups',
      filtered({
        or: [
          { member: 'orders.id', operator: 'set' },
          { member: 'orders.count', operator: 'set' },
        ],
      }),
      'user',
      'You cannot use dimension and measure in same condition: {"or":[{"member":"orders.id","operator":"set"},{"member":"orders.count","operator":"set"}]}',
    ],
    [
      'dates that are none',
      { ...count, timeDimensions: [{ dimension: 'orders.created_at', dateRange: ['2024-02-30'] }] },
      'validation',
      "Can't parse date: '2024-02-30'",
    ],
    [
      'dates that are none in a filter',
      filtered({ member: 'orders.created_at', operator: 'beforeDate', values: ['2024-02-30'] }),
      'validation',
      "Can't parse date: '2024-02-30'",
    ],
    [
      'phrases that say nothing in a filter',
      filtered({ member: 'orders.created_at', operator: 'onTheDate', values: ['when pigs fly'] }),
      'validation',
      "Can't parse date: 'when pigs fly'",
    ],
    [
      'phrases that say nothing',
      { ...count, timeDimensions: [{ dimension: 'orders.created_at', dateRange: 'when pigs fly' }] },
      'validation',
      "Can't parse date: 'when pigs fly'",
    ],
    [
      'unknown granularities',
      { ...count, timeDimensions: [{ dimension: 'orders.created_at', granularity: 'weak' }] },
      'user',
      "Granularity 'weak' not found for 'orders.created_at'. Did you mean 'week'? Known: second, minute, hour, day, week, month, quarter, year.",
    ],
    [
      'texts as time',
      { ...count, timeDimensions: [{ dimension: 'orders.status', granularity: 'day' }] },
      'user',
      "'orders.status' is of type string, and only dimensions of type time can be a timeDimension. Use it under dimensions and filters.",
    ],
    [
      'an order by what is not there',
      { ...count, order: { 'orders.status': 'asc' } },
      'validation',
      "Order member 'orders.status' is not part of the query. Order by a selected member: orders.count.",
    ],
    [
      'cubes that nothing joins',
      { measures: ['orders.count'], dimensions: ['buyer_list.name'] },
      'user',
      "Can't find join path to join 'orders', 'buyers'",
    ],
    [
      'measure filters without groups',
      {
        dimensions: ['orders.id'],
        ungrouped: true,
        ...filtered({ member: 'orders.count', operator: 'gt', values: ['1'] }),
      },
      'user',
      "Measure filters aren't allowed in ungrouped query",
    ],
    [
      'aggregates without groups',
      { measures: ['orders.mean_square'], ungrouped: true },
      'user',
      "'orders.mean_square' aggregates in its own SQL, so it has no value for a single row. Leave it out of the ungrouped query.",
    ],
  ])('%s', (_, query, kind, message) => {
    expect(refusal(query)).toMatchObject({ kind, message })
  })

  test('filters nested without end', () => {
    let filter: unknown = { member: 'orders.id', operator: 'set' }
    for (let depth = 0; depth < 5_000; depth++) filter = { and: [filter] }
    expect(refusal(filtered(filter)).code).toBe('format')
  })
})

test('values never reach the text', () => {
  const hostile = `'; drop table orders; -- " $1 \\`
  const { sql, parameters } = compileFor(model, {
    ...filtered(
      { member: 'orders.status', operator: 'equals', values: [hostile] },
      { member: 'orders.status', operator: 'contains', values: [hostile] },
    ),
    timezone: 'America/Argentina/Buenos_Aires',
    timeDimensions: [{ dimension: 'orders.created_at', granularity: 'day' }],
    limit: 77,
  })
  expect(sql).not.toContain('drop')
  expect(sql).not.toContain('Buenos')
  expect(sql).not.toContain('77')
  expect(parameters).toContain(hostile)
})

describe('expands', () => {
  const options_ = { ...options, defaultTimezone: 'Europe/Berlin' }
  test('compareDateRange into a query for each range', () => {
    const { queryType, queries } = expandQueries(
      model,
      {
        ...count,
        timeDimensions: [
          {
            dimension: 'orders.created_at',
            granularity: 'day',
            compareDateRange: ['this month', ['2024-01-01', '2024-01-31']],
          },
        ],
      },
      options_,
    )
    expect(queryType).toBe('compareDateRangeQuery')
    expect(queries.map(({ timeDimensions }) => timeDimensions[0]?.dateRange)).toEqual([
      ['2024-03-01T00:00:00.000', '2024-03-31T23:59:59.999'],
      ['2024-01-01T00:00:00.000', '2024-01-31T23:59:59.999'],
    ])
    for (const query of queries) expect(compileQuery(model, query, everyone, 'duckdb').columns).toHaveLength(2)
  })

  test.each([
    [
      'two compared ranges',
      { ...count, timeDimensions: [1, 2].map(() => ({ dimension: 'orders.created_at', compareDateRange: ['today'] })) },
      'compare_once',
    ],
    ['blending without granularity', [count, count], 'blending_without_granularity'],
    [
      'blending of different granularities',
      ['day', 'week'].map(granularity => ({
        ...count,
        timeDimensions: [{ dimension: 'orders.created_at', granularity }],
      })),
      'blending_granularities',
    ],
  ])('but not %s', (_, query, code) => {
    expect(() => expandQueries(model, query, options_)).toThrow(expect.objectContaining({ code }))
  })

  test('a list of queries of one granularity', () => {
    const query = { ...count, timeDimensions: [{ dimension: 'orders.created_at', granularity: 'day' }] }
    expect(expandQueries(model, [query, query], options_)).toMatchObject({
      queryType: 'blendingQuery',
      queries: [{}, {}],
    })
    expect(expandQueries(model, [query], options_).queryType).toBe('regularQuery')
    expect(() =>
      normalize({ ...count, timeDimensions: [{ dimension: 'orders.created_at', compareDateRange: ['today'] }] }),
    ).toThrow(/single query/)
  })
})
