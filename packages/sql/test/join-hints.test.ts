import { compileModel } from '@hedron/semantic'
import { expect, test } from 'vitest'
import { joinHintsOf } from '../src/plan/join-hints.ts'

const { model } = compileModel([
  {
    path: 'model/cubes.yml',
    content: `
cubes:
  - name: orders
    sql_table: orders
    joins:
      - { name: customers, sql: "{CUBE}.customer_id = {customers.id}", relationship: many_to_one }
      - { name: products, sql: "{CUBE}.product_id = {products.id}", relationship: many_to_one }
    dimensions: [{ name: id, sql: id, type: number, primary_key: true }]
  - name: customers
    sql_table: customers
    joins:
      - { name: countries, sql: "{CUBE}.country_id = {countries.id}", relationship: many_to_one }
    dimensions: [{ name: id, sql: id, type: number, primary_key: true }]
  - name: products
    sql_table: products
    dimensions: [{ name: id, sql: id, type: number, primary_key: true }]
  - name: countries
    sql_table: countries
    dimensions: [{ name: id, sql: id, type: number, primary_key: true }]
`,
  },
])
if (!model) throw new Error('the model is right')

test.each([
  ['a chain', ['orders', 'customers', 'countries'], [['orders', 'customers', 'countries']]],
  [
    'a star',
    ['orders', 'customers', 'products'],
    [
      ['orders', 'customers'],
      ['orders', 'products'],
    ],
  ],
  [
    'both',
    ['orders', 'products', 'customers', 'countries'],
    [
      ['orders', 'products'],
      ['orders', 'customers', 'countries'],
    ],
  ],
  ['against the joins', ['customers', 'orders'], [['customers', 'orders']]],
])('cubes that are named beside each other are joined as the model says: %s', (_, names, hints) => {
  expect(joinHintsOf(model, names)).toEqual(hints)
})
