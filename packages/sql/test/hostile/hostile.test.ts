import { readFileSync } from 'node:fs'
import { QueryError } from '@hedron/semantic'
import { describe, expect, test } from 'vitest'
import { SqlError } from '../../src/index.ts'
import { modelOf, planText } from '../support/plan-text.ts'

/** Every statement that tries to leave the model, by how it tries. */
const statements: Readonly<Record<string, readonly string[]>> = JSON.parse(
  readFileSync(new URL('statements.json', import.meta.url), 'utf8'),
)

const model = modelOf({
  'model/orders.yml': `cubes:
  - name: orders
    sql_table: raw_orders
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true, public: true }
      - { name: status, sql: status, type: string }
      - { name: note, sql: note, type: string }
      - { name: cost, sql: amount, type: number, public: false }
    segments:
      - { name: hidden_part, sql: "{CUBE}.id > 1", public: false }
    measures:
      - { name: count, type: count }
      - { name: total, sql: amount, type: sum }
      - { name: margin, sql: amount, type: max, public: false }
  - name: customers
    sql_table: raw_customers
    dimensions:
      - { name: name, sql: name, type: number, primary_key: true, public: true }
  - name: vault
    public: false
    sql_table: raw_vault
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true }
`,
})

test('there are 150 of them at least', () => {
  expect(Object.values(statements).flat().length).toBeGreaterThanOrEqual(150)
})

describe.each(Object.keys(statements))('%s', kind => {
  test.each(statements[kind] ?? [])('%s', async text => {
    const refused = await planText(text, { model }).then(
      // What `__user` asks for is for whoever runs the statement to allow.
      plan => (plan.user === null ? JSON.stringify(plan.statement ?? plan.parts[0]?.compiled) : null),
      (error: unknown) => error,
    )
    if (refused === null) return
    expect(refused instanceof SqlError || refused instanceof QueryError, String(refused)).toBe(true)
  })
})
