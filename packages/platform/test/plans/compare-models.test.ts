import { compileModel } from '@hedron/semantic'
import { expect, test } from 'vitest'
import { compareModels } from '../../src/plans/compare-models.ts'

const project = (count: string, extra = '') => {
  const { model, problems } = compileModel([
    {
      path: 'model/orders.yml',
      content: `cubes:
  - name: orders
    sql_table: orders
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true }
    measures:
      - { name: count, ${count} }
      - { name: double, type: number, sql: "{count} * 2" }
      - { name: total, type: sum, sql: amount }
${extra}views:
  - name: shown
    cubes:
      - join_path: orders
        includes: [count, total]
`,
    },
  ])
  if (model === null) throw new Error(JSON.stringify(problems))
  return model
}

test('nothing changes between a model and itself, wherever in its file it is written', () => {
  const model = project('type: count')
  expect(compareModels(model, project('type: count'))).toEqual({ added: [], changed: [], removed: [], affected: [] })
})

test('a changed measure affects what is computed from it and shows it, and nothing else', () => {
  expect(compareModels(project('type: count'), project('type: count_distinct, sql: id'))).toEqual({
    added: [],
    changed: ['orders.count'],
    removed: [],
    affected: ['orders.double', 'shown.count'],
  })
})

test('a measure that comes is added', () => {
  const longer = project('type: count', '      - { name: most, type: max, sql: amount }\n')
  expect(compareModels(project('type: count'), longer)).toMatchObject({ added: ['orders.most'], changed: [] })
  expect(compareModels(longer, project('type: count'))).toMatchObject({ removed: ['orders.most'] })
})

test('of no model everything is added', () => {
  expect(compareModels(null, project('type: count')).added).toContain('orders.count')
})
