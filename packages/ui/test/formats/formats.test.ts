import { describe, expect, test } from 'vitest'
import { cellFormat, overrideFormats, shortFormat, unitOf } from '../../src/formats/cell-format.ts'
import { formatAge, formatDuration } from '../../src/formats/elapsed.ts'
import type { Cell, Column } from '../../src/results/result.ts'

const column = (more: Partial<Column>): Column => ({ name: 'a', title: 'A', type: 'number', isMeasure: true, ...more })
const write = (cell: Cell, more: Partial<Column>, locale = 'en-US') =>
  cellFormat(column(more), locale)(cell).replace(/[\u00a0\u202f]/g, ' ')

describe('numbers as the model says', () => {
  test.each<[Cell, Partial<Column>, string, string]>([
    ['1234567.891', {}, 'en-US', '1,234,567.89'],
    ['1234567.891', {}, 'de-DE', '1.234.567,89'],
    ['0.00001234', {}, 'en-US', '0.00001234'],
    ['12345678901234567890123', {}, 'en-US', '12,345,678,901,234,567,890,123'],
    [2024, { isMeasure: false }, 'en-US', '2024'],
    ['0.1234', { format: 'percent' }, 'en-US', '12.34%'],
    ['0.1234', { format: 'percent_1', specifier: '.1%' }, 'fr-FR', '12,3 %'],
    ['1234.5', { format: 'currency', currency: 'EUR' }, 'de-DE', '1.234,50 €'],
    ['1234.5', { format: 'currency' }, 'en-US', '$1,234.50'],
    ['1234.5', { format: 'currency_0', specifier: '$,.0f', currency: 'JPY' }, 'en-US', '¥1,235'],
    ['-1234.5', { format: 'accounting' }, 'en-US', '(1,234.50)'],
    ['1234567', { format: 'abbr' }, 'en-US', '1.23M'],
    ['42.0', { format: 'id' }, 'en-US', '42'],
    ['1234.5', { format: { type: 'custom-numeric', value: '+,.1f' } }, 'en-US', '+1,234.5'],
    ['abc', {}, 'en-US', 'abc'],
    [null, {}, 'en-US', '—'],
    ['NaN', {}, 'en-US', 'NaN'],
  ])('%j with %j in %s is %s', (cell, more, locale, text) => {
    expect(write(cell, more, locale)).toBe(text)
  })

  test('a report overrides them', () => {
    const [first] = overrideFormats([column({})], { a: { type: 'percent', decimalPlaces: 0 } })
    expect(first && cellFormat(first, 'en-US')('0.5')).toBe('50%')
  })

  test('axes are short, headers name the unit', () => {
    expect(shortFormat(column({ format: 'currency', currency: 'EUR' }), 'en-US')(1_234_567)).toBe('€1.235M')
    expect(unitOf(column({ format: 'currency', currency: 'EUR' }), 'en-US')).toBe('€')
    expect(unitOf(column({ format: 'percent' }), 'en-US')).toBe('%')
    expect(unitOf(column({}), 'en-US')).toBeUndefined()
  })
})

describe('times by their step', () => {
  const at = '2024-08-05T13:04:05.678'
  test.each<[string | undefined, string, string]>([
    ['year', 'en-US', '2024'],
    ['quarter', 'en-US', 'Q3 2024'],
    ['quarter', 'fr-FR', 'T3 2024'],
    ['month', 'en-US', 'Aug 2024'],
    ['day', 'en-US', 'Aug 5, 2024'],
    ['day', 'de-DE', '5. Aug. 2024'],
    ['hour', 'en-US', 'Aug 5, 2024, 1:04 PM'],
    [undefined, 'en-US', 'Aug 5, 2024, 1:04:05 PM'],
  ])('%s in %s is %s', (granularity, locale, text) => {
    expect(write(at, { type: 'time', ...(granularity === undefined ? {} : { granularity }) }, locale)).toBe(text)
  })

  test('the digits are shown, whatever zone is written behind them', () => {
    for (const zone of ['', 'Z', '+09:00'])
      expect(write(`2024-01-01T00:00:00.000${zone}`, { type: 'time', granularity: 'day' })).toBe('Jan 1, 2024')
  })

  test('by a specifier of their own', () => {
    const format = { type: 'custom-time', value: '%Y-%m-%d %H:%M Q%q W%V %b %%' } as const
    expect(write(at, { type: 'time', format }, 'de-DE')).toBe('2024-08-05 13:04 Q3 W32 Aug %')
    const iso = (text: string) => write(text, { type: 'time', format: { type: 'custom-time', value: '%G-%V' } })
    expect([iso('2021-01-03'), iso('2020-12-31'), iso('2024-12-30')]).toEqual(['2020-53', '2020-53', '2025-01'])
  })
})

test('durations and ages', () => {
  expect(formatDuration(3_900_000, 'en-US')).toBe('1 hr 5 min')
  expect(formatDuration(1500, 'en-US')).toBe('1.5 sec')
  expect(formatDuration(3_600_000, 'en-US')).toBe('1 hr')
  expect(formatAge(0, 300_000, 'en-US')).toBe('5 minutes ago')
  expect(formatAge(0, 300_000, 'de-DE')).toBe('vor 5 Minuten')
})
