import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, openDatabase } from '../support/database.ts'
import { compileFor, modelOf } from '../support/model.ts'

let database: Database
beforeAll(async () => {
  database = await openDatabase(
    'create table orders(id integer, status varchar, eur integer, usd integer)',
    `insert into orders values (1, 'done', 1, 10), (2, 'done', 2, 20), (3, 'open', 4, 40)`,
  )
})
afterAll(() => database.close())

const model = modelOf(`cubes:
  - name: orders
    sql_table: orders
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true }
      - { name: status, sql: status, type: string }
      - { name: currency, type: switch, values: [EUR, USD, GBP] }
    measures:
      - { name: count, type: count }
      - { name: euros, sql: eur, type: sum }
      - { name: dollars, sql: usd, type: sum }
      - name: amount
        multi_stage: true
        type: number
        case: { switch: "{currency}", when: [{ value: EUR, sql: "{euros}" }], else: { sql: "{dollars}" } }
`)
const ask = (query: object) => database.query(compileFor(model, query))
const filter = (operator: string, ...values: string[]) => [{ member: 'orders.currency', operator, values }]

test('several values of a switch that nothing groups by make one row of each group', async () => {
  const asked = { measures: ['orders.count'], dimensions: ['orders.status'], total: true }
  const rows = [
    ['done', '2'],
    ['open', '1'],
  ]
  expect(await ask({ ...asked, filters: filter('equals', 'EUR') })).toEqual(rows)
  expect(await ask({ ...asked, filters: filter('equals', 'EUR', 'USD') })).toEqual(rows)
  expect(await ask({ ...asked, filters: filter('set') })).toEqual(rows)
  expect(await ask({ dimensions: ['orders.status'], filters: filter('contains', 'U') })).toEqual([['done'], ['open']])
  expect(await ask({ ...asked, filters: filter('equals', 'CHF') })).toEqual([])
})

test('values of a switch that a filter leaves one of are chosen, also after another query left several', async () => {
  const undecided = { measures: ['orders.amount'], filters: filter('equals', 'EUR', 'USD') }
  for (let time = 0; time < 3; time++) {
    expect(() => compileFor(model, undecided)).toThrow("'orders.amount' depends on 'orders.currency'")
    expect(await ask({ ...undecided, filters: filter('equals', 'EUR', 'CHF') })).toEqual([['7']])
    expect(await ask({ ...undecided, filters: filter('equals', 'USD') })).toEqual([['70']])
  }
})

test('several values of a switch that is grouped by are rows of their own', async () => {
  const filters = filter('notEquals', 'GBP')
  expect(await ask({ measures: ['orders.amount'], dimensions: ['orders.currency'], filters })).toEqual([
    ['USD', '70'],
    ['EUR', '7'],
  ])
})
