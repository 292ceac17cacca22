import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { compileModel } from '../src/index.ts'
import { problemCodes } from '../src/messages/model-messages.ts'
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

test('what the page calls refused is refused, and it lists all that is', () => {
  const [, section = ''] = page.split('## Not in this version')
  const [table = ''] = section.split('\n## ')
  const rows = [...table.matchAll(/^\| ([\w ]+) \| (.*) \|$/gm)].map(([, place, cell]) => [place, cell])
  expect(rows.slice(1)).toEqual([['files', '`.ts` below `model/`; Python is not run']])
  const refused = compileModel([{ path: 'model/orders.ts', content: 'cube("orders", {})' }]).problems
  expect(refused.map(({ code }) => code)).toEqual(['file_unsupported'])
  const unsupported = problemCodes.filter(code => code.endsWith('unsupported'))
  expect(unsupported.toSorted()).toEqual(['file_unsupported', 'js_unsupported'])
})
