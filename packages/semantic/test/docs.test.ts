import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { compileModel } from '../src/index.ts'
import { compileFor, modelOf } from './support/model.ts'

/** docs/data-model.md: each yaml block is a whole model file, each json block a query of the model before it. */
const page = readFileSync(join(import.meta.dirname, '../../../docs/data-model.md'), 'utf8')

interface Block {
  readonly language: string
  readonly line: number
  readonly content: string
}

const blocks: Block[] = [...page.matchAll(/^```(\w*)\n(.*?)^```$/gms)].map(
  ({ 1: language = '', 2: content = '', index }) => ({
    language,
    line: page.slice(0, index).split('\n').length + 1,
    content,
  }),
)
const models = blocks.filter(({ language }) => language === 'yaml')
const queries = blocks.filter(({ language }) => language === 'json')

test('the page has models and queries, and nothing that is not tested', () => {
  expect(models.length).toBeGreaterThan(5)
  expect(queries.length).toBeGreaterThan(5)
  expect(blocks.length).toBe(models.length + queries.length)
})

test.each(models)('the model at line $line compiles', ({ content }) => {
  expect(compileModel([{ path: 'model/model.yml', content }]).problems).toEqual([])
})

test.each(queries)('the query at line $line compiles', ({ line, content }) => {
  const model = models.findLast(before => before.line < line)
  const query: unknown = JSON.parse(content)
  for (const dialect of ['duckdb', 'postgres'] as const) {
    expect(compileFor(modelOf(model?.content ?? ''), query, dialect).sql).toMatch(/^(SELECT|WITH)\s/)
  }
})

/** Where a row of the table stands for a key, with the rest of a sound model around it. */
const places: Readonly<Record<string, (written: string) => string>> = {
  dimensions: key => cube({ dimensions: `{ name: d, ${own(key, 'type: string')}, sql: x }` }),
  'case of dimensions': key =>
    cube({ dimensions: `{ name: d, type: string, case: { when: [{ sql: x, label: y }], ${key} } }` }),
  measures: key => cube({ measures: `{ name: m, ${own(key, 'type: sum')}, sql: x }` }),
  segments: key => cube({ segments: `{ name: s, sql: x, ${key} }` }),
  views: key => `${cube({})}views:\n  - { name: v, cubes: [{ join_path: orders, includes: "*" }], ${key} }\n`,
  'cubes of views': key =>
    `${cube({})}views:\n  - { name: v, cubes: [{ join_path: orders, includes: "*", ${key} }] }\n`,
  'refresh keys': key => cube({ key: `refresh_key: { ${own(key, 'every: 1 hour')} }` }),
  SQL: reference => cube({ segments: `{ name: s, sql: "${reference} = 1" }` }),
}

const own = (key: string, usual: string) => (key.startsWith(usual.split(':')[0] ?? '') ? key : `${usual}, ${key}`)

const cube = ({ key = '', dimensions = '', measures = '', segments = '' }) => `cubes:
  - name: orders
    sql_table: orders
    dimensions: [${dimensions}]
    measures: [${measures}]
    segments: [${segments}]
    ${key}
`

describe('what the page calls refused is refused', () => {
  const [, table = ''] = page.split('## Not in this version')
  for (const [, place = '', cell = ''] of table.matchAll(/^\| ([\w ]+) \| (.*) \|$/gm)) {
    const write = places[place]
    if (!write) continue
    test.each([...cell.matchAll(/`([^`]+)`/g)].map(([, written = '']) => written))(`${place}: %s`, written => {
      const key = /[:{]/.test(written) ? written : `${written}: x`
      const content = write(key)
      const codes = compileModel([{ path: 'model/model.yml', content }]).problems.map(({ code }) => code)
      expect(codes).toHaveLength(1)
      expect(codes[0]).toMatch(/^unsupported/)
    })
  }
})
