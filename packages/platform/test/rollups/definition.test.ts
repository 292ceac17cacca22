import { readDataSources } from '@hedron/query'
import { compileModel } from '@hedron/semantic'
import { expect, test } from 'vitest'
import { defineRollup } from '../../src/rollups/definition.ts'

test.each([
  ['', '', 'orders_by_status'],
  ['', 'sql_alias: short', 'orders_short'],
  ['sql_alias: o', '', 'o_by_status'],
  ['sql_alias: o', 'sql_alias: short', 'o_short'],
])('sql_alias of a cube (%j) and of a pre-aggregation (%j) name the table: %s', (ofCube, ofRollup, name) => {
  const content = `
cubes:
  - name: orders
    ${ofCube}
    sql_table: orders
    dimensions: [{ name: status, sql: status, type: string }]
    measures: [{ name: count, type: count }]
    pre_aggregations:
      - name: by_status
        ${ofRollup}
        measures: [count]
        dimensions: [status]
`
  const { model } = compileModel([{ path: 'model/model.yml', content }])
  const sources = readDataSources({}, { dataDirectory: '/nowhere' })
  const place = { accountId: 1, deploymentId: 1, sourceOf: (source: string) => sources.get(source) }
  if (!model) throw new Error('The model is not sound')
  expect(defineRollup(model, { cube: 'orders', name: 'by_status' }, 'UTC', place).tableName).toBe(name)
})
