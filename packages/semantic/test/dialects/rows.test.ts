import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { DialectName } from '../../src/index.ts'
import { openDatabase } from '../support/database.ts'
import { type Answer, availableEngines, comparable, duckdbRows } from '../support/engines.ts'
import { goldenData, readGoldenCases } from '../support/golden.ts'
import { compileFor, modelOf } from '../support/model.ts'

const { engines, close } = await availableEngines()
afterAll(close)

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
  links: { dialects: ['sqlserver'], why: 'sqlglot takes + for that of numbers' },
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
    const statements = cases.map(({ model, query }) => compileFor(model, query, dialect))
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
