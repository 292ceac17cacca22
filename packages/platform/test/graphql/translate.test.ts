import { describe, expect, test } from 'vitest'
import { prepare, queryOf, refusalOf } from './shop-schema.ts'

describe('a cube field becomes a query', () => {
  test('with measures, dimensions, times by granularity, and the arguments of the whole', () => {
    const query = queryOf(`{
      cube(limit: 10, offset: 0, timezone: "America/New_York", renewQuery: true, ungrouped: false) {
        orders { count status created_at { value month day } }
        order_items { count }
      }
    }`)
    expect(query).toEqual({
      measures: ['orders.count', 'order_items.count'],
      dimensions: ['orders.status', 'orders.created_at'],
      timeDimensions: [
        { dimension: 'orders.created_at', granularity: 'month' },
        { dimension: 'orders.created_at', granularity: 'day' },
      ],
      limit: 10,
      offset: 0,
      timezone: 'America/New_York',
      renewQuery: true,
      ungrouped: false,
    })
  })

  test('with granularities that a dimension has of its own, and no other dimension', () => {
    expect(queryOf('{ cube { orders { due_at { fortnight } } } }')).toEqual({
      timeDimensions: [{ dimension: 'orders.due_at', granularity: 'fortnight' }],
    })
    expect(refusalOf('{ cube { orders { created_at { fortnight } } } }')[0]?.message).toContain('fortnight')
  })

  test('with aliases, fragments, and what directives leave of it', () => {
    const document = `
      query ($gifts: Boolean!, $status: Boolean = true) {
        all: cube {
          o: orders { ...numbers kind: status @include(if: $status) is_gift @skip(if: $gifts) ... on OrdersMembers { n: count } }
        }
      }
      fragment numbers on OrdersMembers { count total }`
    expect(queryOf(document, { gifts: true })).toEqual({
      measures: ['orders.count', 'orders.total'],
      dimensions: ['orders.status'],
    })
    expect(queryOf(document, { gifts: false, status: false })).toEqual({
      measures: ['orders.count', 'orders.total'],
      dimensions: ['orders.is_gift'],
    })
  })

  test('with the order in which its keys were written, in the document and in variables', () => {
    const written = '{ cube { orders(orderBy: { total: desc, count: asc }) { count total } } }'
    const order = [
      ['orders.total', 'desc'],
      ['orders.count', 'asc'],
    ]
    expect(queryOf(written).order).toEqual(order)
    const asked = 'query ($by: OrdersOrderByInput) { cube { orders(orderBy: $by) { count total } } }'
    expect(queryOf(asked, { by: { total: 'desc', count: 'asc' } }).order).toEqual(order)
    const root = `{ cube(orderBy: { order_items: { count: desc }, orders: { count: asc } }) {
      orders { count } order_items { count } } }`
    expect(queryOf(root).order).toEqual([
      ['order_items.count', 'desc'],
      ['orders.count', 'asc'],
    ])
    expect(
      refusalOf('{ cube(orderBy: { orders: { count: asc } }) { orders(orderBy: { count: desc }) { count } } }'),
    ).toEqual([{ message: 'The order names orders.count twice.' }])
  })
})

const filters = (where: string) => queryOf(`{ cube { orders(where: ${where}) { count } } }`).filters

describe('a condition becomes a filter', () => {
  test.for([
    ['{ status: { equals: "new" } }', { operator: 'equals', values: ['new'] }],
    ['{ status: { notEquals: "new" } }', { operator: 'notEquals', values: ['new'] }],
    ['{ status: { in: ["new", "paid"] } }', { operator: 'equals', values: ['new', 'paid'] }],
    ['{ status: { notIn: ["new"] } }', { operator: 'notEquals', values: ['new'] }],
    ['{ status: { contains: ["a", "b"] } }', { operator: 'contains', values: ['a', 'b'] }],
    ['{ status: { contains: "a" } }', { operator: 'contains', values: ['a'] }],
    ['{ status: { notContains: ["a"] } }', { operator: 'notContains', values: ['a'] }],
    ['{ status: { startsWith: ["a"] } }', { operator: 'startsWith', values: ['a'] }],
    ['{ status: { notStartsWith: ["a"] } }', { operator: 'notStartsWith', values: ['a'] }],
    ['{ status: { endsWith: ["a"] } }', { operator: 'endsWith', values: ['a'] }],
    ['{ status: { notEndsWith: ["a"] } }', { operator: 'notEndsWith', values: ['a'] }],
    ['{ status: { set: true } }', { operator: 'set' }],
    ['{ status: { set: false } }', { operator: 'notSet' }],
    ['{ status: { equals: null } }', { operator: 'equals', values: [null] }],
    ['{ status: { in: [] } }', { operator: 'equals', values: [] }],
  ] as const)('%s', ([where, filter]) => {
    expect(filters(where)).toEqual([{ member: 'orders.status', ...filter }])
  })

  test.for([
    ['equals', 'equals'],
    ['notEquals', 'notEquals'],
    ['gt', 'gt'],
    ['lt', 'lt'],
    ['gte', 'gte'],
    ['lte', 'lte'],
  ] as const)('on a number with %s, every digit kept', ([operator, expected]) => {
    expect(filters(`{ total: { ${operator}: 9007199254740993 } }`)).toEqual([
      { member: 'orders.total', operator: expected, values: ['9007199254740993'] },
    ])
    expect(filters(`{ total: { ${operator}: -0.10 } }`)).toEqual([
      { member: 'orders.total', operator: expected, values: ['-0.10'] },
    ])
  })

  test('of variables that JSON has rounded is refused', () => {
    const document = 'query ($n: Float) { cube { orders(where: { total: { equals: $n } }) { count } } }'
    expect(queryOf(document, { n: 0.1 }).filters).toEqual([
      { member: 'orders.total', operator: 'equals', values: ['0.1'] },
    ])
    expect(queryOf(document).filters, 'a variable that is not given is no condition').toBeUndefined()
    expect(refusalOf(document, { n: 2 ** 60 })[0]?.message).toContain('that JSON numbers round')
  })

  test.for(['notInDateRange', 'equals', 'notEquals', 'in', 'notIn'])(
    'on a time with %s and several values',
    operator => {
      const mapped = { in: 'equals', notIn: 'notEquals' }[operator] ?? operator
      expect(filters(`{ created_at: { ${operator}: ["2024-01-01", "2024-01-02"] } }`)).toEqual([
        { member: 'orders.created_at', operator: mapped, values: ['2024-01-01', '2024-01-02'] },
      ])
    },
  )

  test.for(['beforeDate', 'beforeOrOnDate', 'afterDate', 'afterOrOnDate'])('on a time with %s', operator => {
    expect(filters(`{ created_at: { ${operator}: "2024-01-01" } }`)).toEqual([
      { member: 'orders.created_at', operator, values: ['2024-01-01'] },
    ])
  })

  test('in groups, of the cube and of the whole', () => {
    expect(filters('{ OR: [{ status: { equals: "a" } }, { total: { gt: 1 } }] }')).toEqual([
      {
        or: [
          { member: 'orders.status', operator: 'equals', values: ['a'] },
          { member: 'orders.total', operator: 'gt', values: ['1'] },
        ],
      },
    ])
    const root = `{ cube(where: { AND: [
      { orders: { status: { set: true } } },
      { OR: [{ order_items: { product: { equals: "x" } } }, { orders: { OR: { id: { lt: 3 } }, status: { set: false } } }] }
    ] }) { orders { count } } }`
    expect(queryOf(root).filters).toEqual([
      {
        and: [
          { member: 'orders.status', operator: 'set' },
          {
            or: [
              { member: 'order_items.product', operator: 'equals', values: ['x'] },
              {
                and: [
                  { or: [{ member: 'orders.id', operator: 'lt', values: ['3'] }] },
                  { member: 'orders.status', operator: 'notSet' },
                ],
              },
            ],
          },
        ],
      },
    ])
  })

  test.for([
    ['{ status: null }', 'The condition orders.status is null'],
    ['{ status: { in: null } }', 'The condition orders.status: in is null'],
    ['{ status: { set: null } }', 'The condition orders.status: set is null'],
    ['{ OR: [] }', 'OR holds no condition'],
    ['{ AND: null }', 'The condition AND is null'],
  ] as const)('%s says nothing, and is refused', ([where, message]) => {
    expect(refusalOf(`{ cube { orders(where: ${where}) { count } } }`)[0]?.message).toContain(message)
  })

  test('of another operator, type or member than there is, is refused', () => {
    for (const where of [
      '{ status: { gt: "a" } }',
      '{ total: { equals: "1" } }',
      '{ secret: { set: true } }',
      '{ created_at: { onTheDate: "x" } }',
    ]) {
      expect(refusalOf(`{ cube { orders(where: ${where}) { count } } }`)).toHaveLength(1)
    }
  })
})

describe('a range of dates', () => {
  const query = (range: string, fields: string) =>
    queryOf(`{ cube { orders(where: { created_at: { inDateRange: ${range} } }) { ${fields} } } }`)

  test('is that of the time dimension', () => {
    expect(query('["2024-01-01", "2024-01-31"]', 'count created_at { day }')).toEqual({
      measures: ['orders.count'],
      timeDimensions: [{ dimension: 'orders.created_at', granularity: 'day', dateRange: ['2024-01-01', '2024-01-31'] }],
    })
    expect(query('"last 7 days"', 'count')).toEqual({
      measures: ['orders.count'],
      timeDimensions: [{ dimension: 'orders.created_at', dateRange: 'last 7 days' }],
    })
  })

  test('of one time holds beside the granularity of another', () => {
    expect(query('["2024-01-01"]', 'count due_at { day }').timeDimensions).toEqual([
      { dimension: 'orders.due_at', granularity: 'day' },
      { dimension: 'orders.created_at', dateRange: ['2024-01-01'] },
    ])
  })

  test('a second one stays a filter', () => {
    const where = '{ created_at: { inDateRange: ["2024-01-01", "2024-01-31"] } }'
    const twice = `{ cube(where: { orders: { created_at: { inDateRange: ["2024-01-05"] } } }) { orders(where: ${where}) { count } } }`
    expect(queryOf(twice)).toMatchObject({
      timeDimensions: [{ dateRange: ['2024-01-01', '2024-01-31'] }],
      filters: [{ operator: 'inDateRange', values: ['2024-01-05'] }],
    })
  })
})

test('one cube under two names has no conditions that could be taken for those of one of them', () => {
  const twice = '{ cube { a: orders(where: { status: { equals: "a" } }) { count } b: orders { total } } }'
  expect(refusalOf(twice)[0]?.message).toContain('orders is selected twice')
  expect(queryOf('{ cube { a: orders { count } b: orders { total } } }')).toEqual({
    measures: ['orders.count', 'orders.total'],
  })
})

test('variables have the values of the document where none are given, also beside questions about the schema', () => {
  const document = `query ($limit: Int = 5, $name: String = "Query") {
    __type(name: $name) { name } cube(limit: $limit) { orders { count } } }`
  const [type, cube] = prepare(document)
  expect(type).toEqual({ key: '__type', text: '{"name":"Query"}' })
  expect(cube).toMatchObject({ cube: { query: { measures: ['orders.count'], limit: 5 } } })
  expect(prepare(document, { limit: 7, name: 'Result' })).toMatchObject([
    { text: '{"name":"Result"}' },
    { cube: { query: { limit: 7 } } },
  ])
})

test('a document that comes again is prepared once', () => {
  const document = '{ cube { orders { count } } }'
  expect(prepare(document)).toBe(prepare(document))
  expect(prepare(document, { other: 1 })).not.toBe(prepare(document))
})
