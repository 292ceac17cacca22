import { DuckDBInstance } from '@duckdb/node-api'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SqlFilter } from '../../src/index.ts'
import { bag } from '../oracle/rows.ts'
import { modelOf, planText, statementOf } from '../support/plan-text.ts'

const model = modelOf({
  'model/shop.yml': `cubes:
  - name: orders
    sql: >
      SELECT * FROM (VALUES (1, 'a', 10, TIMESTAMP '2024-01-05 00:00:00'), (2, 'b', 20, TIMESTAMP '2024-02-05 00:00:00'),
        (3, 'a', 30, TIMESTAMP '2024-02-06 00:00:00'), (4, NULL, 40, TIMESTAMP '2024-03-01 00:00:00')) AS v(id, kind, amount, d)
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true, public: true }
      - { name: kind, sql: kind, type: string }
      - { name: amount, sql: amount, type: number }
      - { name: d, sql: d, type: time }
    measures:
      - { name: count, type: count }
      - { name: total, sql: amount, type: sum }
`,
})

let duckdb: Awaited<ReturnType<DuckDBInstance['connect']>>
beforeAll(async () => {
  duckdb = await (await DuckDBInstance.create(':memory:')).connect()
})
afterAll(() => duckdb.closeSync())

async function ask(text: string, ...filters: SqlFilter[]) {
  const plan = await planText(text, { model, filters })
  const { sql, parameters, positions } = statementOf(plan)
  const reader = await duckdb.runAndReadAll(sql, [...parameters])
  const rows = bag(reader.getRows().map(row => positions.map(position => row[position])))
  return { filtered: plan.filtered, rows }
}

const kind: SqlFilter = { member: 'orders.kind', operator: 'equals', values: ['a'] }

describe('conditions around a statement', () => {
  test.each<[string, SqlFilter, string]>([
    ['SELECT kind, MEASURE(count) AS n FROM orders GROUP BY 1', kind, `kind = 'a'`],
    ['SELECT MEASURE(total) AS total, kind AS named FROM orders GROUP BY 2', kind, `named = 'a'`],
    ['SELECT id, kind FROM orders', kind, `kind = 'a'`],
    ['SELECT kind, MEASURE(count) AS n FROM orders WHERE amount > 10 GROUP BY 1', kind, `kind = 'a'`],
    ['SELECT kind, MEASURE(count) AS n FROM orders GROUP BY 1 HAVING MEASURE(count) > 1', kind, `kind = 'a'`],
    ['SELECT DISTINCT kind FROM orders', { member: 'orders.kind', operator: 'notSet' }, 'kind IS NULL'],
    [
      'SELECT amount, count(*) FROM orders GROUP BY 1',
      { member: 'orders.amount', operator: 'gte', values: ['20'] },
      'amount >= 20',
    ],
    [
      `SELECT date_trunc('month', d) AS m, MEASURE(total) AS t FROM orders GROUP BY 1`,
      { member: 'orders.d', operator: 'inDateRange', values: ['2024-02-01', '2024-02-29'] },
      `m = '2024-02-01'`,
    ],
  ])('choose rows of %s as a statement around it would', async (text, filter, condition) => {
    const { filtered, rows } = await ask(text, filter)
    expect(filtered).toEqual([filter.member])
    expect(rows.length).toBeGreaterThan(0)
    expect(rows).toEqual((await ask(`SELECT * FROM (${text}) AS q WHERE ${condition}`)).rows)
  })

  test.each([
    ['a member that is no column of the answer', 'SELECT MEASURE(count) FROM orders'],
    ['a member that is grouped by and not shown', 'SELECT MEASURE(count) FROM orders GROUP BY kind'],
    ['a column that only calculates with it', 'SELECT upper(kind), MEASURE(count) FROM orders GROUP BY 1'],
    ['a column that only is called so', `SELECT 'a' AS kind, MEASURE(count) FROM orders`],
    [
      'a column of a calculation over the answer',
      'SELECT kind, n FROM (SELECT kind, MEASURE(count) AS n FROM orders GROUP BY 1 ORDER BY 1 LIMIT 1) AS q',
    ],
    ['rows of two statements', 'SELECT kind FROM orders WHERE id = 1 UNION ALL SELECT kind FROM orders WHERE id = 2'],
  ])('are passed over for %s', async (_, text) => {
    const { filtered, rows } = await ask(text, kind)
    expect(filtered).toEqual([])
    expect(rows).toEqual((await ask(text)).rows)
  })

  test('hold before the limit of the statement, as in a query of the data API', async () => {
    const text = 'SELECT kind, MEASURE(total) AS t FROM orders GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 1'
    const { filtered, rows } = await ask(text, { ...kind, values: ['b'] })
    expect(filtered).toEqual(['orders.kind'])
    expect(JSON.parse(String(rows[0]))[0]).toBe('b')
  })

  test('are refused where their operator is unknown', async () => {
    const text = 'SELECT kind FROM orders'
    await expect(planText(text, { model, filters: [{ ...kind, operator: 'drop' }] })).rejects.toThrow(/drop/)
  })
})
