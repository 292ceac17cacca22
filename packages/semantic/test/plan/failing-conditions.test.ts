import { expect, test } from 'vitest'
import { compileFor, everyone, modelOf } from '../support/model.ts'

const model = modelOf(`cubes:
  - name: orders
    sql_table: orders
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true }
      - { name: code, sql: '{CUBE}.code', type: string }
      - { name: quoted, sql: '"Code"', type: string }
      - { name: same, sql: '{code}', type: string }
      - { name: placed, sql: '{CUBE}."placed at"', type: time }
      - { name: number, sql: 'CAST({code} AS integer)', type: number }
      - { name: of_number, sql: '{number}', type: number }
      - { name: kind, type: string, case: { when: [{ sql: '1 / {CUBE}.size > 0', label: small }], else: { label: large } } }
      - { name: two, sql: 'code size', type: string }
    segments: [{ name: small, sql: '1 / {CUBE}.size > 0' }]
    measures: [{ name: count, type: count }]
    access_policy:
      - { group: '*', row_level: { filters: [{ member: code, operator: equals, values: [a] }] } }
views:
  - { name: seen, cubes: [{ join_path: orders, includes: '*' }] }
`)
const sqlOf = (query: object, context = everyone) => compileFor(model, query, 'postgres', context).sql
const measures = ['orders.count']
const filtered = (member: string) => sqlOf({ measures, filters: [{ member, operator: 'set' }] })

test.for(['orders.code', 'orders.quoted', 'orders.same', 'orders.id', 'seen.code'])(
  'a database finds rows by %s and a policy together: no comparison of a column fails on a row',
  member => expect(filtered(member)).not.toContain('OFFSET 0'),
)

test('and by a range of times', () => {
  const timeDimensions = [{ dimension: 'orders.placed', dateRange: ['2024-01-01', '2024-01-31'] }]
  expect(sqlOf({ measures, timeDimensions })).not.toContain('OFFSET 0')
})

test.for(['orders.number', 'orders.of_number', 'orders.kind', 'orders.two', 'seen.number'])(
  'the policy comes first where %s is computed of a row, which can fail',
  member => expect(filtered(member)).toContain('OFFSET 0'),
)

test('and where a segment is; not where it is only shown', () => {
  expect(sqlOf({ measures, segments: ['orders.small'] })).toContain('OFFSET 0')
  expect(sqlOf({ measures, dimensions: ['orders.number'] })).not.toContain('OFFSET 0')
})
