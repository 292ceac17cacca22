import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { compileModel, compileQuery, normalizeQuery, QueryError } from '../../src/index.ts'
import { type Database, openDatabase } from '../support/database.ts'
import { compileFor, modelOf, options } from '../support/model.ts'
import { runsOf } from '../support/property-runs.ts'

let database: Database
beforeAll(async () => {
  database = await openDatabase(`
    create table orders (id integer, tenant varchar, level integer, status varchar, amount integer, created_at timestamp);
    insert into orders select i, ['acme', 'o''neil', 'zeta', null][1 + i % 4], i % 3, ['open', 'done', null][1 + i % 3],
      i * 7 % 11, timestamp '2024-01-01' + interval (i * 5) hour from range(60) r(i);
    create table tenants (name varchar, city varchar);
    insert into tenants values ('acme', 'Oslo'), ('o''neil', null), ('other', 'Rome');
    create table t_acme (id integer); insert into t_acme values (1), (2);
  `)
})
afterAll(() => database.close())

const members = `
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true, public: true }
      - { name: status, sql: status, type: string }
      - { name: amount, sql: amount, type: number }
      - { name: created_at, sql: created_at, type: time }
    measures: [{ name: count, type: count }]
`
const query = { measures: ['orders.count'], dimensions: ['orders.id'], order: { 'orders.id': 'asc' } }

describe('FILTER_PARAMS', () => {
  const plain = modelOf(`cubes:\n  - name: orders\n    sql_table: orders${members}`)
  const restating = modelOf(`cubes:
  - name: orders
    sql: >
      SELECT * FROM orders WHERE {FILTER_PARAMS.orders.status.filter('status')}
        AND {FILTER_PARAMS.orders.status.filter(lambda a: f'status = {a}')}
        AND {FILTER_PARAMS.orders.status.filter(lambda a, b: f'status IN ({a}, {b})')}
        AND {FILTER_PARAMS.orders.created_at.filter('created_at')}
        AND {FILTER_PARAMS.orders.created_at.filter(lambda x, y: f'created_at BETWEEN {x} AND {y}')}
        AND {FILTER_PARAMS.orders.created_at.filter(lambda x: f'created_at >= {x}')}
        AND {FILTER_PARAMS.orders.amount.filter(lambda a: f'amount = {a}')}
        AND {FILTER_GROUP(FILTER_PARAMS.orders.amount.filter('amount'), FILTER_PARAMS.orders.status.filter('status'))}${members}`)

  const member = (name: string, operators: readonly string[], values: readonly (string | null)[]) =>
    fc.record({
      member: fc.constant(`orders.${name}`),
      operator: fc.constantFrom(...operators),
      values: fc.array(fc.constantFrom(...values), { minLength: 1, maxLength: 2 }),
    })
  const leaf = fc.oneof(
    member('status', ['equals', 'notEquals', 'in', 'contains', 'notContains', 'set', 'notSet'], ['open', 'done', null]),
    member('amount', ['equals', 'notEquals', 'gt', 'lte'], ['3', '7']),
    member(
      'created_at',
      ['inDateRange', 'notInDateRange', 'onTheDate', 'beforeDate', 'afterOrOnDate'],
      ['2024-01-03', '2024-01-09'],
    ),
  )
  const { filter } = fc.letrec(tie => ({
    filter: fc.oneof(
      { depthSize: 'small' },
      leaf,
      fc.record({ and: fc.array(tie('filter'), { minLength: 1, maxLength: 3 }) }),
      fc.record({ or: fc.array(tie('filter'), { minLength: 1, maxLength: 3 }) }),
    ),
  }))

  test('restates filters without ever changing the rows', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(filter, { maxLength: 3 }), fc.boolean(), async (filters, hasRange) => {
        const timeDimensions = hasRange
          ? [{ dimension: 'orders.created_at', dateRange: ['2024-01-02', '2024-01-08'] }]
          : []
        const asked = { ...query, filters, timeDimensions, timezone: 'Europe/Berlin' }
        expect(await database.query(compileFor(restating, asked))).toEqual(
          await database.query(compileFor(plain, asked)),
        )
      }),
      { numRuns: runsOf('restated filters'), seed: 3 },
    )
  })

  test('gives a function the bound of a filter only where its SQL leaves out no row that passes', async () => {
    const lambdas = [
      'amount >= {x}',
      '{x} > amount',
      'amount <= CAST({x} AS decimal(9, 2))',
      'NOT (amount > {x})',
      '(amount > {x}) IS NULL',
      '({x}) + 1 > amount AND amount < {x}',
      'amount = {x}',
    ].map(sql => `{FILTER_PARAMS.orders.amount.filter(lambda x: f'${sql}')}`)
    const times = ['created_at < {x}', 'created_at <= {x}', '{x} <= created_at'].map(
      sql => `{FILTER_PARAMS.orders.created_at.filter(lambda x: f'${sql}')}`,
    )
    const comparing = modelOf(`cubes:
  - name: orders
    sql: >
      SELECT * FROM orders WHERE ${[...lambdas, ...times].join('\n        AND ')}${members}`)
    const bounds = fc.oneof(
      member('amount', ['gt', 'gte', 'lt', 'lte', 'notEquals'], ['3', '7']),
      member(
        'created_at',
        ['inDateRange', 'notInDateRange', 'beforeDate', 'beforeOrOnDate', 'afterDate', 'afterOrOnDate'],
        ['2024-01-03', '2024-01-09'],
      ),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(bounds, { minLength: 1, maxLength: 3 }), async filters => {
        const asked = { ...query, filters }
        expect(await database.query(compileFor(comparing, asked))).toEqual(
          await database.query(compileFor(plain, asked)),
        )
      }),
      { numRuns: runsOf('functions of the values of filters'), seed: 5 },
    )
    const given = (operator: string) =>
      compileFor(comparing, { ...query, filters: [{ member: 'orders.amount', operator, values: ['3'] }] }).parameters
    // Once for the filter itself.
    expect(given('gte').filter(parameter => parameter === '3')).toHaveLength(2)
    expect(given('lt').filter(parameter => parameter === '3')).toHaveLength(3)
    expect(given('notEquals').filter(parameter => parameter === '3')).toHaveLength(1)
  })

  test('takes no rows from a table that is joined, and so leaves no nulls for filters that take them', async () => {
    const joined = (source: string) =>
      modelOf(`cubes:
  - name: orders
    sql_table: orders
    joins: [{ name: tenants, sql: "{CUBE}.tenant = {tenants.name}", relationship: many_to_one }]${members}
  - name: tenants
    ${source}
    dimensions:
      - { name: name, sql: name, type: string, primary_key: true, public: true }
      - { name: city, sql: city, type: string }
`)
    const all = joined('sql_table: tenants')
    const some = joined(`sql: SELECT * FROM tenants WHERE {FILTER_PARAMS.tenants.city.filter('city')}`)
    const conditions = fc.record({
      member: fc.constant('tenants.city'),
      operator: fc.constantFrom('equals', 'notEquals', 'contains', 'notContains', 'set', 'notSet'),
      values: fc.array(fc.constantFrom('Oslo', 'Rome', null), { minLength: 1, maxLength: 3 }),
    })
    const anyOf = fc.oneof(conditions, fc.record({ or: fc.array(conditions, { minLength: 1, maxLength: 2 }) }))
    await fc.assert(
      fc.asyncProperty(fc.array(anyOf, { minLength: 1, maxLength: 2 }), async filters => {
        const asked = { ...query, filters }
        expect(await database.query(compileFor(some, asked))).toEqual(await database.query(compileFor(all, asked)))
      }),
      { numRuns: runsOf('joined rows keep filters that take nulls'), seed: 4 },
    )
  })

  test('is 1 = 1 without a filter, and values are parameters', () => {
    const simple = modelOf(
      `cubes:\n  - name: orders\n    sql: SELECT * FROM orders WHERE {FILTER_PARAMS.orders.status.filter('status')}${members}`,
    )
    expect(compileFor(simple, query).sql).toContain('WHERE (1 = 1)')
    const hostile = "x' OR '1' = '1"
    const { sql, parameters } = compileFor(simple, {
      ...query,
      filters: [{ member: 'orders.status', operator: 'equals', values: [hostile] }],
    })
    expect(sql).not.toContain(hostile)
    expect(parameters.filter(parameter => parameter === hostile)).toHaveLength(2)
  })
})

test('COMPILE_CONTEXT is an error wherever braces can stand, in all parts of one model at once', () => {
  const content = `cubes:
  - name: orders
    sql_table: "{COMPILE_CONTEXT.securityContext.tenant}.orders"
    public: "{COMPILE_CONTEXT.security_context.is_admin}"
    title: "Orders of {COMPILE_CONTEXT.security_context.tenant}"
    dimensions:
      - { name: id, sql: id, type: number, public: "COMPILE_CONTEXT['security_context']['is_admin']" }
`
  const { problems } = compileModel([{ path: 'model/model.yml', content }])
  expect(problems.map(({ code, line }) => [code, line])).toEqual([3, 4, 5, 7].map(line => ['compile_context', line]))
})

describe('SECURITY_CONTEXT', () => {
  const idsFor = async (condition: string, securityContext: Record<string, unknown>) => {
    const model = modelOf(
      `cubes:\n  - name: orders\n    sql: ${JSON.stringify(`SELECT * FROM orders WHERE ${condition}`)}${members}`,
    )
    const context = { securityContext, groups: [], userAttributes: {} }
    const compiled = compileQuery(model, normalizeQuery(model, query, options), context, 'duckdb')
    return (await database.query(compiled)).map(([id]) => Number(id))
  }
  const idsWhere = async (condition: string) =>
    (await database.query({ sql: `SELECT id FROM orders WHERE ${condition} ORDER BY id`, parameters: [] })).map(
      ([id]) => Number(id),
    )

  test.each([
    ["{SECURITY_CONTEXT.tenant.filter('tenant')}", { tenant: "o'neil" }, "tenant = 'o''neil'"],
    ["{SECURITY_CONTEXT.tenant.filter('tenant')}", { tenant: ['acme', 'zeta'] }, "tenant IN ('acme', 'zeta')"],
    ["{SECURITY_CONTEXT.tenant.filter('tenant')}", { tenant: [] }, 'false'],
    ["{SECURITY_CONTEXT.tenant.filter('tenant')}", { tenant: '' }, "tenant = ''"],
    ["{SECURITY_CONTEXT.tenant.filter('tenant')}", {}, 'true'],
    ["{security_context.user.level.filter('level')}", { user: { level: 0 } }, 'level = 0'],
    ["{SECURITY_CONTEXT.tenant.requiredFilter('tenant')}", { tenant: 'acme' }, "tenant = 'acme'"],
    [
      "{SECURITY_CONTEXT.tenant.filter(lambda t: f'lower(tenant) IN ({t})')}",
      { tenant: ['acme', 'zeta'] },
      "tenant IN ('acme', 'zeta')",
    ],
    ['tenant = {SECURITY_CONTEXT.tenant}', { tenant: 'acme' }, "tenant = 'acme'"],
    ['tenant IN ({SECURITY_CONTEXT.tenant.unsafeValue()})', { tenant: ['acme', 'zeta'] }, "tenant IN ('acme', 'zeta')"],
    ['tenant = {SECURITY_CONTEXT.tenant.unsafeValue()}', { tenant: 'tenant' }, 'false'],
    ["tenant = '{SECURITY_CONTEXT.tenant.unsafeValue()}'", { tenant: "o'neil" }, "tenant = 'o''neil'"],
    ["tenant = '{SECURITY_CONTEXT.tenant.unsafeValue()}'", { tenant: "x' OR '1' = '1" }, 'false'],
    ['id IN (SELECT id FROM t_{SECURITY_CONTEXT.tenant.unsafeValue()})', { tenant: 'acme' }, 'id IN (1, 2)'],
    ['id IN (SELECT id FROM {SECURITY_CONTEXT.table.unsafeValue()})', { table: 't_acme' }, 'id IN (1, 2)'],
    ['id IN (SELECT "id" FROM "t_{SECURITY_CONTEXT.tenant.unsafeValue()}")', { tenant: 'acme' }, 'id IN (1, 2)'],
  ])('%s with %j', async (condition, securityContext, expected) => {
    expect(await idsFor(condition, securityContext)).toEqual(await idsWhere(expected))
  })

  test.each([
    ["{SECURITY_CONTEXT.tenant.requiredFilter('tenant')}", {}, 'Filter for tenant is required'],
    ["{SECURITY_CONTEXT.tenant.requiredFilter('tenant')}", { tenant: '' }, 'Filter for tenant is required'],
    ["{SECURITY_CONTEXT.tenant.filter('tenant')}", { tenant: { a: 1 } }, 'neither text'],
    ["{SECURITY_CONTEXT.constructor.name.requiredFilter('tenant')}", {}, 'Filter for constructor.name is required'],
    ['tenant = {SECURITY_CONTEXT.tenant}', {}, 'no value'],
    ["tenant = '{SECURITY_CONTEXT.tenant.unsafeValue()}'", { tenant: 'a\\' }, 'no backslash'],
    ["tenant = '{SECURITY_CONTEXT.tenant.unsafeValue()}'", { tenant: ['a', 'b'] }, 'a list'],
    ['id IN (SELECT id FROM t_{SECURITY_CONTEXT.tenant.unsafeValue()})', { tenant: 'a); DROP' }, 'letters, digits'],
    ['id IN (SELECT id FROM "{SECURITY_CONTEXT.tenant.unsafeValue()}")', { tenant: 'a" x "' }, 'letters, digits'],
  ])('%s with %j is refused', async (condition, securityContext, expected) => {
    const answer = idsFor(condition, securityContext)
    await expect(answer).rejects.toThrow(QueryError)
    await expect(answer).rejects.toThrow(expected)
  })
})
