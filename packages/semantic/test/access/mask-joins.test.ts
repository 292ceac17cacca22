import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { QueryContext } from '../../src/index.ts'
import { type Database, openDatabase } from '../support/database.ts'
import { compileFor, everyone, modelOf } from '../support/model.ts'

let database: Database
beforeAll(async () => {
  database = await openDatabase(
    'create table orders(id integer, buyer integer, payer integer, status varchar, amount integer)',
    'create table customers(id integer, region integer)',
    'create table items(id integer, order_id integer, product varchar, pieces integer)',
    'insert into customers values (1, 3), (2, 4), (3, 5)',
    "insert into items values (1, 1, 'pen', 1), (2, 1, 'ink', 2), (3, 2, 'pen', 4)",
    "insert into orders values (1, 1, 2, 'done', 10), (2, 1, 2, 'done', 20), (3, 2, 1, 'open', 30), (4, 2, 1, 'open', 40)",
  )
})
afterAll(() => database.close())

const masked = ['status', 'note', 'revenue', 'largest', 'pieces']
const model = modelOf(`cubes:
  - name: orders
    sql_table: orders
    joins:
      - { name: customers, sql: "{CUBE}.buyer = {customers.id}", relationship: many_to_one }
      - { name: items, sql: "{CUBE}.id = {items}.order_id", relationship: one_to_many }
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true, public: true }
      - { name: status, sql: status, type: string, mask: hidden }
      - { name: note, sql: status, type: string, mask: { sql: "{items.product}" } }
    measures:
      - { name: count, type: count }
      - { name: revenue, sql: amount, type: sum, mask: { sql: "max({customers.region})" } }
      - { name: largest, sql: amount, type: max, mask: { sql: "max({items}.pieces)" } }
      - { name: pieces, sql: amount, type: sum, mask: { sql: "{items.total}" } }
      - name: done
        multi_stage: true
        type: number
        sql: "{count}"
        filter: { include: [{ member: status, operator: equals, values: [done] }] }
      - { name: by_status, multi_stage: true, type: avg, sql: "{count}", add_group_by: [status] }
    access_policy:
      - group: masked
        member_level: { excludes: [${masked.join(', ')}] }
        member_masking: { includes: [${masked.join(', ')}] }
      - group: hidden
        member_level: { excludes: [${masked.join(', ')}] }
      - group: all
  - name: items
    sql_table: items
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true }
      - { name: product, sql: product, type: string }
    measures: [{ name: total, sql: pieces, type: sum }]
  - name: customers
    sql_table: customers
    joins:
      - { name: orders, sql: "{CUBE}.id = {orders}.payer", relationship: one_to_many }
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true, public: true }
      - { name: region, sql: region, type: number }
    measures: [{ name: count, type: count }]
views:
  - name: shown
    cubes: [{ join_path: orders, includes: [status, by_status] }]
    access_policy:
      - { group: all, member_level: { excludes: [status] }, member_masking: { includes: [status] } }
`)
const of = (...groups: string[]): QueryContext => ({ ...everyone, groups })
const ask = async (query: object, group = 'masked') => database.query(compileFor(model, query, 'duckdb', of(group)))

describe("SQL of a measure's mask that reads other cubes", () => {
  const byCustomer = { dimensions: ['customers.id'], order: { 'customers.id': 'asc' } }
  test('does not change how the query joins them, and shows nothing where it would', async () => {
    const measures = ['customers.count', 'orders.count', 'orders.revenue']
    expect(await ask({ ...byCustomer, measures }, 'all')).toEqual([
      ['1', '1', '2', '70'],
      ['2', '1', '2', '30'],
      ['3', '1', '0', null],
    ])
    expect(await ask({ ...byCustomer, measures })).toEqual([
      ['1', '1', '2', null],
      ['2', '1', '2', null],
      ['3', '1', '0', null],
    ])
    const filters = [{ member: 'orders.revenue', operator: 'notSet' }]
    expect(await ask({ ...byCustomer, measures: ['customers.count'], filters })).toHaveLength(3)
  })

  test('is the same beside measures of several stages', async () => {
    const measures = ['customers.count', 'orders.revenue', 'orders.by_status']
    expect((await ask({ ...byCustomer, measures })).map(row => row[2])).toEqual([null, null, null])
    expect(await ask({ measures: ['orders.revenue', 'orders.by_status'] })).toEqual([['4', '2']])
  })

  test('aggregates them along the joins of its own cube', async () => {
    const byId = { dimensions: ['orders.id'], order: { 'orders.id': 'asc' }, measures: ['orders.revenue'] }
    expect((await ask(byId)).map(row => row[1])).toEqual(['3', '3', '4', '4'])
  })

  test('shows nothing where they repeat the rows of the measure, and what their own measures are of those', async () => {
    expect(await ask({ measures: ['orders.count', 'orders.largest', 'orders.pieces'] })).toEqual([['4', null, '7']])
  })

  test('repeats no row of an ungrouped query', async () => {
    const measures = ['orders.pieces', 'orders.revenue']
    const rows = await ask({ dimensions: ['orders.id'], measures, ungrouped: true, order: { 'orders.id': 'asc' } })
    expect(rows).toEqual(['1', '2', '3', '4'].map(id => [id, null, null]))
  })
})

test("SQL of a dimension's mask that has several values for a row shows none of them, and repeats no row", async () => {
  expect(await ask({ measures: ['orders.count'], dimensions: ['orders.note'] })).toEqual([[null, '4']])
  expect(await ask({ dimensions: ['orders.note', 'orders.id'], ungrouped: true })).toHaveLength(4)
})

describe('a measure of several stages is what its definition says, whatever of it the caller may see', () => {
  test.each(['all', 'masked', 'hidden'])('in the filters that it adds, for %s', async group => {
    expect(await ask({ measures: ['orders.done'] }, group)).toEqual([['2']])
  })

  test.each(['all', 'masked', 'hidden'])('in the groups that it adds, for %s', async group => {
    expect(await ask({ measures: ['orders.by_status'] }, group)).toEqual([['2']])
  })

  test('also where the query groups by what is shown of them', async () => {
    const query = { dimensions: ['orders.status'], measures: ['orders.by_status', 'orders.count'] }
    expect(await ask(query)).toEqual([['hidden', '2', '4']])
    const both = { dimensions: ['shown.status', 'orders.status'], measures: ['shown.by_status'] }
    expect(await ask({ ...both, order: { 'orders.status': 'asc' } }, 'all')).toEqual([
      ['hidden', 'done', '2'],
      ['hidden', 'open', '2'],
    ])
  })
})
