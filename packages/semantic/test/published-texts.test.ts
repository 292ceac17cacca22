import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { QueryContext } from '../src/index.ts'
import { compileFor, everyone, modelOf } from './support/model.ts'

/** What data-model.md lists as texts of errors has a golden case each: of models in test/problems, of queries in test/query-problems. */

const model = modelOf(`
cubes:
  - name: visits
    sql_table: visits
    joins:
      - { name: shops, sql: "{CUBE}.shop_id = {shops.id}", relationship: many_to_one }
      - { name: staff, sql: "{CUBE}.staff_id = {staff.id}", relationship: many_to_one }
      - { name: far, sql: "{CUBE}.far_id = {far.id}", relationship: many_to_one }
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true }
      - { name: at, sql: at, type: time }
      - { name: of_shop, sql: "{shops.towns.name}", type: string }
      - { name: of_staff, sql: "{staff.towns.name}", type: string }
    measures:
      - { name: count, type: count }
      - { name: lately, sql: amount, type: sum, rolling_window: { trailing: 7 day } }
      - { name: secret, type: count, public: false }
  - name: shops
    sql_table: shops
    joins: [{ name: towns, sql: "{CUBE}.town_id = {towns.id}", relationship: many_to_one }]
    dimensions: [{ name: id, sql: id, type: number, primary_key: true }]
    measures: [{ name: seats_per_visit, type: number, sql: "sum({CUBE}.seats) / {visits.count}" }]
  - name: staff
    sql_table: staff
    joins: [{ name: towns, sql: "{CUBE}.town_id = {towns.id}", relationship: many_to_one }]
    dimensions: [{ name: id, sql: id, type: number, primary_key: true }]
  - name: towns
    sql_table: towns
    dimensions: [{ name: id, sql: id, type: number, primary_key: true }, { name: name, sql: name, type: string }]
  - name: far
    sql_table: far
    data_source: other
    dimensions: [{ name: id, sql: id, type: number, primary_key: true, public: true }]
  - name: alone
    sql: "SELECT * FROM alone WHERE {SECURITY_CONTEXT.tenant.requiredFilter('tenant')}"
    measures: [{ name: count, type: count }]
`)

const strict: QueryContext = { ...everyone, allowUngroupedWithoutPrimaryKey: false }
const day = { dimension: 'visits.at', granularity: 'day' }
const or = [
  { member: 'visits.count', operator: 'gt', values: ['1'] },
  { member: 'visits.of_shop', operator: 'equals', values: ['a'] },
]
const queries: Readonly<Record<string, readonly [query: object, context?: QueryContext]>> = {
  'a cube that is not there': [{ measures: ['visit.count'] }],
  'a member that is not there': [{ measures: ['visits.counts'] }],
  'a dimension among measures': [{ measures: ['visits.at'] }],
  'a hidden member': [{ measures: ['visits.secret'] }],
  'a loop of joins': [{ measures: ['visits.count'], dimensions: ['visits.of_shop', 'visits.of_staff'] }],
  'cubes that nothing joins': [{ measures: ['alone.count'], dimensions: ['towns.name'] }],
  'two data sources': [{ measures: ['visits.count'], dimensions: ['far.id'] }],
  'an aggregate over foreign rows': [{ measures: ['shops.seats_per_visit'] }],
  'a filter that the security context lacks': [{ measures: ['alone.count'] }],
  'a measure and a dimension in one condition': [{ measures: ['visits.count'], filters: [{ or }] }],
  'ungrouped rows without their keys': [{ measures: ['visits.count'], ungrouped: true }, strict],
  'a filter of a measure in ungrouped rows': [
    {
      dimensions: ['visits.of_shop'],
      filters: [{ member: 'visits.count', operator: 'gt', values: ['1'] }],
      ungrouped: true,
    },
  ],
  'a series of time without its ends': [{ measures: ['visits.lately'], timeDimensions: [day] }],
  'a date that is none': [{ measures: ['visits.count'], timeDimensions: [{ ...day, dateRange: 'once upon a time' }] }],
}

function refusalOf([query, context = everyone]: readonly [query: object, context?: QueryContext]): string {
  try {
    compileFor(model, query, 'duckdb', context)
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
  throw new Error(`${JSON.stringify(query)} was answered`)
}

const goldenQueries = Object.entries(queries).map(([name, query]) => `${name}\n  ${refusalOf(query)}\n`)

test('queries are refused with these words', async () => {
  await expect(goldenQueries.join('')).toMatchFileSnapshot(join(import.meta.dirname, 'query-problems', 'expected.txt'))
})

const folder = join(import.meta.dirname, 'problems')
const goldenModels = readdirSync(folder)
  .map(code => readFileSync(join(folder, code, 'expected.txt'), 'utf8'))
  .join('')

test.each([
  /Found duplicate cube name 'orders'\./,
  /Found duplicate view name 'orders'\./,
  /Found duplicate view group name '\w+'\./,
  /\w+ defined more than once/,
  /name isn't defined for measure: \{.*\}/,
  /\w+s must be defined as array/,
  /\w+\.\w+ cannot be resolved\. There's no such member or cube\./,
  /View group "\w+" already exists!/,
  /\([\w.]+ = .*\) does not match regexp: \/\^\(\\d\+\) \(second\|minute\|hour\|day\|week\)s\?\$\//,
  /Your cron string \('.*'\) is correct, but we support only equal time intervals\./,
  /\(?[\w.]+\)? is required/,
  /"\w+" is not allowed/,
  /accessPolicy for \w+ defines memberMasking without memberLevel\. memberLevel is required when memberMasking is used/,
  /FILTER_GROUP expects FILTER_PARAMS args to be passed\./,
  /COMPILE_CONTEXT can't be used unless contextToAppId is defined\./,
])('%s is in a golden case of a model', text => {
  expect(goldenModels).toMatch(text)
})

test.each([
  /Cube 'visit' not found for path 'visit\.count'/,
  /'counts' not found for path 'visits\.counts'/,
  /You cannot use dimension and measure in same condition: /,
  /Ungrouped query requires primary keys to be present in dimensions: 'visits\.id'\. Pass allowUngroupedWithoutPrimaryKey/,
  /Measure filters aren't allowed in ungrouped query/,
  /Time series queries without dateRange aren't supported/,
  /You requested hidden member: 'visits\.secret'\. Please make it visible using `public: true`\./,
  /potential loop detected/,
  /Can't find join path to join 'alone', 'towns'/,
  /To join across data sources use rollupJoin with Cube Store/,
  /Member 'shops\.seats_per_visit' references foreign cubes: visits\. Please split and move/,
  /Filter for tenant is required/,
  /Can't parse date: 'once upon a time'/,
])('%s is in a golden case of a query', text => {
  expect(goldenQueries.join('')).toMatch(text)
})
