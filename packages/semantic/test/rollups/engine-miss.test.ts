import { describe, expect, test } from 'vitest'
import { type DialectName, matchRollup, normalizeQuery, type QueryContext } from '../../src/index.ts'
import { everyone, modelOf, options } from '../support/model.ts'

const model = modelOf(`
cubes:
  - name: orders
    sql_table: orders
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true }
      - { name: status, sql: status, type: string }
      - { name: size, sql: size, type: number }
      - { name: placed_at, sql: placed_at, type: time }
      - { name: paid_at, sql: paid_at, type: time }
    measures:
      - { name: count, type: count }
      - { name: revenue, sql: amount, type: sum }
      - { name: average, sql: "{revenue} / {count}", type: number }
    access_policy:
      - { group: all }
      - group: some
        row_level: { filters: [{ member: size, operator: equals, values: ["1"] }] }
    pre_aggregations:
      - name: main
        measures: [count, revenue, average]
        dimensions: [status, size, paid_at]
        time_dimension: placed_at
        granularity: day
`)

function missOf(query: unknown, dialect: DialectName, group = 'all'): string | null {
  const context: QueryContext = { ...everyone, groups: [group] }
  const normalized = normalizeQuery(model, query, { ...options, context })
  const { considered } = matchRollup(model, normalized, context, () => dialect)
  return considered[0]?.miss?.code ?? null
}

const count = { measures: ['orders.count'] }
const filtered = (operator: string, value: string) => ({
  ...count,
  filters: [{ member: 'orders.status', operator, values: [value] }],
})

describe('a rollup of another database than the one that reads its table', () => {
  test.for([
    [{ measures: ['orders.average'] }, 'foreign_sql', 'foreign_sql'],
    [
      { ...count, filters: [{ member: 'orders.average', operator: 'gt', values: ['1'] }] },
      'foreign_sql',
      'foreign_sql',
    ],
    [{ ...count, timeDimensions: [{ dimension: 'orders.paid_at', granularity: 'day' }] }, 'moment', 'moment'],
    [
      { ...count, timeDimensions: [{ dimension: 'orders.paid_at', dateRange: ['2024-01-01', '2024-01-31'] }] },
      'moment',
      'moment',
    ],
    [{ ...count, dimensions: ['orders.paid_at'] }, 'moment', 'moment'],
    [{ ...count, timeDimensions: [{ dimension: 'orders.placed_at', granularity: 'day' }] }, null, null],
    [{ ...count, dimensions: ['orders.status'] }, null, 'collation'],
    [{ ...count, dimensions: ['orders.status'], order: { 'orders.status': 'asc' } }, 'collation', 'collation'],
    [{ dimensions: ['orders.status'] }, 'collation', 'collation'],
    [filtered('equals', 'new'), null, 'collation'],
    [filtered('contains', 'new'), null, 'collation'],
    [filtered('contains', 'größe'), 'collation', 'collation'],
    [{ ...count, dimensions: ['orders.size'] }, null, null],
  ] as const)(
    'answers %o or leaves it to PostgreSQL (%s) and MySQL (%s), and moments to DuckDB too',
    ([query, postgres, mysql]) => {
      expect(missOf(query, 'postgres')).toBe(postgres)
      expect(missOf(query, 'mysql')).toBe(mysql)
      expect(missOf(query, 'duckdb')).toBe(postgres === 'moment' ? 'moment' : null)
    },
  )

  test('keeps no rule that a folding collation would read in another way', () => {
    expect(missOf(count, 'mysql', 'some')).toBe('collation_rule')
    expect(missOf(count, 'postgres', 'some')).toBeNull()
  })
})
