import { describe, expect, test } from 'vitest'
import type { QueryContext } from '../../src/index.ts'
import { openDatabase } from '../support/database.ts'
import { compileFor, everyone, modelOf } from '../support/model.ts'

const model = modelOf(`cubes:
  - name: days
    sql: SELECT * FROM (VALUES (1, 'EU'), (2, 'US')) AS rows(id, region)
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true, public: true }
      - { name: region, sql: region, type: string }
  - name: orders
    sql: SELECT * FROM (VALUES (1, 1, 10), (2, 1, 20), (3, 2, 400)) AS rows(id, day, amount)
    joins: [{ name: days, sql: "{CUBE}.day = {days}.id", relationship: many_to_one }]
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true }
      - { name: amount, sql: amount, type: number }
    measures: [{ name: revenue, sql: amount, type: sum, mask: -1 }]
    access_policy:
      - groups: [all, eu, own, masked]
      - group: cheap
        row_level: { filters: [{ member: amount, operator: lt, values: [15] }] }
  - name: visits
    sql: SELECT * FROM (VALUES (1, 1, 5), (2, 2, 6), (3, 2, 7)) AS rows(id, day, pages)
    joins: [{ name: days, sql: "{CUBE}.day = {days}.id", relationship: many_to_one }]
    dimensions: [{ name: id, sql: id, type: number, primary_key: true }]
    measures: [{ name: pages, sql: pages, type: sum }]
views:
  - name: both
    cubes:
      - { join_path: days, includes: [region] }
      - { join_path: orders, includes: [revenue, amount] }
      - { join_path: visits, includes: [pages] }
    access_policy:
      - groups: [all, cheap]
      - group: eu
        row_level: { filters: [{ member: region, operator: equals, values: [EU] }] }
      - group: own
        row_level: { filters: [{ member: amount, operator: gt, values: [15] }] }
      - group: masked
        member_level: { includes: [region, pages] }
        member_masking: { includes: "*" }
`)
const query = { measures: ['both.revenue', 'both.pages'], dimensions: ['both.region'], order: { 'both.region': 'asc' } }

async function ask(...groups: string[]) {
  const context: QueryContext = { ...everyone, groups }
  const compiled = compileFor(model, query, 'duckdb', context)
  const database = await openDatabase()
  const rows = await database.query(compiled)
  database.close()
  return rows.map(row => row.map(cell => (cell === null ? null : String(cell))))
}

describe('a view of several facts', () => {
  test('shows of each the rows that policies show', async () => {
    expect(await ask('all')).toEqual([
      ['EU', '30', '5'],
      ['US', '400', '13'],
    ])
    expect(await ask('cheap')).toEqual([
      ['EU', '10', '5'],
      ['US', null, '13'],
    ])
  })

  test('has policies that hold for all of them, and is refused where one of them can not keep one', async () => {
    expect(await ask('eu')).toEqual([['EU', '30', '5']])
    await expect(ask('own')).rejects.toThrow("Can't find join path to join 'visits', 'orders'")
  })

  test('masks a measure everywhere, and is empty for whom no policy is', async () => {
    expect(await ask('masked')).toEqual([
      ['EU', '-1', '5'],
      ['US', '-1', '13'],
    ])
    expect(await ask('nobody')).toEqual([])
  })
})

describe('a dimension of several facts that is masked on some rows', () => {
  const shop = (rule: string) =>
    modelOf(`cubes:
  - name: days
    sql: SELECT * FROM (VALUES (1, 'EU', 'open'), (2, 'US', 'open'), (3, 'US', 'closed')) AS rows(id, region, state)
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true }
      - { name: region, sql: region, type: string, mask: hidden }
      - { name: state, sql: state, type: string }
  - name: orders
    sql: SELECT * FROM (VALUES (1, 1, 10), (2, 2, 400), (3, 3, 50)) AS rows(id, day, amount)
    joins: [{ name: days, sql: "{CUBE}.day = {days}.id", relationship: many_to_one }]
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true }
      - { name: amount, sql: amount, type: number }
    measures: [{ name: revenue, sql: amount, type: sum }]
  - name: visits
    sql: SELECT * FROM (VALUES (1, 1, 5), (2, 2, 6), (3, 3, 7)) AS rows(id, day, pages)
    joins: [{ name: days, sql: "{CUBE}.day = {days}.id", relationship: many_to_one }]
    dimensions: [{ name: id, sql: id, type: number, primary_key: true }]
    measures: [{ name: pages, sql: pages, type: sum }]
views:
  - name: both
    cubes:
      - { join_path: days, includes: [region, state] }
      - { join_path: orders, includes: [revenue, amount] }
      - { join_path: visits, includes: [pages] }
    access_policy:
      - { group: "*", member_level: { excludes: [region] }, member_masking: { includes: [region] } }
      - { group: "*", row_level: { filters: [${rule}] } }
`)
  const askShop = async (rule: string, filters: readonly object[] = []) => {
    const database = await openDatabase()
    const rows = await database.query(compileFor(shop(rule), { ...query, filters }))
    database.close()
    return rows.map(row => row.map(cell => (cell === null ? null : String(cell))))
  }
  const isUs = [{ member: 'both.region', operator: 'equals', values: ['US'] }]

  test('is shown where its own cube tells that the caller may see it, and its filters see that', async () => {
    const rule = '{ member: state, operator: equals, values: [open] }'
    expect(await askShop(rule)).toEqual([
      ['EU', '10', '5'],
      ['US', '400', '6'],
      ['hidden', '50', '7'],
    ])
    expect(await askShop(rule, isUs)).toEqual([['US', '400', '6']])
  })

  test('is masked everywhere where one fact alone tells so, also for its filters', async () => {
    const rule = '{ member: amount, operator: gt, values: [20] }'
    expect(await askShop(rule)).toEqual([['hidden', '460', '18']])
    expect(await askShop(rule, isUs)).toEqual([])
  })
})

test.each(['all', 'masked', 'hidden'])(
  'a default filter on what one fact owns holds for that fact, for %s',
  async group => {
    const model = modelOf(`cubes:
  - name: orders
    sql: SELECT * FROM (VALUES (1, 10), (2, 400)) AS rows(id, amount)
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true }
      - { name: amount, sql: amount, type: number }
    measures: [{ name: revenue, sql: amount, type: sum }]
  - name: visits
    sql: SELECT * FROM (VALUES (1, 5), (2, 6)) AS rows(id, pages)
    dimensions: [{ name: id, sql: id, type: number, primary_key: true }]
    measures: [{ name: pages, sql: pages, type: sum }]
views:
  - name: both
    cubes:
      - { join_path: orders, includes: [revenue, amount] }
      - { join_path: visits, includes: [pages] }
    default_filters: [{ member: amount, operator: gt, values: ["20"] }]
    access_policy:
      - { group: all }
      - { group: masked, member_level: { excludes: [amount] }, member_masking: { includes: [amount] } }
      - { group: hidden, member_level: { excludes: [amount] } }
`)
    const context: QueryContext = { ...everyone, groups: [group] }
    const database = await openDatabase()
    const asked = { measures: ['both.revenue', 'both.pages'] }
    expect(await database.query(compileFor(model, asked, 'duckdb', context))).toEqual([['400', '11']])
    database.close()
  },
)
