import { join } from 'node:path'
import { expect, test } from 'vitest'
import { dialectNames } from '../../src/index.ts'
import { readGoldenCases } from '../support/golden.ts'
import { compileFor } from '../support/model.ts'

/** Cases that show what dialects differ in. DuckDB's and PostgreSQL's texts stand beside each golden case. */
const chosen = [
  'aggregates-by-dimension',
  'boolean-and-geo',
  'custom-granularities',
  'date-filters',
  'fan-out-both-sides',
  'granularities-of-months-and-days',
  'links',
  'measure-filters-and-having',
  'multi-fact',
  'order-limit-offset',
  'text-filters',
  'weeks-and-hours',
]
const cases = readGoldenCases().filter(({ name }) => chosen.includes(name))

test.each(dialectNames.filter(name => name !== 'duckdb' && name !== 'postgres'))('SQL of %s', async dialect => {
  const sections = cases.map(({ name, model, query, caller }) => {
    const { sql, parameters } = compileFor(model, query, dialect, caller)
    return `-- ${name}\n${sql}\n-- ${JSON.stringify(parameters)}\n`
  })
  expect(cases.map(({ name }) => name)).toEqual(chosen)
  await expect(sections.join('\n')).toMatchFileSnapshot(join(import.meta.dirname, `${dialect}.sql`))
})
