import { expect, test } from 'vitest'
import type { RowShape } from '../../src/graphql/row-shape.ts'
import { writeRows } from '../../src/graphql/write-rows.ts'

const number = (key: string): RowShape => ({ key, column: 'a.n', type: 'number' })
const rows = (...cells: readonly (string | number | boolean | null)[]) => ({
  members: ['a.n'],
  dataset: cells.map(cell => [cell]),
  timezone: 'UTC',
})

test('numbers keep their digits, also those that no double holds', async () => {
  const { text, errors } = await writeRows(
    [number('n')],
    rows('9007199254740993', '10.50', '-0.000', '1e30', 7, null),
    ['cube'],
  )
  expect(text).toBe('[{"n":9007199254740993},{"n":10.50},{"n":-0.000},{"n":1e30},{"n":7},{"n":null}]')
  expect(errors).toEqual([])
})

test('numbers that JSON spells otherwise are spelt so', async () => {
  expect((await writeRows([number('n')], rows('007', '.5', '+3', true), [])).text).toBe(
    '[{"n":7},{"n":0.5},{"n":3},{"n":1}]',
  )
})

test('what is no number is null with an error that says where, and how often', async () => {
  const { text, errors } = await writeRows([number('n'), number('m')], rows('1', 'NaN', 'Infinity', ''), ['cube'])
  expect(JSON.parse(text)).toEqual([{ n: 1, m: 1 }, ...[1, 2, 3].map(() => ({ n: null, m: null }))])
  expect(errors).toEqual([
    { message: 'The type of this field cannot hold its value, nor those of 2 rows more.', path: ['cube', 1, 'n'] },
    { message: 'The type of this field cannot hold its value, nor those of 2 rows more.', path: ['cube', 1, 'm'] },
  ])
})

test('periods begin at a moment of UTC, read in the zone of the query', async () => {
  const shape: RowShape[] = [{ key: 't', fields: [{ key: 'day', column: 'a.t.day', type: 'period' }] }]
  const answer = {
    members: ['a.t.day'],
    dataset: [['2024-01-31T00:00:00.000'], ['2024-07-01T00:00:00.000'], [null]],
    timezone: 'America/New_York',
  }
  expect(JSON.parse((await writeRows(shape, answer, [])).text)).toEqual([
    { t: { day: '2024-01-31T05:00:00.000Z' } },
    { t: { day: '2024-07-01T04:00:00.000Z' } },
    { t: { day: null } },
  ])
  const masked = await writeRows(shape, { ...answer, dataset: [['hidden']] }, ['cube'])
  expect([masked.text, masked.errors[0]?.path]).toEqual(['[{"t":{"day":null}}]', ['cube', 0, 't', 'day']])
})

test('the value of a time is the same moment in every zone', async () => {
  const shape: RowShape[] = [{ key: 't', fields: [{ key: 'value', column: 'a.t', type: 'time' }] }]
  const answer = { members: ['a.t'], dataset: [['2024-01-31T10:20:30.456'], [null]], timezone: 'America/New_York' }
  expect((await writeRows(shape, answer, [])).text).toBe(
    '[{"t":{"value":"2024-01-31T10:20:30.456Z"}},{"t":{"value":null}}]',
  )
})

test('texts and flags are strings, escaped; names stand as constants', async () => {
  const shape: RowShape[] = [
    { key: 'kind', constant: 'Result' },
    { key: 's', column: 'a.n', type: 'string' },
  ]
  expect((await writeRows(shape, rows('a"\n', true, null), [])).text).toBe(
    '[{"kind":"Result","s":"a\\"\\n"},{"kind":"Result","s":"true"},{"kind":"Result","s":null}]',
  )
})

test('others have their turn while many rows are written', async () => {
  let turns = 0
  const other = setInterval(() => turns++, 0)
  await writeRows([number('n')], rows(...Array.from({ length: 100_000 }, (_, index) => String(index))), [])
  clearInterval(other)
  expect(turns).toBeGreaterThan(2)
})
