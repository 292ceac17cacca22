import { describe, expect, test } from 'vitest'
import { questionsOfWhy, towards } from '../src/explain/explain.ts'
import { type AnalystMember, type AnalystModel, analyse, vocabularyOf, writeStatement } from '../src/index.ts'
import { readPeriod } from '../src/times/read-period.ts'
import { stem } from '../src/words/stem.ts'
import { tokenize } from '../src/words/tokens.ts'

const member = (name: string, more: Partial<AnalystMember>): AnalystMember => ({
  name,
  title: name,
  shortTitle: name.slice(name.indexOf('.') + 1).replaceAll('_', ' '),
  description: null,
  aiContext: null,
  synonyms: [],
  kind: 'dimension',
  type: 'string',
  aggType: null,
  format: null,
  currency: null,
  primaryKey: false,
  granularities: [],
  values: null,
  ...more,
})

const cube = (name: string) => ({
  name,
  type: 'cube' as const,
  title: name,
  description: null,
  aiContext: null,
  joins: [],
  members: [
    member(`${name}.count`, { kind: 'measure', type: 'number', aggType: 'count' }),
    member(`${name}.revenue`, { kind: 'measure', type: 'number', aggType: 'sum' }),
    member(`${name}.city`, {}),
    member(`${name}.status`, {}),
    member(`${name}.created_at`, { type: 'time' }),
  ],
})

const ask = (
  model: AnalystModel,
  question: string,
  cities: readonly string[] = [],
  before: Parameters<typeof analyse>[1]['before'] = null,
) =>
  analyse(question, {
    model,
    now: new Date('2025-07-15T10:00:00Z'),
    timeZone: 'UTC',
    preferred: null,
    before,
    lookUp: async sql => ({
      columns: ['value'],
      rows: sql.includes('"city"') ? cities.map(city => [city]) : [],
      complete: true,
    }),
  })

describe('what a question names is written as names and literals', () => {
  const model = { cubes: [cube('orders')] }

  test('quotes in a value are doubled', async () => {
    const reading = await ask(model, `orders in O'Fallon`, [`O'Fallon`])
    if (reading?.outcome.kind !== 'question') throw new Error('not understood')
    const { sql } = writeStatement(reading.outcome.question, vocabularyOf(model))
    expect(sql).toContain(`"orders"."city" = 'O''Fallon'`)
  })

  test.each([
    "orders'; DROP TABLE orders; --",
    'SELECT * FROM pg_catalog.pg_user',
    'orders UNION SELECT password FROM users',
    'orders where 1=1 or secret is not null',
  ])('SQL in a question is no question: %s', async question => {
    const reading = await ask(model, question)
    expect(reading?.outcome.kind).toBe('problem')
  })
})

test('a word that nothing explains is named, and nothing is answered', async () => {
  const reading = await ask({ cubes: [cube('orders')] }, 'revenue by gizmo')
  expect(reading?.outcome).toEqual({ kind: 'problem', problem: { kind: 'unknown', words: 'gizmo' } })
})

describe('a comparison after another question', () => {
  const model = { cubes: [cube('orders')] }
  const after = async (first: string, then: string) => {
    const reading = await ask(model, first)
    if (reading?.outcome.kind !== 'question') throw new Error('not understood')
    return (await ask(model, then, [], reading.outcome.question))?.outcome
  }

  test('of two periods is of these two', async () => {
    expect(await after('revenue by city', 'compare April with March')).toMatchObject({
      question: {
        dimensions: ['orders.city'],
        time: { range: { from: '2025-04-01', to: '2025-05-01' } },
        compare: { from: '2025-03-01', to: '2025-04-01' },
      },
    })
  })

  test('with one period is of the period before', async () => {
    expect(await after('revenue in April 2025', 'compared with March 2025')).toMatchObject({
      question: {
        time: { range: { from: '2025-04-01', to: '2025-05-01' } },
        compare: { from: '2025-03-01', to: '2025-04-01' },
      },
    })
  })

  test('with one period, where none was asked before, is asked back', async () => {
    expect(await after('revenue by city', 'compared with March 2025')).toMatchObject({
      kind: 'problem',
      problem: { kind: 'impossible' },
    })
  })
})

test('why a number fell is answered with the parts that fell most first, however small they are now', async () => {
  const model = { cubes: [cube('orders')] }
  const reading = await ask(model, 'revenue in April 2025 compared with March 2025')
  if (reading?.outcome.kind !== 'question') throw new Error('not understood')
  const vocabulary = vocabularyOf(model)
  const [, byPart] = questionsOfWhy(reading.outcome.question, vocabulary)
  if (!byPart) throw new Error('nothing to look into')
  const { sql, columns } = writeStatement(towards(byPart, -5), vocabulary)
  const place = columns.findIndex(({ role }) => role === 'change') + 1
  expect(sql).toContain(`ORDER BY ${place} ASC`)
  expect(writeStatement(towards(byPart, 5), vocabulary).sql).toContain(`ORDER BY ${place} DESC`)
})

test('a question that is too long is not cut', async () => {
  expect(await ask({ cubes: [cube('orders')] }, `orders ${'x'.repeat(3_000)}`)).toBeNull()
})

test('forms of a word have one stem, and words that look alike have not', () => {
  expect(new Set(['delay', 'delays', 'delayed'].map(stem)).size).toBe(1)
  expect(new Set(['ship', 'shipped', 'shipping', 'shipment'].map(stem)).size).toBe(1)
  expect(stem('rating')).not.toBe(stem('rate'))
  expect(stem('department')).not.toBe(stem('departure'))
})

test.each([
  ['March 2001', '2001-03-01', '2001-04-01'],
  ['last month', '2025-06-01', '2025-07-01'],
  ['last 7 days', '2025-07-08', '2025-07-15'],
  ['first half of 2024', '2024-01-01', '2024-07-01'],
  ['from March to May 2001', '2001-03-01', '2001-06-01'],
  ['between 2001-02-10 and 2001-02-20', '2001-02-10', '2001-02-21'],
  ['year to date', '2025-01-01', '2025-07-16'],
  ['August', '2024-08-01', '2024-09-01'],
])('the period “%s” is from %s to before %s', (words, from, to) => {
  const phrase = readPeriod(tokenize(words), 0, { today: '2025-07-15', latest: null })
  expect(phrase).toMatchObject({ kind: 'range', range: { from, to }, length: tokenize(words).length })
})

test('a model of 1,000 cubes is indexed and asked without anybody waiting', async () => {
  const model = { cubes: Array.from({ length: 1_000 }, (_, index) => cube(`table_${index}`)) }
  const started = performance.now()
  vocabularyOf(model)
  const indexed = performance.now()
  const reading = await ask(model, 'revenue of table 500 by city and month')
  const read = performance.now()
  console.info(`index ${(indexed - started).toFixed(0)} ms, question ${(read - indexed).toFixed(0)} ms`)
  expect(reading).not.toBeNull()
  // Far above what either takes, so that a busy machine fails no test.
  expect(indexed - started).toBeLessThan(60_000)
  expect(read - indexed).toBeLessThan(20_000)
})
