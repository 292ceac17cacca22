import { describe, expect, test } from 'vitest'
import { findTables } from '../../src/rollups/find-tables.ts'
import { closedAt, timedFreshness } from '../../src/rollups/freshness.ts'
import { type KeptTable, type Layout, partitionKey } from '../../src/rollups/rollup-state.ts'

const hour = 3_600_000
const [january, february] = [
  { range: [null, '2024-02-01T00:00:00.000'], withUndated: true },
  { range: ['2024-02-01T00:00:00.000', null], withUndated: false },
] as const
const refreshKey = { every: 3600, sql: null, incremental: false, updateWindow: null }

type State = Parameters<typeof findTables>[0]

const stateOf = (layout: Layout, tables: readonly KeptTable[], more: Partial<State> = {}): State => ({
  definition: { refreshKey },
  layout,
  complete: null,
  tables: new Map(tables.map(table => [table.partition, table])),
  failure: null,
  ...more,
})

const table = (partition: Layout[number], file: string, validUntil: number): KeptTable => ({
  partition: partitionKey(partition),
  file,
  columns: [{ name: 'count', type: 'BIGINT' }],
  refreshValue: 'step',
  builtAt: validUntil - hour,
  rows: 1,
  bytes: 1,
  lastStep: null,
  validUntil,
})

const whole = [null, null] as const
const missing = (found: ReturnType<typeof findTables>) => ('missing' in found ? found.missing : null)
const filesOf = (found: ReturnType<typeof findTables>) =>
  'tables' in found ? found.tables.flatMap(({ files }) => files) : null

describe('tables that answer', () => {
  test('are those of the partitions that a range touches, and all of them or none', () => {
    const both = stateOf([january, february], [table(january, 'a', hour), table(february, 'b', hour)])
    expect(filesOf(findTables(both, whole, 0, true))).toEqual(['a', 'b'])
    expect(filesOf(findTables(both, ['2024-02-01T00:00:00.000', '2024-03-31T23:59:59.999'], 0, true))).toEqual(['b'])
    const half = stateOf([january, february], [table(february, 'b', hour)])
    expect(missing(findTables(half, whole, 0, true))).toMatch(/before 2024-02-01.* is not built yet/)
    expect(filesOf(findTables(half, ['2024-02-01T00:00:00.000', null], 0, true))).toEqual(['b'])
  })

  test('are those of the last complete layout while a new one is built', () => {
    const all = { range: [null, null], withUndated: true } as const
    const state = stateOf([january, february], [table(all, 'old', hour), table(january, 'a', hour)], {
      complete: [all],
    })
    expect(filesOf(findTables(state, whole, 0, true))).toEqual(['old'])
    expect(filesOf(findTables(state, [null, '2024-01-31T23:59:59.999'], 0, true))).toEqual(['a'])
  })

  test('may be due for one more period, but not for a strict query, nor after a refresh that failed', () => {
    const state = stateOf([null], [table(null, 'a', hour)])
    expect(filesOf(findTables(state, whole, hour, false))).toEqual(['a'])
    expect(filesOf(findTables(state, whole, 2 * hour - 1, false))).toEqual(['a'])
    expect(missing(findTables(state, whole, 2 * hour, false))).toBe('it is being refreshed')
    expect(missing(findTables(state, whole, hour, true))).toBe('it is being refreshed')
    const failed = stateOf([null], [table(null, 'a', hour)], {
      failure: { at: hour, message: 'the source is down', count: 1 },
    })
    expect(filesOf(findTables(failed, whole, hour - 1, false))).toEqual(['a'])
    expect(missing(findTables(failed, whole, hour, false))).toBe('it could not be refreshed')
  })
})

describe('how fresh a rollup is', () => {
  test('goes by steps of an interval or a schedule', () => {
    expect(timedFreshness(refreshKey, 2.5 * hour)).toEqual({ value: `step ${2 * hour}`, until: 3 * hour })
    const atEight = { ...refreshKey, every: { seconds: 86_400, offset: 8 * 3600, timezone: 'UTC' } }
    expect(timedFreshness(atEight, 9 * hour)).toEqual({ value: `step ${8 * hour}`, until: 32 * hour })
  })

  test('is for ever where a partition of an incremental one is closed', () => {
    const incremental = { ...refreshKey, incremental: true, updateWindow: 3600 }
    expect(closedAt(incremental, 10 * hour, 11 * hour - 1)).toBeNull()
    expect(closedAt(incremental, 10 * hour, 11 * hour)?.until).toBe(Number.POSITIVE_INFINITY)
    expect(closedAt(incremental, null, 99 * hour)).toBeNull()
    expect(closedAt(refreshKey, 10 * hour, 99 * hour)).toBeNull()
  })
})
