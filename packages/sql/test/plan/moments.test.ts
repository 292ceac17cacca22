import { DuckDBInstance } from '@duckdb/node-api'
import { expect, test } from 'vitest'
import { normal } from '../oracle/rows.ts'
import { modelOf, planText, statementOf } from '../support/plan-text.ts'

const model = modelOf({
  'model/times.yml': `cubes:
  - name: times
    sql: SELECT 1 AS id, TIMESTAMP '2024-01-01 00:00:00' AS d, 'x' AS s
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true }
      - { name: d, sql: d, type: time }
      - { name: s, sql: s, type: string }
    measures: [{ name: count, type: count }]
`,
})
const plan = (condition: string) => planText(`SELECT MEASURE(count) FROM times WHERE ${condition}`, { model })

test('a range of moments written by patterns is one question to the model, which the data API could ask', async () => {
  const between = `d >= TO_TIMESTAMP('2024-01-01 00:00:00.000000', 'YYYY-MM-DD HH24:MI:SS.US') AND d < TO_DATE('2025-01-01', 'YYYY-MM-DD')`
  const { kind, parts } = await plan(between)
  expect(kind).toBe('regular')
  expect(JSON.stringify(parts[0]?.query.filters)).toContain('"2024-01-01T00:00:00.000"')
})

test.each([
  [`d > TO_TIMESTAMP('2024-02-30', 'YYYY-MM-DD')`, '22008', /out of range/],
  [`d > TO_TIMESTAMP('2024-01-01 24:00', 'YYYY-MM-DD HH24:MI')`, '22008', /out of range/],
  [`d > TO_TIMESTAMP('2024/01/01', 'YYYY-MM-DD')`, '22007', /not written as its pattern/],
  [`d > TO_TIMESTAMP('2024-1-1', 'YYYY-MM-DD')`, '22007', /not written as its pattern/],
  [`d > TO_TIMESTAMP('2024-01-01 more', 'YYYY-MM-DD')`, '22007', /not written as its pattern/],
  [`d > TO_DATE('01 Jan 2024', 'DD Mon YYYY')`, '0A000', /The pattern/],
  [`d > TO_DATE('01-01', 'MM-DD')`, '0A000', /The pattern/],
  [`d > TO_DATE(s, 'YYYY-MM-DD')`, '0A000', /no constant text/],
  [`d > TO_DATE('2024-01-01')`, '42883', /to_date/],
])('%s is refused', async (condition, code, message) => {
  await expect(plan(condition)).rejects.toMatchObject({ code, message: expect.stringMatching(message) })
})

/** What DuckDB gives for values that a statement selects in a session whose clocks show New York's time. */
async function inNewYork(values: string): Promise<unknown[]> {
  const { sql, parameters, positions } = statementOf(
    await planText(`SELECT ${values} FROM times`, { model, timezone: 'America/New_York' }),
  )
  const duckdb = await (await DuckDBInstance.create(':memory:')).connect()
  const [row = []] = (await duckdb.runAndReadAll(sql, [...parameters])).getRows()
  duckdb.closeSync()
  return positions.map(position => normal(row[position]))
}

test('moments are local times of the session, wherever they come from', async () => {
  const moments = `to_timestamp(1705000000), TIMESTAMPTZ '2024-01-11 20:06:40+01', to_timestamp(1705000000) AT TIME ZONE 'Asia/Tokyo',
    d AT TIME ZONE 'Asia/Tokyo', CAST(d AS timestamptz) AT TIME ZONE 'Asia/Tokyo', d`
  expect(await inNewYork(moments)).toEqual([
    '2024-01-11 14:06:40.000',
    '2024-01-11 14:06:40.000',
    '2024-01-12 04:06:40.000',
    '2023-12-31 05:00:00.000',
    '2024-01-01 09:00:00.000',
    '2023-12-31 19:00:00.000',
  ])
})

test('calls inside each other are looked at once each', async () => {
  const inside = (call: string, depth: number) => `${`${call}(`.repeat(depth)}d${')'.repeat(depth)}`
  const { columns } = await planText(`SELECT ${inside('coalesce', 80)}, to_timestamp(1) FROM times`, { model })
  expect(columns.map(({ type }) => type)).toEqual(['timestamp', 'timestamptz'])
})
