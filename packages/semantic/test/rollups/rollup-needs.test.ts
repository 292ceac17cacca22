import { expect, test } from 'vitest'
import { describeRollupNeeds, normalizeQuery } from '../../src/index.ts'
import { everyone, modelOf, options } from '../support/model.ts'

const model = modelOf(`cubes:
  - name: orders
    sql_table: orders
    joins: [{ name: items, sql: "{CUBE}.id = {items}.order_id", relationship: one_to_many }]
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true }
      - { name: city, sql: city, type: string }
      - { name: at, sql: at, type: time }
    segments: [{ name: paid, sql: "{CUBE}.status = 'paid'" }]
    measures:
      - { name: total, sql: amount, type: sum }
      - { name: secret, sql: amount, type: max }
      - { name: buyers, sql: buyer, type: count_distinct }
      - { name: lately, sql: amount, type: sum, rolling_window: { trailing: 7 day } }
      - { name: share, sql: "{secret} / {total}", type: number }
    access_policy: [{ group: "*", member_level: { excludes: [secret] } }]
  - name: items
    sql_table: items
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true }
      - { name: kind, sql: kind, type: string }
`)
const needs = (query: unknown) => describeRollupNeeds(model, normalizeQuery(model, query, options), everyone)

test('names all that a rollup needs, filters and segments too', () => {
  expect(
    needs({
      measures: ['orders.total'],
      segments: ['orders.paid'],
      filters: [
        {
          or: [
            { member: 'orders.city', operator: 'equals', values: ['Oslo'] },
            { member: 'orders.id', operator: 'set' },
          ],
        },
      ],
      timeDimensions: [{ dimension: 'orders.at', dateRange: ['2024-01-01', '2024-01-31'] }],
    }),
  ).toMatchObject({
    sortedDimensions: ['orders.city', 'orders.id', 'orders.paid'],
    sortedTimeDimensions: [],
    timeDimensions: [['orders.at', null]],
    hasNoTimeDimensionsWithoutGranularity: false,
    allFiltersWithinSelectedDimensions: false,
    filterDimensionsSingleValueEqual: [],
  })
})

test('tells what can be added up, what joins repeat, and windows', () => {
  expect(needs({ measures: ['orders.total'] })).toMatchObject({ isAdditive: true, hasMultipliedMeasures: false })
  expect(needs({ measures: ['orders.buyers'] })).toMatchObject({ isAdditive: false, leafMeasureAdditive: false })
  expect(needs({ measures: ['orders.total'], dimensions: ['items.kind'] })).toMatchObject({
    hasMultipliedMeasures: true,
  })
  expect(needs({ measures: ['orders.lately'] })).toMatchObject({ hasCumulativeMeasures: true })
})

test('names no measure that policies keep from the caller', () => {
  const found = needs({ measures: ['orders.share'] })
  expect(found.leafMeasures).toEqual(['orders.share', 'orders.total'])
  expect(JSON.stringify(found)).not.toContain('secret')
})
