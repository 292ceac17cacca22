import { DuckDBInstance } from '@duckdb/node-api'
import { compileQuery, type Parameter } from '@hedron/semantic'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bag } from '../oracle/rows.ts'
import { everyone, modelOf, planText, statementOf } from '../support/plan-text.ts'

/** Orders with several items each; who is not of the group `seeing` does not see what they sum to. */
const model = modelOf({
  'model/shop.yml': `cubes:
  - name: orders
    sql: >
      SELECT * FROM (VALUES (1, 'a', 10, TIMESTAMP '2024-01-05', 1), (2, 'A', 20, TIMESTAMP '2024-02-05', 1),
        (3, 'b', NULL, TIMESTAMP '2024-02-09 23:30:00.25', 2), (4, NULL, 5, TIMESTAMP '2025-01-01 04:59:59.5', 3),
        (5, 'B', 7, TIMESTAMP '2024-03-31 01:30:00', NULL), (6, 'a', 3, TIMESTAMP '2024-10-27 00:30:00', 2),
        (7, 'A', 4, TIMESTAMP '2024-10-27 01:30:00', 2)) AS v(id, kind, amount, d, buyer_id)
    joins:
      - { name: items, sql: "{CUBE}.id = {items}.order_id", relationship: one_to_many }
      - { name: buyers, sql: "{CUBE}.buyer_id = {buyers}.id", relationship: many_to_one }
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true, public: true }
      - { name: kind, sql: kind, type: string }
      - { name: amount, sql: amount, type: number }
      - { name: d, sql: d, type: time }
      - { name: any_product, sql: "{items.product}", type: string }
    measures:
      - { name: count, type: count }
      - { name: total, sql: amount, type: sum }
      - { name: least, sql: amount, type: min }
      - { name: most, sql: amount, type: max }
      - { name: mean, sql: amount, type: avg }
      - { name: kinds, sql: kind, type: count_distinct }
      - { name: so_far, sql: amount, type: sum, rolling_window: { trailing: unbounded } }
    access_policy:
      - group: seeing
        member_level: { includes: "*" }
      - group: "*"
        member_level: { excludes: [total] }
        member_masking: { includes: [total] }
  - name: buyers
    sql: SELECT * FROM (VALUES (1, 'x'), (2, 'Y'), (3, 'y'), (4, 'z')) AS v(id, city)
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true }
      - { name: city, sql: city, type: string }
    measures: [{ name: buyers, type: count }]
  - name: items
    sql: SELECT * FROM (VALUES (1, 1, 'x'), (2, 1, 'X'), (3, 2, 'y')) AS v(id, order_id, product)
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true }
      - { name: product, sql: product, type: string }
    measures: [{ name: sold, type: count }]
`,
  'model/view.yml': `views:
  - name: sales
    cubes:
      - { join_path: orders, includes: [kind, d, count, total, most] }
      - { join_path: orders.items, includes: [product, sold] }
      - { join_path: orders.buyers, includes: [city, buyers] }
`,
})

const context = { ...everyone, groups: ['seeing'] }

let duckdb: Awaited<ReturnType<DuckDBInstance['connect']>>
beforeAll(async () => {
  duckdb = await (await DuckDBInstance.create(':memory:')).connect()
})
afterAll(() => duckdb.closeSync())

async function ask(sql: string, parameters: readonly Parameter[]) {
  return (await duckdb.runAndReadAll(sql, [...parameters])).getRows()
}

/** As the model answers where all of it can be said to the data source. */
async function direct(text: string, timezone: string): Promise<string[]> {
  const { sql, parameters, positions } = statementOf(await planText(text, { model, context, timezone }))
  return bag((await ask(sql, parameters)).map(row => positions.map(position => row[position])))
}

/** As it is planned for a source of other words: its part asked of DuckDB, and the rest over what that gave. */
async function inTwoSteps(text: string, timezone: string): Promise<string[]> {
  const { kind, parts, statement } = await planText(text, { model, context, timezone, dialect: 'mysql' })
  expect([kind, parts.length]).toEqual(['post_processing', 1])
  const [part] = parts
  if (!part || !statement) throw new Error('a plan without its part')
  const { sql, parameters, columns } = compileQuery(model, part.query, context, () => 'duckdb')
  const names = part.columns.map(({ name }, position) => `"${columns[position]?.alias}" AS "${name}"`)
  await duckdb.run(`CREATE OR REPLACE TABLE "${part.name}" AS SELECT ${names.join(', ')} FROM (${sql})`, [
    ...parameters,
  ])
  return bag(await ask(statement.sql, statement.parameters))
}

const zones = ['UTC', 'America/New_York', 'Europe/Berlin', 'Asia/Kathmandu']

describe.each(zones)('groups that a data source has no words for are added up from finer ones, in %s', timezone => {
  test.each([
    'SELECT upper(kind), MEASURE(count), MEASURE(total), MEASURE(least), MEASURE(most) FROM orders GROUP BY 1',
    'SELECT upper(kind) AS k, COUNT(*) FROM orders GROUP BY 1 ORDER BY 2 DESC, k LIMIT 2',
    'SELECT EXTRACT(YEAR FROM d), SUM(total) FROM orders GROUP BY 1 HAVING SUM(total) > 6',
    `SELECT extract(year FROM date_trunc('month', d)), MEASURE(count) FROM orders GROUP BY 1`,
    `SELECT CASE WHEN kind IS NULL THEN 'none' ELSE lower(kind) END, MEASURE(total) / COUNT(*) FROM orders GROUP BY 1`,
    `SELECT MEASURE(count), MEASURE(total) FROM orders WHERE upper(kind) = 'A'`,
    `SELECT MEASURE(count), MEASURE(total) FROM orders WHERE upper(kind) = 'NOBODY'`,
    `SELECT upper(kind), MEASURE(count), COUNT(DISTINCT kind), MAX(amount) FROM orders WHERE amount > 1 GROUP BY 1`,
    `SELECT upper(kind), MEASURE(total), SUM(MEASURE(total)) OVER () FROM orders GROUP BY 1`,
    'SELECT upper(kind), MEASURE(count), MEASURE(most) FROM sales GROUP BY 1',
    `SELECT upper(product), MEASURE(sold) FROM sales GROUP BY 1`,
    `SELECT upper(kind), MEASURE(count) FROM sales WHERE product IN ('x', 'X') GROUP BY 1`,
    'SELECT extract(hour FROM d), extract(day FROM d), MEASURE(count), MEASURE(total) FROM orders GROUP BY 1, 2',
    'SELECT d, upper(kind), MEASURE(count) FROM orders GROUP BY 1, 2',
    `SELECT date_trunc('day', d), upper(kind), MEASURE(count), MIN(d), COUNT(DISTINCT d) FROM orders GROUP BY 1, 2`,
    `SELECT d + INTERVAL '1 month', MEASURE(count) FROM orders GROUP BY 1`,
    `SELECT to_char(d, 'YYYY-MM-DD HH24:MI:SS.MS'), MEASURE(total) FROM orders GROUP BY 1`,
    `SELECT MEASURE(count) FROM orders WHERE extract(hour FROM d) < 2 AND upper(kind) <> 'C'`,
    `SELECT upper(kind), MEASURE(count) FROM orders WHERE d >= '2024-02-09' AND d < '2024-10-27 02:00:00' GROUP BY 1`,
    'SELECT upper(city), MEASURE(count), MEASURE(total), MEASURE(most) FROM sales GROUP BY 1',
    `SELECT upper(city) || '/' || upper(kind), MEASURE(count), COUNT(DISTINCT kind) FROM sales GROUP BY 1`,
    `SELECT upper(b.city), o.kind, MEASURE(o.count) FROM orders o CROSS JOIN buyers b GROUP BY 1, 2`,
    `SELECT upper(city), upper(product), MEASURE(sold) FROM sales GROUP BY 1, 2`,
    `SELECT MEASURE(sold) FROM sales WHERE upper(city) = 'X' OR upper(product) = 'Y'`,
  ])('%s', async text => {
    expect(await inTwoSteps(text, timezone)).toEqual(await direct(text, timezone))
  })
})

describe('and refused where that would be another number', () => {
  test.each([
    ['rows that the join repeats', 'SELECT upper(product), MEASURE(total) FROM sales GROUP BY 1'],
    ['buyers of several groups', 'SELECT upper(kind), MEASURE(buyers) FROM sales GROUP BY 1'],
    ['buyers beside orders', 'SELECT upper(city), kind, MEASURE(count), MEASURE(buyers) FROM sales GROUP BY 1, 2'],
    ['rows that a dimension repeats', 'SELECT upper(any_product), MEASURE(total) FROM orders GROUP BY 1'],
    ['orders of several products', `SELECT MEASURE(count) FROM sales WHERE upper(product) <> 'Y'`],
    ['an average', 'SELECT upper(kind), MEASURE(mean) FROM orders GROUP BY 1'],
    ['a distinct count', 'SELECT upper(kind), MEASURE(kinds) FROM orders GROUP BY 1'],
    ['a running total', 'SELECT upper(kind), MEASURE(so_far) FROM orders GROUP BY 1'],
    ['a sum of rows', 'SELECT upper(kind), MEASURE(count), SUM(amount) FROM orders GROUP BY 1'],
  ])('%s', async (_, text) => {
    const plan = planText(text, { model, context, dialect: 'mysql' })
    await expect(plan).rejects.toMatchObject({ code: '0A000', message: expect.stringContaining('aggregates measures') })
  })

  test('a measure that is masked for the caller', async () => {
    const text = 'SELECT upper(kind), MEASURE(total) FROM orders GROUP BY 1'
    const plan = planText(text, { model, context: everyone, dialect: 'mysql' })
    await expect(plan).rejects.toMatchObject({ code: '0A000' })
  })

  test('a column that is neither grouped by nor aggregated', async () => {
    const plan = planText('SELECT kind, MEASURE(count) FROM orders GROUP BY upper(kind)', { model, dialect: 'mysql' })
    await expect(plan).rejects.toMatchObject({ code: '42803' })
  })
})
