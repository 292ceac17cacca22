import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readIso, writeIso } from '../../src/time/iso-digits.ts'

const first = Date.parse('0001-01-01')
const last = Date.UTC(9999, 11, 31, 23, 59, 59, 999)

test('times are written as Date writes them, and read as they are written', () => {
  const check = (time: number) => {
    const written = new Date(time).toISOString().slice(0, 23)
    expect(writeIso(time)).toBe(written)
    expect(readIso(written)).toEqual({ time, isDate: false })
    expect(readIso(written.slice(0, 10))).toEqual({ time: Date.parse(written.slice(0, 10)), isDate: true })
  }
  // Every day of the years in which rules of leap years differ, and any time at all.
  for (const year of [100, 1600, 1900, 2000, 2023, 2024, 2100, 2400]) {
    for (let date = 0; date < 366; date++) check(Date.UTC(year, 0, 1 + date))
  }
  fc.assert(fc.property(fc.integer({ min: first, max: last }), check), { numRuns: 5_000 })
})

test('what is out of range, no time or written otherwise is left to others', () => {
  for (const time of [
    last + 1,
    new Date(0).setUTCFullYear(0),
    Number.NaN,
    0.5,
    Number.POSITIVE_INFINITY,
    first - 1e15,
  ]) {
    expect(writeIso(time)).toBeNull()
  }
  for (const text of [
    '2024-02-30',
    '2023-02-29',
    '1900-02-29',
    '2024-13-01',
    '2024-00-10',
    '2024-01-00',
    '2024-1-1',
    '0000-01-01',
  ]) {
    expect(readIso(text)).toBeNull()
  }
  for (const time of ['24:00:00.000', '23:60:00.000', '23:00:60.000', '2x:00:00.000', '23:00:00,000', '23-00:00.000']) {
    expect(readIso(`2024-01-01T${time}`)).toBeNull()
  }
  expect(readIso('2024-01-01 00:00:00.000')).toBeNull()
})

test('any text of that length is read as the pattern of a date says', () => {
  const digit = fc.constantFrom(...'0123456789-T:.')
  const text = fc.array(digit, { minLength: 10, maxLength: 10 }).map(parts => parts.join(''))
  fc.assert(
    fc.property(
      fc.oneof(
        text,
        fc
          .date({ min: new Date(first), max: new Date(last), noInvalidDate: true })
          .map(date => date.toISOString().slice(0, 10)),
      ),
      written => {
        const time = /^\d{4}-\d{2}-\d{2}$/.test(written) ? Date.parse(written) : Number.NaN
        if (Number.isNaN(time)) expect(readIso(written)).toBeNull()
      },
    ),
  )
})
