import fc from 'fast-check'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Database, openDatabase } from '../support/database.ts'
import { compileFor, modelOf } from '../support/model.ts'
import {
  type Asked,
  aggregates,
  type EventRow,
  naiveRolling,
  naiveShifted,
  naiveToDate,
  type Reach,
  type Unit,
} from '../support/naive-stages.ts'
import { runsOf } from '../support/property-runs.ts'

// Hundreds of queries take seconds where other work shares the machine.
vi.setConfig({ testTimeout: 120_000 })

let database: Database
beforeAll(async () => {
  database = await openDatabase('create table events (id integer, label varchar, amount integer, happened timestamp)')
})
afterAll(() => database.close())

async function fill(rows: readonly EventRow[]): Promise<void> {
  await database.run('delete from events')
  const text = (value: string | null) => (value === null ? 'null' : `'${value}'`)
  const values = rows.map(({ id, label, amount, at }) => `(${id}, ${text(label)}, ${amount}, '${at}')`)
  if (values.length > 0) await database.run(`insert into events values ${values.join(', ')}`)
}

/** Times cluster where calendars are difficult: ends of months, leap days and changes of clocks. */
const moment = fc.oneof(
  fc.constantFrom(
    '2024-01-31T23:59:59.999',
    '2024-02-01T00:00:00.000',
    '2024-02-29T12:00:00.000',
    '2024-03-10T06:30:00.000',
    '2024-03-10T07:30:00.000',
    '2024-03-31T00:30:00.000',
    '2023-12-31T23:00:00.000',
    '2024-11-03T05:30:00.000',
    '2024-11-03T06:30:00.000',
  ),
  fc
    .integer({ min: Date.UTC(2023, 10, 1), max: Date.UTC(2024, 5, 1) })
    .map(time => new Date(Math.floor(time / 60_000) * 60_000).toISOString().slice(0, 23)),
)
const events = fc
  .array(
    fc.record({
      label: fc.constantFrom('a', 'b', null),
      amount: fc.oneof(fc.integer({ min: 1, max: 9 }), fc.constant(null)),
      at: moment,
    }),
    { maxLength: 25 },
  )
  .map(rows => rows.map((row, index): EventRow => ({ id: index + 1, ...row })))

const days = fc
  .integer({ min: 0, max: 150 })
  .map(day => new Date(Date.UTC(2023, 11, 20 + day)).toISOString().slice(0, 10))
const asked = (units: readonly Unit[]) =>
  fc
    .record({
      granularity: fc.constantFrom(...units),
      start: days,
      length: fc.integer({ min: 0, max: 70 }),
      timezone: fc.constantFrom('UTC', 'America/New_York', 'Europe/Berlin', 'Asia/Kathmandu'),
      isGrouped: fc.boolean(),
    })
    .map(({ start, length, ...rest }): Asked => {
      const end = new Date(Date.parse(`${start}T00:00:00Z`) + length * 86_400_000).toISOString().slice(0, 10)
      return { ...rest, range: [start, end] }
    })
const reach: fc.Arbitrary<Reach> = fc.oneof(
  fc.constant(null),
  fc.constant('unbounded' as const),
  fc.record({
    count: fc.integer({ min: -3, max: 40 }),
    unit: fc.constantFrom('hour', 'day', 'week', 'month', 'year'),
  }),
)
const type = fc.constantFrom(...Object.keys(aggregates))

const modelWith = (...measures: string[]) =>
  modelOf(`cubes:
  - name: events
    sql_table: events
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true }
      - { name: label, sql: label, type: string }
      - { name: at, sql: happened, type: time }
    measures:
${measures.map(measure => `      - ${measure}`).join('\n')}
`)

const ask = async (
  model: ReturnType<typeof modelOf>,
  measures: string[],
  { granularity, range, timezone, isGrouped }: Asked,
) => {
  const rows = await database.query(
    compileFor(model, {
      measures,
      dimensions: isGrouped ? ['events.label'] : [],
      timeDimensions: [{ dimension: 'events.at', granularity, dateRange: range }],
      timezone,
    }),
  )
  return rows.map(row => row.map((cell, index) => (index < row.length - measures.length ? cell : numberOf(cell))))
}

const numberOf = (cell: unknown) => (cell === null ? null : Number(Number(cell).toPrecision(10)))
const sorted = (rows: readonly unknown[][]) =>
  rows.map(row => JSON.stringify(row.map(cell => (typeof cell === 'number' ? numberOf(cell) : cell)))).toSorted()

const writtenReach = (key: string, given: Reach) => {
  if (given === null) return []
  return [`${key}: ${given === 'unbounded' ? given : `${given.count} ${given.unit}`}`]
}

test('rolling windows are those of a naive evaluator, at the ends of months and where clocks change', async () => {
  const windows = fc.record({
    trailing: reach,
    leading: reach,
    offset: fc.constantFrom('start' as const, 'end' as const),
  })
  const units: Unit[] = ['day', 'week', 'month', 'quarter', 'year']
  await fc.assert(
    fc.asyncProperty(events, asked(units), windows, type, async (rows, query, window, kind) => {
      const parts = [...writtenReach('trailing', window.trailing), ...writtenReach('leading', window.leading)]
      const model = modelWith(
        `{ name: m, sql: amount, type: ${kind}, rolling_window: { ${[...parts, `offset: ${window.offset}`].join(', ')} } }`.replace(
          'sql: amount, type: count,',
          'type: count,',
        ),
      )
      await fill(rows)
      const expected = naiveRolling(rows, query, window, aggregates[kind] ?? (() => null))
      expect(sorted(await ask(model, ['events.m'], query))).toEqual(sorted(expected))
    }),
    { numRuns: runsOf('rolling windows') },
  )
})

test('windows to date are those of a naive evaluator', async () => {
  const longer = fc.constantFrom<Unit>('week', 'month', 'quarter', 'year')
  await fc.assert(
    fc.asyncProperty(events, asked(['hour', 'day', 'week', 'month']), longer, type, async (rows, query, unit, kind) => {
      const short =
        query.granularity === 'hour' ? { ...query, range: [query.range[0], query.range[0]] as const } : query
      const sql = kind === 'count' ? '' : 'sql: amount, '
      const window = `rolling_window: { type: to_date, granularity: ${unit} }`
      const model = modelWith(`{ name: m, ${sql}type: ${kind}, ${window} }`)
      await fill(rows)
      const expected = naiveToDate(rows, short, unit, aggregates[kind] ?? (() => null))
      expect(sorted(await ask(model, ['events.m'], short))).toEqual(sorted(expected))
    }),
    { numRuns: runsOf('windows to date') },
  )
})

test('shifted measures are those of rows that are moved one by one', async () => {
  const shift = fc.record({
    count: fc.integer({ min: 1, max: 14 }),
    unit: fc.constantFrom('hour', 'day', 'week', 'month', 'quarter', 'year'),
    type: fc.constantFrom('prior', 'next'),
  })
  const shifts = fc.array(shift, { minLength: 1, maxLength: 2 })
  await fc.assert(
    fc.asyncProperty(events, asked(['day', 'week', 'month', 'quarter']), shifts, async (rows, query, moves) => {
      const measures = moves.map(
        ({ count, unit, type: direction }, index) =>
          `{ name: s${index}, multi_stage: true, type: number, sql: "{${index === 0 ? 'total' : `s${index - 1}`}}", time_shift: [{ interval: ${count} ${unit}, type: ${direction} }] }`,
      )
      const model = modelWith('{ name: total, sql: amount, type: sum }', ...measures)
      await fill(rows)
      const now = naiveShifted(rows, query, [])
      const durations = moves.map(({ count, unit, type: direction }) => ({
        [unit]: direction === 'prior' ? count : -count,
      }))
      const then = naiveShifted(rows, query, durations)
      const expected = [...new Set([...now.keys(), ...then.keys()])].map(key => [
        ...JSON.parse(key),
        now.get(key) ?? null,
        then.get(key) ?? null,
      ])
      const found = await ask(model, ['events.total', `events.s${moves.length - 1}`], query)
      expect(sorted(found)).toEqual(sorted(expected))
    }),
    { numRuns: runsOf('shifts of time') },
  )
})

test('a measure has the same values beside others, and filters on measures take groups away and change none', async () => {
  const model = modelWith(
    '{ name: count, type: count }',
    '{ name: total, sql: amount, type: sum }',
    '{ name: week, sql: amount, type: sum, rolling_window: { trailing: 1 week } }',
    '{ name: distinct, sql: amount, type: count_distinct, rolling_window: { trailing: 1 month } }',
    '{ name: all, multi_stage: true, type: sum, sql: "{total}", grain: { keep_only: [] } }',
    '{ name: of_label, multi_stage: true, type: number, sql: "{total}", grain: { keep_only: [label] } }',
    '{ name: largest, multi_stage: true, type: max, sql: "{total}", grain: { include: [id] } }',
    '{ name: place, multi_stage: true, type: rank, order_by: [{ sql: "{total}", dir: desc }], grain: { exclude: [label] } }',
    '{ name: before, multi_stage: true, type: number, sql: "{week}", time_shift: [{ interval: 1 month, type: prior }] }',
  )
  const names = ['count', 'total', 'week', 'distinct', 'all', 'of_label', 'largest', 'place', 'before'].map(
    name => `events.${name}`,
  )
  const chosen = fc.uniqueArray(fc.constantFrom(...names), { minLength: 2, maxLength: 5 })
  const limit = fc.integer({ min: 0, max: 12 })
  await fc.assert(
    fc.asyncProperty(events, asked(['day', 'week', 'month']), chosen, limit, async (rows, query, measures, least) => {
      await fill(rows)
      const together = await ask(model, measures, query)
      const keys = query.isGrouped ? 2 : 1
      for (const [index, measure] of measures.entries()) {
        const alone = new Map(
          (await ask(model, [measure], query)).map(row => [JSON.stringify(row.slice(0, keys)), row[keys]]),
        )
        for (const row of together) {
          expect([row.slice(0, keys), row[keys + index]]).toEqual([
            row.slice(0, keys),
            alone.get(JSON.stringify(row.slice(0, keys))) ?? null,
          ])
        }
      }
      const [first = ''] = measures
      const filtered = await database.query(
        compileFor(model, {
          measures,
          dimensions: query.isGrouped ? ['events.label'] : [],
          timeDimensions: [{ dimension: 'events.at', granularity: query.granularity, dateRange: query.range }],
          timezone: query.timezone,
          filters: [{ member: first, operator: 'gte', values: [least] }],
        }),
      )
      const expected = together.filter(row => row[keys] !== null && Number(row[keys]) >= least)
      expect(sorted(filtered.map(row => row.map((cell, index) => (index < keys ? cell : numberOf(cell)))))).toEqual(
        sorted(expected),
      )
    }),
    { numRuns: runsOf('multi-stage measures beside others') },
  )
})
