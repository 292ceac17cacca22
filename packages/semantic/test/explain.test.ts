import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { explainQuery, normalizeQuery } from '../src/index.ts'
import { everyone, modelOf, options } from './support/model.ts'

/** test/explain/<case>.yml is a model; its queries, beside it in <case>.json, are explained in <case>.txt. */
const folder = join(import.meta.dirname, 'explain')
const cases = readdirSync(folder).flatMap(file => (file.endsWith('.yml') ? [file.slice(0, -4)] : []))
const read = (file: string) => readFileSync(join(folder, file), 'utf8')

test.each(cases)('%s', async name => {
  const model = modelOf(read(`${name}.yml`))
  const queries: unknown = JSON.parse(read(`${name}.json`))
  if (!Array.isArray(queries)) throw new Error(`${name}.json is not a list of queries`)
  const written = queries.map((query: unknown) => {
    const { text } = explainQuery(model, normalizeQuery(model, query, options), everyone)
    return `${JSON.stringify(query)}\n${text.map(line => `  ${line}\n`).join('')}`
  })
  await expect(written.join('\n')).toMatchFileSnapshot(join(folder, `${name}.txt`))
})

test('what was planned is told in data too', () => {
  const model = modelOf(read('shop.yml'))
  const query = { measures: ['orders.revenue'], dimensions: ['line_items.product'] }
  const explanation = explainQuery(model, normalizeQuery(model, query, options), everyone)
  expect(explanation).toMatchObject({
    parts: [
      { root: 'orders', because: 'only', joins: [{ from: 'orders', to: 'line_items', relationship: 'one_to_many' }] },
    ],
    grain: ['line_items.product'],
    measures: [
      {
        member: 'orders.revenue',
        leaves: [{ id: 'orders.revenue', type: 'sum', how: 'keyed', repeatedBy: ['orders -> line_items'] }],
      },
    ],
    rollup: null,
    refusedRollups: [{ id: { cube: 'orders', name: 'by_day' } }],
  })
})
