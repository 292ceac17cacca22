import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { DialectName } from '../../src/index.ts'
import { openDatabase } from '../support/database.ts'
import { type Answer, availableEngines, comparable, duckdbRows } from '../support/engines.ts'
import { goldenData, readGoldenCases } from '../support/golden.ts'
import { compileFor, modelOf } from '../support/model.ts'

const { engines, close } = await availableEngines()
afterAll(close)

const noOuterJoin = 'DuckDB has no outer join on EXISTS'

/**
 * Golden cases that an engine can't tell about, and why. Cases whose model calls a function that the database hasn't are
 * left out by themselves: models are written for DuckDB.
 */
const left: Readonly<Record<string, { readonly dialects: readonly DialectName[]; readonly why: string }>> = {
  'text-filters': {
    dialects: ['bigquery', 'redshift', 'databricks'],
    why: 'LIKE of DuckDB, where the translation is run, has no escape unless it is told',
  },
  'boolean-and-geo': { dialects: ['sqlserver'], why: 'sqlglot takes + for that of numbers' },
  'multi-fact': {
    dialects: ['clickhouse', 'sqlserver'],
    why: 'the model divides decimals, of which ClickHouse keeps two digits; DuckDB has no outer join on EXISTS',
  },
  'multi-fact-keyed': { dialects: ['sqlserver'], why: noOuterJoin },
  ...Object.fromEntries(
    ['calendar-periods-of-range', 'calendar-periods-by-name'].map(name => [
      name,
      { dialects: ['bigquery'], why: "its author's date_trunc takes its arguments the other way round there" },
    ]),
  ),
  ...Object.fromEntries(
    ['calendar-shift-by-name', 'calendar-shift-by-interval'].map(name => [
      name,
      { dialects: ['sqlserver'], why: noOuterJoin },
    ]),
  ),
  links: { dialects: ['sqlserver'], why: 'sqlglot takes + for that of numbers' },
  ...Object.fromEntries(
    [
      'running-total',
      'stages-rolling-days-in-berlin',
      'stages-rolling-fan-out',
      'stages-filters',
      'stages-nested',
      'stages-rank',
      'stages-rank-as-filter',
      'stages-rolling-range',
    ].map(name => [name, { dialects: ['sqlserver'], why: noOuterJoin }]),
  ),
  ...Object.fromEntries(
    [
      'stages-shares',
      'stages-switch',
      'stages-case-of-rows',
      'stages-dimension',
      'stages-dimension-alone',
      'stages-dimension-filter',
      'stages-dimension-nested',
      'stages-dimension-of-query',
      'stages-dimension-switch',
      'stages-dimension-time',
    ].map(name => [name, { dialects: ['sqlserver'], why: noOuterJoin }]),
  ),
}

const missingFunction = /FUNCTION (?:hedron\.)?(\w+) does not exist|Function with name [`']?(\w+)[`']? does not exist/i

/** Whether a model's author called a function of DuckDB that this database hasn't. */
function isOfAuthor(answer: Answer, yaml: string): boolean {
  const [, ...names] = (typeof answer === 'string' ? missingFunction.exec(answer) : null) ?? []
  return names.some(name => name !== undefined && yaml.includes(`${name}(`))
}

describe.each(engines)('SQL of $dialect, read by $name', ({ dialect, answer }) => {
  test('finds the rows of every golden case', { timeout: 120_000 }, async () => {
    const cases = readGoldenCases().filter(({ name }) => !left[name]?.dialects.includes(dialect))
    const statements = cases.map(({ model, query, caller }) => compileFor(model, query, dialect, caller))
    const answers = await answer([goldenData], statements)
    const database = await openDatabase(goldenData)
    const found: Record<string, Answer> = {}
    const expected: Record<string, Answer> = {}
    for (const [index, { name, yaml, reference }] of cases.entries()) {
      const rows = answers[index] ?? 'no answer'
      if (isOfAuthor(rows, yaml)) continue
      found[name] = rows
      expected[name] = await duckdbRows(database, reference)
    }
    database.close()
    expect(found).toEqual(expected)
    expect(Object.keys(found).length).toBeGreaterThan(35)
  })

  test('cuts time as DuckDB does', { timeout: 120_000 }, async () => {
    const statements = timeQueries.map(query => compileFor(timeModel, query, dialect))
    const found = await answer([ticks], statements)
    expect(Object.fromEntries(found.map((rows, index) => [timeNames[index], rows]))).toEqual(times)
  })
})

describe.each(engines)('SQL of $dialect, read by $name', ({ dialect, answer }) => {
  test('orders, cuts, counts and filters as DuckDB does', { timeout: 120_000 }, async () => {
    const asked = questions.filter(({ left: dialects }) => !dialects?.includes(dialect))
    const statementsOf = (name: DialectName) =>
      asked.flatMap(({ query }) => {
        const { total, ...rows } = compileFor(wordsModel, { ...query, total: true }, name)
        return total ? [rows, total] : [rows]
      })
    const database = await openDatabase(words)
    const expected: Answer[] = []
    for (const statement of statementsOf('duckdb')) {
      expected.push((await database.query(statement)).map(row => row.map(comparable)))
    }
    database.close()
    expect(await answer([words], statementsOf(dialect))).toEqual(expected)
  })
})

test('no engine is silently absent', () => {
  const all = ['mysql', 'clickhouse', 'trino', 'bigquery', 'snowflake', 'redshift', 'databricks', 'sqlserver']
  const absent = all.filter(dialect => !engines.some(engine => engine.dialect === dialect))
  if (absent.length > 0) {
    process.stderr.write(
      `Rows of ${absent.join(', ')} are not checked. MariaDB (apt-get install mariadb-server) reads mysql; a Python with sqlglot and chdb (HEDRON_TEST_PYTHON) the others.\n`,
    )
  }
  expect(engines.length + absent.length).toBe(all.length)
})

const words = `create table words (id integer, word varchar, price decimal(10, 2), is_old boolean);
insert into words values (1, 'a%b', 1.50, true), (2, 'A_B', 2.25, false), (3, 'a[b]c', NULL, NULL), (4, NULL, 10.00, true),
  (5, 'it''s "x"', 0.00, false), (6, 'axb', -3.10, true), (7, 'ÄB', 7.00, NULL), (8, 'what?', 7.00, true);`

const wordsModel = modelOf(`
cubes:
  - name: words
    sql_table: words
    measures:
      - { name: count, type: count }
      - { name: total, sql: price, type: sum }
      - { name: mean, sql: id, type: avg }
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true, public: true }
      - { name: word, sql: word, type: string }
      - { name: price, sql: price, type: number }
      - { name: is_old, sql: is_old, type: boolean }
`)

const idsWhere = (...filters: object[]) => ({ dimensions: ['words.id'], filters })
const filter = (member: string, operator: string, ...values: (string | null)[]) => ({
  member: `words.${member}`,
  operator,
  values,
})
const allMeasures = ['words.count', 'words.total', 'words.mean']
/** LIKE of DuckDB, where the translation is run, has no escape unless it is told. */
const escapes: DialectName[] = ['bigquery', 'redshift', 'databricks']
const questions: readonly { readonly query: object; readonly left?: readonly DialectName[] }[] = [
  { query: { measures: allMeasures } },
  { query: { measures: allMeasures, dimensions: ['words.is_old'] } },
  { query: { measures: allMeasures, dimensions: ['words.is_old'], order: { 'words.is_old': 'desc' }, limit: 2 } },
  {
    query: { measures: allMeasures, dimensions: ['words.word'], order: { 'words.total': 'asc', 'words.word': 'desc' } },
  },
  { query: { measures: ['words.count'], dimensions: ['words.price'], limit: 3, offset: 2 } },
  { query: { measures: ['words.count'], dimensions: ['words.price'], limit: 0 } },
  { query: { measures: ['words.count'], dimensions: ['words.price'], limit: 0, offset: 3 } },
  {
    query: {
      measures: ['words.count'],
      dimensions: ['words.id'],
      ungrouped: true,
      order: { 'words.id': 'desc' },
      offset: 6,
    },
  },
  { query: { measures: ['words.count'], dimensions: ['words.id'], filters: [filter('total', 'gt', '1.5')] } },
  { query: idsWhere(filter('word', 'equals', 'a%b', null)) },
  { query: idsWhere(filter('word', 'notEquals', 'a%b', 'what?')) },
  { query: idsWhere(filter('word', 'equals', 'it\'s "x"')) },
  { query: idsWhere(filter('is_old', 'equals', 'true')) },
  { query: idsWhere(filter('is_old', 'notEquals', 'true')) },
  { query: idsWhere(filter('price', 'gte', '2.250')) },
  { query: idsWhere(filter('price', 'equals', '7', '1.5', '0')) },
  { query: idsWhere(filter('price', 'lt', '7e0')) },
  { query: idsWhere(filter('word', 'contains', 'B')) },
  { query: idsWhere(filter('word', 'contains', 'ä')) },
  { query: idsWhere(filter('word', 'startsWith', 'a[')) },
  { query: idsWhere(filter('word', 'endsWith', '?', '"')) },
  { query: idsWhere(filter('word', 'notContains', 'a', 'w')) },
  { query: idsWhere(filter('word', 'contains', '%')), left: escapes },
  { query: idsWhere(filter('word', 'notContains', '_', '%')), left: escapes },
]

const granularities = {
  quarter_hour: 'interval: 15 minutes',
  seven_seconds: 'interval: 7 seconds, origin: "2020-01-01"',
  ninety_minutes: 'interval: 90 minutes, origin: "2001-03-04T05:06:07.250"',
  day_and_half: 'interval: 36 hours, origin: "2024-02-29"',
  ten_days: 'interval: 10 days, origin: "2024-02-29T06:30"',
  two_weeks: 'interval: 2 weeks, origin: "2030-01-07"',
  five_months: 'interval: 5 months, origin: "2023-02-10"',
  seven_quarters: 'interval: 7 quarters, origin: "1999-12-31T12:00:00.125"',
  fiscal_year: 'interval: 1 year, offset: 1 month',
  month_and_days: 'interval: 1 month 2 days, origin: "2024-01-31"',
  ends_of_months: 'interval: 1 month, origin: "2024-01-31T06:30:00"',
  year_and_hours: 'interval: 1 year 1 week 3 hours, origin: "2030-02-28T12:00:00.125"',
}

const timeModel = modelOf(`
cubes:
  - name: ticks
    sql_table: ticks
    measures: [{ name: count, type: count }]
    dimensions:
      - name: at
        sql: seen
        type: time
        granularities: [${Object.entries(granularities).map(([name, rest]) => `{ name: ${name}, ${rest} }`)}]
`)

/** Every nine days and a bit for sixty years, and every quarter of an hour where clocks change. */
const moments = [
  ...Array.from({ length: 2400 }, (_, index) => [Date.UTC(1971, 0, 1) + index * 796_387_123, index % 1000] as const),
  ...['2024-03-10', '2024-03-31', '2024-04-06', '2024-10-05', '2024-11-03'].flatMap(day =>
    Array.from({ length: 200 }, (_, index) => [Date.parse(day) + index * 900_000, 0] as const),
  ),
]
const ticks = `create table ticks (seen timestamp);
insert into ticks values ${moments
  .map(
    ([time, micros]) =>
      `('${new Date(time).toISOString().slice(0, -1).replace('T', ' ')}${String(micros).padStart(3, '0')}')`,
  )
  .join(', ')};`

const units = ['second', 'minute', 'hour', 'day', 'week', 'month', 'quarter', 'year']
const timeQueries = ['UTC', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kathmandu'].flatMap(timezone =>
  [...units, ...Object.keys(granularities)].map(granularity => ({
    measures: ['ticks.count'],
    timeDimensions: [{ dimension: 'ticks.at', granularity }],
    timezone,
  })),
)
const timeNames = timeQueries.map(({ timezone, timeDimensions }) => `${timeDimensions[0]?.granularity} in ${timezone}`)

let times: Record<string, unknown>
beforeAll(async () => {
  const database = await openDatabase(ticks)
  const rows: unknown[] = []
  for (const query of timeQueries) {
    const answer = await database.query(compileFor(timeModel, query))
    rows.push(answer.map(row => row.map(comparable)))
  }
  times = Object.fromEntries(rows.map((answer, index) => [timeNames[index] ?? '', answer]))
  database.close()
})
