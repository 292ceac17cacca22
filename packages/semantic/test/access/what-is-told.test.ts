import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import {
  annotateQuery,
  compileModel,
  compileQuery,
  describeModel,
  normalizeQuery,
  type QueryContext,
  QueryError,
} from '../../src/index.ts'
import { openDatabase } from '../support/database.ts'
import { compileFor, everyone, modelOf, options } from '../support/model.ts'

const shop = modelOf(readFileSync(new URL('../golden/guarded-shop.yml', import.meta.url), 'utf8'))
const of = (...groups: string[]): QueryContext => ({ ...everyone, groups })

function refusalOf(work: () => unknown): string {
  try {
    work()
  } catch (error) {
    if (error instanceof QueryError) return error.message
    throw error
  }
  return 'answered'
}

describe('a hidden member', () => {
  const counts = of('counts')
  test.each([
    { measures: ['orders.revenue'] },
    { dimensions: ['orders.amount'] },
    { measures: ['orders.count'], filters: [{ member: 'orders.amount', operator: 'gt', values: [1] }] },
    { measures: ['orders.count'], filters: [{ or: [{ member: 'orders.revenue', operator: 'gt', values: [1] }] }] },
    { measures: ['orders.count'], segments: ['orders.large'] },
    { measures: ['orders.count'], timeDimensions: [{ dimension: 'orders.created_at', granularity: 'day' }] },
    { measures: ['orders.count'], timeDimensions: [{ dimension: 'orders.created_at', dateRange: 'today' }] },
    { dimensions: ['orders.created_at.month'] },
    { measures: ['orders.count'], dimensions: ['orders.id'], ungrouped: true },
  ])('can not be asked for in any way: %j', query => {
    expect(refusalOf(() => compileFor(shop, query, 'duckdb', counts))).toMatch(
      /^You requested hidden member: 'orders\./,
    )
    expect(compileFor(shop, query, 'duckdb', of('all')).sql).toMatch(/^SELECT/)
  })

  test('is refused by the plan also where the query was read for another caller', () => {
    const query = normalizeQuery(shop, { measures: ['orders.revenue'] }, { ...options, context: of('all') })
    expect(() => compileQuery(shop, query, counts, 'duckdb')).toThrow("hidden member: 'orders.revenue'")
  })

  test('is told of by no hint', () => {
    for (const query of [{ measures: ['orders.revenu'] }, { measures: ['orderz.count'], dimensions: ['order.id'] }]) {
      expect(refusalOf(() => compileFor(shop, query, 'duckdb', of('nobody')))).not.toMatch(/revenue'|Did you mean/)
      expect(refusalOf(() => compileFor(shop, query, 'duckdb', of('all')))).toContain('Did you mean')
    }
  })

  test('is in no description, whatever is asked for', () => {
    for (const includeHidden of [false, true]) {
      const described = describeModel(shop, counts, { includeHidden })
      const orders = described.find(({ name }) => name === 'orders')
      expect(orders?.measures.map(({ name }) => name)).toEqual(['orders.count'])
      expect(orders?.dimensions.map(({ name }) => name)).toEqual(['orders.status'])
      expect(orders?.segments).toEqual([])
      expect(described.map(({ name }) => name)).not.toContain('line_items')
    }
  })
})

test('what depends on a hidden member is left out of descriptions: drill members, hierarchies, folders, keys, addresses', () => {
  const model = modelOf(`cubes:
  - name: orders
    sql_table: orders
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true, public: true }
      - { name: country, sql: country, type: string }
      - name: email
        sql: email
        type: string
        links: [{ name: mail, label: Mail, url: "concat('mailto:', {CUBE}.email)" }]
    measures: [{ name: count, type: count, drill_members: [id, email] }]
    hierarchies: [{ name: place, levels: [country, email] }, { name: private, levels: [email] }]
    access_policy:
      - group: some
        member_level: { excludes: [email] }
views:
  - name: sales
    cubes: [{ join_path: orders, includes: "*" }]
    folders: [{ name: People, includes: [email, { name: Inner, includes: [country, email] }] }]
    access_policy:
      - group: some
        member_level: { excludes: [email] }
`)
  const described = JSON.stringify(describeModel(model, of('some'), { includeHidden: true }))
  expect(described).not.toMatch(/email|mail/)
  expect(described).toMatch(/"levels":\["orders.country"\]/)
  expect(JSON.stringify(describeModel(model, of('none')))).toBe('[]')
  const count = { measures: ['orders.count'] }
  const query = normalizeQuery(model, count, { ...options, context: of('some') })
  expect(annotateQuery(model, query, of('some')).measures['orders.count']?.drillMembers).toEqual(['orders.id'])
  expect(annotateQuery(model, query, of('none')).measures).toEqual({})
})

describe('a default filter on what the caller is not shown', () => {
  const model = modelOf(`cubes:
  - name: orders
    sql_table: orders
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true }
      - { name: status, sql: status, type: string }
      - { name: region, sql: region, type: string, mask: hidden }
      - { name: at, sql: at, type: time }
    measures: [{ name: count, type: count }]
views:
  - name: sales
    cubes: [{ join_path: orders, includes: "*" }]
    default_filters:
      - { member: status, operator: equals, values: [open] }
      - { member: region, operator: equals, values: [EU], unless: [status] }
      - { member: at, operator: inDateRange, values: [last 7 days] }
    access_policy:
      - group: some
        member_level: { includes: [count, status] }
      - group: masked
        member_level: { includes: [count, status, at] }
        member_masking: { includes: "*" }
`)
  const some = { ...of('some'), now: options.now }
  const count = { measures: ['sales.count'] }

  test('holds, without a word of it in the query', () => {
    const query = normalizeQuery(model, count, { ...options, context: some })
    expect(JSON.stringify(query)).not.toMatch(/region|EU|sales\.at/)
    expect(query.filters).toEqual([{ member: 'sales.status', operator: 'equals', values: ['open'] }])
    expect(compileQuery(model, query, some, 'duckdb').parameters).toEqual([
      'open',
      'EU',
      '2024-03-08T00:00:00.000',
      '2024-03-14T23:59:59.999',
      10_000,
    ])
  })

  test('holds for values behind a mask', () => {
    expect(compileFor(model, count, 'duckdb', of('masked')).sql).toMatch(/"orders"\.region = \$\d/)
  })

  test('is released by a filter of the query, not by another default filter', () => {
    const filters = [{ member: 'sales.status', operator: 'notEquals', values: ['done'] }]
    expect(compileFor(model, { ...count, filters }, 'duckdb', some).sql).not.toContain('region')
    expect(compileFor(model, count, 'duckdb', some).sql).toContain('region')
  })

  test('is left out of measures that leave out filters of its member, as for everybody', async () => {
    const counting = modelOf(`cubes:
  - name: orders
    sql: SELECT * FROM (VALUES (1, 'done'), (2, 'lost'), (3, 'done')) AS rows(id, status)
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true }
      - { name: status, sql: status, type: string }
    measures:
      - { name: count, type: count }
      - { name: all, multi_stage: true, type: number, sql: "{count}", filter: { exclude: [status] } }
views:
  - name: sales
    cubes: [{ join_path: orders, includes: "*" }]
    default_filters: [{ member: status, operator: notEquals, values: [lost] }]
    access_policy:
      - group: all
      - { group: hidden, member_level: { excludes: [status] } }
      - { group: masked, member_level: { excludes: [status] }, member_masking: { includes: [status] } }
`)
    const database = await openDatabase()
    for (const group of ['all', 'hidden', 'masked']) {
      const compiled = compileFor(counting, { measures: ['sales.count', 'sales.all'] }, 'duckdb', of(group))
      expect(await database.query(compiled)).toEqual([['2', '3']])
    }
    database.close()
  })

  test('is passed on to sub-queries, as for everybody', async () => {
    const spending = modelOf(`cubes:
  - name: customers
    sql: SELECT 1 AS id
    joins: [{ name: orders, sql: "{CUBE}.id = {orders}.buyer", relationship: one_to_many }]
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true }
      - { name: spent, sql: "{orders.revenue}", type: number, sub_query: true, propagate_filters_to_sub_query: true }
  - name: orders
    sql: SELECT * FROM (VALUES (1, 1, 10, 'open'), (2, 1, 400, 'void')) AS rows(id, buyer, amount, status)
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true }
      - { name: status, sql: status, type: string }
    measures: [{ name: revenue, sql: amount, type: sum }]
views:
  - name: buyers
    cubes:
      - { join_path: customers, includes: [spent] }
      - { join_path: customers.orders, includes: [status] }
    default_filters: [{ member: status, operator: notEquals, values: [void] }]
    access_policy:
      - { group: all }
      - { group: hidden, member_level: { excludes: [status] } }
      - { group: masked, member_level: { excludes: [status] }, member_masking: { includes: [status] } }
`)
    const database = await openDatabase()
    for (const group of ['all', 'hidden', 'masked']) {
      const compiled = compileFor(spending, { dimensions: ['buyers.spent'] }, 'duckdb', of(group))
      expect(await database.query(compiled)).toEqual([['10']])
    }
    database.close()
  })

  test('needs to know what time it is where it is about today', () => {
    expect(refusalOf(() => compileFor(model, count, 'duckdb', of('some')))).toContain('depends on today')
  })
})

describe('what an expression gives', () => {
  const withFilter = (values: string, condition = 'true') =>
    modelOf(`cubes:
  - name: orders
    sql_table: orders
    dimensions: [{ name: amount, sql: amount, type: number }]
    measures: [{ name: count, type: count }]
    access_policy:
      - group: "*"
        conditions: [{ if: "${condition}" }]
        row_level: { filters: [{ member: amount, operator: notEquals, values: ${values} }] }
`)
  const ask = (values: string, userAttributes: QueryContext['userAttributes'], condition?: string) =>
    compileFor(withFilter(values, condition), { measures: ['orders.count'] }, 'duckdb', { ...everyone, userAttributes })

  test('is a parameter', () => {
    expect(ask('["{ userAttributes.a }"]', { a: 5 }).parameters).toEqual(['5', 10_000])
    expect(ask('"{ userAttributes.a }"', { a: [1, '2'] }).parameters).toEqual(['1', '2', 10_000])
    expect(ask('["1{ userAttributes.a }"]', { a: 5 }).parameters).toEqual(['15', 10_000])
  })

  test.each([{}, { a: null }, { a: [] }])(
    'lets no row pass where it is nothing, whatever the operator: %j',
    attributes => {
      expect(ask('["{ userAttributes.a }"]', attributes).sql).toContain('1 = 0')
    },
  )

  test.each([{ a: { b: 1 } }, { a: 'many' }, { a: ['1; DROP TABLE orders'] }])(
    'is refused where it does not fit: %j',
    attributes => {
      expect(refusalOf(() => ask('"{ userAttributes.a }"', attributes))).toMatch(
        /^The access policy that filters 'orders\.amount'/,
      )
    },
  )

  test('must be true or false in a condition', () => {
    expect(refusalOf(() => ask('["1"]', { a: 'yes' }, 'userAttributes.a'))).toContain(
      'Access policy condition must return boolean, got "yes"',
    )
    expect(ask('["1"]', {}, 'userAttributes.a').sql).toContain('1 = 0')
    expect(ask('["1"]', { a: true }, 'userAttributes.a').sql).not.toContain('1 = 0')
  })
})

test('policies are inherited, and added to', () => {
  const { model } = compileModel([
    {
      path: 'model/m.yml',
      content: `cubes:
  - name: base
    sql_table: t
    dimensions: [{ name: a, sql: a, type: string }, { name: b, sql: b, type: string }]
    access_policy: [{ group: one, member_level: { includes: [a] } }]
  - name: child
    extends: base
    access_policy: [{ group: two }]
`,
    },
  ])
  if (!model) throw new Error('the model does not compile')
  const shown = (group: string) =>
    describeModel(model, of(group)).map(({ name, dimensions }) => [name, dimensions.length])
  expect(shown('one')).toEqual([
    ['base', 1],
    ['child', 1],
  ])
  expect(shown('two')).toEqual([['child', 2]])
})
