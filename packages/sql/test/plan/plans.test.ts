import { DuckDBInstance } from '@duckdb/node-api'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bag } from '../oracle/rows.ts'
import { modelOf, planText, statementOf } from '../support/plan-text.ts'

/** Orders with several items each, so that a join of both repeats orders. */
const model = modelOf({
  'model/shop.yml': `cubes:
  - name: orders
    sql: SELECT * FROM (VALUES (1, 'a', 10), (2, 'b', 20), (3, 'a', 30)) AS v(id, kind, amount)
    joins: [{ name: items, sql: "{CUBE}.id = {items}.order_id", relationship: one_to_many }]
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true, public: true }
      - { name: kind, sql: kind, type: string }
      - { name: amount, sql: amount, type: number }
    measures:
      - { name: count, type: count }
      - { name: total, sql: amount, type: sum }
    segments: [{ name: large, sql: amount > 10 }]
  - name: items
    sql: SELECT * FROM (VALUES (1, 1, 'x', 1), (2, 1, 'x', 2), (3, 1, 'y', 3), (4, 2, 'x', 4)) AS v(id, order_id, product, pieces)
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true }
      - { name: product, sql: product, type: string }
      - { name: pieces, sql: pieces, type: number }
    measures: [{ name: sold, sql: pieces, type: sum }]
`,
  'model/times.yml': `cubes:
  - name: times
    sql: SELECT 1 AS id, TIMESTAMP '2024-01-01 00:00:00' AS d
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true }
      - { name: d, sql: d, type: time }
    measures: [{ name: count, type: count }]
`,
  'model/view.yml': `views:
  - name: sales
    cubes:
      - { join_path: orders, includes: [kind, amount, count, total] }
      - { join_path: orders.items, includes: [product, pieces, sold] }
`,
})

let duckdb: Awaited<ReturnType<DuckDBInstance['connect']>>
beforeAll(async () => {
  duckdb = await (await DuckDBInstance.create(':memory:')).connect()
})
afterAll(() => duckdb.closeSync())

async function rowsOf(text: string): Promise<unknown[]> {
  const { sql, parameters, positions } = statementOf(await planText(text, { model }))
  const reader = await duckdb.runAndReadAll(sql, [...parameters])
  return bag(reader.getRows().map(row => positions.map(position => row[position]))).map(row => JSON.parse(row))
}

const leavesOf = (filter: unknown): unknown[] =>
  typeof filter === 'object' && filter !== null && 'and' in filter ? [filter.and].flat().flatMap(leavesOf) : [filter]

describe('rows that a join repeats count once', () => {
  test.each<[string, unknown[]]>([
    // Order 1 has the products x (twice) and y, order 2 has x, order 3 nothing.
    [
      'SELECT product, SUM(amount) FROM sales GROUP BY 1',
      [
        ['x', 30],
        ['y', 10],
        [null, 30],
      ],
    ],
    [
      'SELECT product, SUM(total) FROM sales GROUP BY 1',
      [
        ['x', 30],
        ['y', 10],
        [null, 30],
      ],
    ],
    [
      `SELECT product, SUM(CASE WHEN kind = 'a' THEN amount END) FROM sales GROUP BY 1`,
      [
        ['x', 10],
        ['y', 10],
        [null, 30],
      ],
    ],
    [
      'SELECT upper(product), MEASURE(total), SUM(sold) FROM sales GROUP BY 1',
      [
        ['X', 30, 7],
        ['Y', 10, 3],
        [null, 30, null],
      ],
    ],
    [`SELECT COUNT(*), SUM(amount) FROM sales WHERE product IN ('x', 'y')`, [[2, 30]]],
    [`SELECT SUM(amount), SUM(pieces) FROM sales WHERE pieces > 0 AND upper(product) <> 'Z'`, [[30, 10]]],
    ['SELECT SUM(amount * pieces) FROM sales', [[140]]],
    [
      'SELECT product, stddev_pop(amount) FROM sales GROUP BY 1',
      [
        ['x', 5],
        ['y', 0],
        [null, 0],
      ],
    ],
    [
      'SELECT kind, SUM(amount) FILTER (WHERE amount > 10) FROM sales GROUP BY 1',
      [
        ['a', 30],
        ['b', 20],
      ],
    ],
  ])('%s', async (text, rows) => {
    expect(await rowsOf(text)).toEqual(rows)
  })
})

test.each<[string, unknown[]]>([
  ['SELECT o.id FROM orders o JOIN orders p ON o.id = p.id WHERE o.large AND p.kind = $$a$$', [[3]]],
  ['SELECT o.id FROM orders o JOIN orders p ON o.id = p.id WHERE o.large IS TRUE', [[2], [3]]],
  ['SELECT o.id FROM orders o JOIN orders p ON o.id = p.id WHERE o.large = true AND p.large', [[2], [3]]],
])('conditions on tables that the statement joins: %s', async (text, rows) => {
  expect(await rowsOf(text)).toEqual(rows)
})

test.each<[string, unknown[]]>([
  [`SELECT u FROM unnest(ARRAY['a', 'it''s']) u ORDER BY 1`, [['a'], ["it's"]]],
  ['SELECT sum(x) FROM unnest(ARRAY[1, 2, 2]) AS u(x)', [[5]]],
  ['SELECT o.id, u.x FROM orders o CROSS JOIN unnest(ARRAY[1, 2]) AS u(x) WHERE o.id < 2 ORDER BY 1, 2', [[1, 1], [1, 2]]], // biome-ignore format: one statement a line
])('unnest gives rows in FROM: %s', async (text, rows) => {
  expect(await rowsOf(text)).toEqual(rows)
})

test('generate_series gives rows in FROM, and is refused where it would be a list of them', async () => {
  expect(
    await rowsOf('SELECT g.n, count(*) FROM orders CROSS JOIN generate_series(1, 3, 2) AS g(n) GROUP BY 1 ORDER BY 1'),
  ).toEqual([
    [1, 3],
    [3, 3],
  ])
  await expect(rowsOf('SELECT id, generate_series(1, 3) FROM orders')).rejects.toThrow(
    'generate_series anywhere but in FROM',
  )
})

describe('how a statement is answered', () => {
  test.each([
    ['regular', 'SELECT kind, MEASURE(total) FROM orders GROUP BY 1 ORDER BY 2 DESC LIMIT 3'],
    ['regular', 'SELECT DISTINCT kind FROM orders'],
    ['regular', `SELECT kind FROM orders WHERE kind ILIKE 'a%' AND amount BETWEEN 1 AND 2`],
    ['regular', 'SELECT SUM(total) FROM orders HAVING SUM(total) > 1'],
    ['pushdown', 'SELECT MEASURE(total) / MEASURE(count) FROM orders'],
    ['pushdown', 'SELECT kind FROM orders UNION SELECT product FROM items'],
    ['post_processing', 'SELECT 1'],
  ])('%s: %s', async (kind, text) => {
    expect((await planText(text, { model })).kind).toBe(kind)
  })

  test('of a data source whose language is not written here, the rest is computed beside it', async () => {
    const plan = await planText(
      'SELECT upper(kind), MEASURE(total) + 1 FROM (SELECT kind, MEASURE(total) AS total FROM orders GROUP BY 1) q',
      { model, dialect: 'mysql' },
    ).catch((error: unknown) => error)
    expect(plan).toMatchObject({ message: expect.stringContaining('MEASURE') })
    const rest = await planText(
      'SELECT upper(kind), t + 1 FROM (SELECT kind, MEASURE(total) AS t FROM orders GROUP BY 1) q',
      { model, dialect: 'mysql' },
    )
    expect([rest.kind, rest.statement?.sql]).toEqual(['post_processing', expect.stringContaining('FROM "p1"')])
  })

  test('filters are those of the data API where they mean the same', async () => {
    const { parts } = await planText(
      `SELECT kind FROM orders WHERE kind <> 'a' AND amount >= 2 AND id IN (1, 2) AND kind IS NOT NULL`,
      { model },
    )
    expect(parts[0]?.input.filters).toEqual([
      {
        and: [
          { member: 'orders.kind', operator: 'notEquals', values: ['a'] },
          { member: 'orders.kind', operator: 'set' },
        ],
      },
      { member: 'orders.amount', operator: 'gte', values: ['2'] },
      { member: 'orders.id', operator: 'equals', values: ['1', '2'] },
      { member: 'orders.kind', operator: 'set' },
    ])
  })

  test.each([
    [`d >= '2024-01-01' AND d < '2024-02-01'`, '2024-01-01', '2024-02-01'],
    [`'2024-02-01' > d AND '2024-01-01' <= d`, '2024-01-01', '2024-02-01'],
    [`date_trunc('month', d) = '2024-02-01'`, '2024-02-01', '2024-03-01'],
    [`date_trunc('week', d) = DATE '2024-12-30'`, '2024-12-30', '2025-01-06'],
    [`date_trunc('quarter', d) BETWEEN '2024-01-01' AND '2024-10-01'`, '2024-01-01', '2025-01-01'],
    [`CAST(d AS date) > '2024-02-28' AND d::date <= '2024-02-29'`, '2024-02-29', '2024-03-01'],
  ])('%s is a range of times', async (condition, from, before) => {
    const { kind, parts } = await planText(`SELECT COUNT(*) FROM times WHERE ${condition}`, { model })
    const leaves = [parts[0]?.input.filters].flat(2).flatMap((filter: unknown) => leavesOf(filter))
    expect(kind).toBe('regular')
    expect(leaves.map(leaf => JSON.stringify(leaf)).sort()).toEqual([
      `{"member":"times.d","operator":"afterOrOnDate","values":["${from}T00:00:00.000"]}`,
      `{"member":"times.d","operator":"beforeDate","values":["${before}T00:00:00.000"]}`,
    ])
  })

  test.each([
    ["TIMESTAMPTZ '2024-01-01 05:00:00Z'", 'America/New_York', '2024-01-01T00:00:00.000'],
    ["TIMESTAMPTZ '2024-07-01 06:00:00+02'", 'America/New_York', '2024-07-01T00:00:00.000'],
    ["TIMESTAMPTZ '2024-01-01 05:00:00.25Z'", 'UTC', '2024-01-01T05:00:00.250'],
    ["TIMESTAMPTZ '2024-01-01 05:00:00'", 'America/New_York', '2024-01-01T05:00:00.000'],
    ["'2024-01-01 05:00:00Z'", 'America/New_York', '2024-01-01T05:00:00.000'],
  ])('%s in a session of %s is the local time %s', async (moment, timezone, local) => {
    const { parts } = await planText(`SELECT COUNT(*) FROM times WHERE d >= ${moment}`, { model, timezone })
    expect(parts[0]?.input.filters).toEqual([{ member: 'times.d', operator: 'afterOrOnDate', values: [local] }])
  })

  test('a step that does not begin at a moment is compared as it is written', async () => {
    const { parts } = await planText(`SELECT COUNT(*) FROM times WHERE date_trunc('month', d) = '2024-02-02'`, {
      model,
    })
    expect([parts[0]?.input.filters, parts[0]?.hasAdHocMembers]).toEqual([undefined, true])
  })

  test('parameters have the types of what they stand beside', async () => {
    const { parameterTypes } = await planText(
      `SELECT kind, $3 || 'x' FROM orders WHERE amount > $1 AND kind = $2 LIMIT $4`,
      { model, parameters: null },
    )
    expect(parameterTypes).toEqual(['numeric', 'text', 'text', 'int8'])
  })
})

describe('what is wrong is said with its code and place', () => {
  test.each([
    ['SELECT kindd FROM orders', '42703', 8, `Did you mean 'kind'?`],
    ['SELECT * FROM ordes', '42P01', 15, `Did you mean 'orders'?`],
    ['SELECT kind, MEASURE(total) FROM orders', '42803', 8, null],
    ['SELECT total FROM orders GROUP BY kind', '42803', 8, 'Write MEASURE(total)'],
    ['SELECT AVG(total) FROM orders', '42804', 8, 'MEASURE() takes a measure of any type'],
    [`SELECT kind + 1 FROM orders`, '42883', 13, 'You can convert values by CAST'],
    [`SELECT id FROM orders WHERE id = 'x'`, '22P02', 34, null],
    ['SELECT id FROM orders WHERE SUM(total) > 1', '42803', 29, null],
    ['SELECT id FRM orders', '42601', 15, null],
    ['SELECT abc.id FROM orders b', '42P01', 8, null],
    ['SELECT kind FROM orders ORDER BY 3', '42P10', 34, null],
    ['SELECT uper(kind) FROM orders', '42883', 8, `Did you mean 'upper'?`],
  ])('%s', async (text, code, offset, hint) => {
    await expect(planText(text, { model })).rejects.toMatchObject({ code, hint, position: { offset } })
  })
})
