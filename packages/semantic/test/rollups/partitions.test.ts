import { describe, expect, test } from 'vitest'
import { localTimeOf, overlaps, partitionEnd, partitionsOf } from '../../src/index.ts'

describe('partitions of a rollup', () => {
  test('hold every moment of the range once, and with open ends every row there is', () => {
    const range = { from: '2024-01-15T10:00:00.000', to: '2024-03-01T00:00:00.000' }
    expect(partitionsOf('month', { ...range, opensBefore: false, opensAfter: false }, 10)).toEqual([
      { range: ['2024-01-01T00:00:00.000', '2024-02-01T00:00:00.000'], withUndated: false },
      { range: ['2024-02-01T00:00:00.000', '2024-03-01T00:00:00.000'], withUndated: false },
      { range: ['2024-03-01T00:00:00.000', '2024-04-01T00:00:00.000'], withUndated: false },
    ])
    expect(
      partitionsOf('month', { ...range, opensBefore: true, opensAfter: true }, 10).map(({ range: ends }) => ends),
    ).toEqual([
      [null, '2024-02-01T00:00:00.000'],
      ['2024-02-01T00:00:00.000', '2024-03-01T00:00:00.000'],
      ['2024-03-01T00:00:00.000', null],
    ])
    expect(partitionsOf('year', { ...range, opensBefore: true, opensAfter: true }, 10)).toEqual([
      { range: [null, null], withUndated: true },
    ])
    expect(partitionsOf('week', { ...range, opensBefore: false, opensAfter: false }, 10)[0]?.range[0]).toBe(
      '2024-01-15T00:00:00.000',
    )
  })

  test('open at one end alone take no rows without a time at the other', () => {
    const range = { from: '2024-01-01', to: '2024-01-31', opensBefore: false, opensAfter: true }
    expect(partitionsOf('month', range, 10)).toEqual([{ range: ['2024-01-01T00:00:00.000', null], withUndated: false }])
  })

  test('end at an instant of their time zone', () => {
    const [month] = partitionsOf(
      'month',
      { from: '2024-03-01', to: '2024-03-31', opensBefore: true, opensAfter: false },
      10,
    )
    if (!month) throw new Error('no partition')
    expect(partitionEnd(month, 'America/New_York')).toBe(Date.parse('2024-04-01T04:00:00Z'))
    expect(localTimeOf('2024-01-01T00:00:00.000', 'America/New_York')).toBe('2023-12-31T19:00:00.000')
  })

  test('are refused when there would be more than allowed', () => {
    const range = { from: '2024-01-01', to: '2024-01-10', opensBefore: true, opensAfter: true }
    expect(() => partitionsOf('day', range, 9)).toThrow('more than 9 partitions')
    expect(partitionsOf('day', range, 10)).toHaveLength(10)
  })

  test('overlap a range when they can hold rows of it', () => {
    const month = { range: ['2024-02-01T00:00:00.000', '2024-03-01T00:00:00.000'] as const, withUndated: false }
    expect(overlaps(month, [null, null])).toBe(true)
    expect(overlaps(month, ['2024-02-29T23:59:59.999', null])).toBe(true)
    expect(overlaps(month, ['2024-03-01T00:00:00.000', null])).toBe(false)
    expect(overlaps(month, [null, '2024-01-31T23:59:59.999'])).toBe(false)
    expect(overlaps({ range: [null, null], withUndated: true }, ['1999-01-01T00:00:00.000', null])).toBe(true)
  })
})
