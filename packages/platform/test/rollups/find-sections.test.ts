import { describe, expect, test } from 'vitest'
import { type FollowedRollup, findSections } from '../../src/rollups/find-sections.ts'
import { type KeptTable, type Layout, partitionKey } from '../../src/rollups/rollup-state.ts'

const day = 86_400_000
const march = Date.parse('2024-03-20T12:00:00Z')
const local = (text: string) => `${text}T00:00:00.000`
const definition = {
  name: 'orders.batch',
  timezone: 'UTC',
  steps: { column: 'orders__at_day', startOf: (text: string) => `${text.slice(0, 10)}T00:00:00.000` },
}
const refreshKey = { every: 3600, sql: null, incremental: false, updateWindow: null }

const tableOf = (partition: Layout[number], lastStep: string | null, more: Partial<KeptTable> = {}): KeptTable => ({
  partition: partitionKey(partition),
  file: `${partition?.range[0]?.slice(0, 7) ?? 'first'}.parquet`,
  columns: [{ name: 'count', type: 'BIGINT' }],
  refreshValue: 'step',
  builtAt: march,
  rows: 1,
  bytes: 1,
  lastStep: lastStep === null ? null : local(lastStep),
  validUntil: march + day,
  ...more,
})

const rollup = (layout: Layout, tables: readonly KeptTable[]): FollowedRollup => ({
  definition,
  state: {
    definition: { refreshKey },
    layout,
    complete: null,
    tables: new Map(tables.map(table => [table.partition, table])),
    failure: null,
  },
})

const early = { range: [null, local('2024-03-01')], withUndated: true } as const
const open = { range: [local('2024-03-01'), null], withUndated: false } as const
const closed = { range: [local('2024-03-01'), local('2024-04-01')], withUndated: false } as const

const find = (
  rollups: readonly FollowedRollup[],
  range: readonly [string | null, string | null] = [null, null],
  endsAtSource = true,
) => {
  const found = findSections(rollups, range, march, { isStrict: true, endsAtSource })
  if ('missing' in found) return found.missing
  const sections = found.sections.map(({ tables, from, before }) => [
    from?.slice(0, 10) ?? null,
    before?.slice(0, 10) ?? null,
    tables.flatMap(table => ('files' in table ? table.files : [])).length,
  ])
  return { sections, newestFrom: found.newestFrom?.slice(0, 10) ?? null }
}

describe('what the source adds begins', () => {
  test('with the newest step of tables that may still get rows', () => {
    const batch = rollup([early, open], [tableOf(early, '2024-02-27'), tableOf(open, '2024-03-18')])
    expect(find([batch])).toEqual({ sections: [[null, '2024-03-18', 2]], newestFrom: '2024-03-18' })
  })

  test('no later than when the tables were filled, whatever their rows say of times to come', () => {
    const batch = rollup([early, open], [tableOf(early, '2024-02-27'), tableOf(open, '2031-01-01')])
    expect(find([batch])).toEqual({ sections: [[null, '2024-03-20', 2]], newestFrom: '2024-03-20' })
    const ended = rollup([early, closed], [tableOf(early, '2024-02-27'), tableOf(closed, '2024-03-30')])
    expect(find([ended])).toEqual({ sections: [[null, '2024-03-20', 2]], newestFrom: '2024-03-20' })
  })

  test('where the build range ends, once its time was over when it was filled', () => {
    const april = { builtAt: Date.parse('2024-04-02T00:00:00Z') }
    const batch = rollup([early, closed], [tableOf(early, '2024-02-27'), tableOf(closed, '2024-03-11', april)])
    expect(find([batch])).toEqual({ sections: [[null, '2024-04-01', 2]], newestFrom: '2024-04-01' })
  })

  test('with a partition that was filled before its end, though later ones are there', () => {
    const february = { builtAt: Date.parse('2024-02-20T10:00:00Z') }
    const batch = rollup([early, open], [tableOf(early, '2024-02-19', february), tableOf(open, '2024-03-18')])
    expect(find([batch])).toEqual({ sections: [[null, '2024-02-19', 1]], newestFrom: '2024-02-19' })
  })

  test('before a newest partition that is not there yet, or has no rows', () => {
    const batch = rollup([early, open], [tableOf(early, '2024-02-27')])
    expect(find([batch])).toEqual({ sections: [[null, '2024-03-01', 1]], newestFrom: '2024-03-01' })
    const empty = rollup([early, open], [tableOf(early, '2024-02-27'), tableOf(open, null)])
    expect(find([empty])).toEqual({ sections: [[null, '2024-03-01', 1]], newestFrom: '2024-03-01' })
  })

  test('not at all for what lies before it', () => {
    const batch = rollup([early, open], [tableOf(early, '2024-02-27'), tableOf(open, '2024-03-18')])
    const within = find([batch], [local('2024-01-01'), '2024-03-17T23:59:59.999'])
    expect(within).toEqual({ sections: [[null, '2024-03-18', 2]], newestFrom: null })
    const old = find([batch], [null, '2024-01-31T23:59:59.999'])
    expect(old).toEqual({ sections: [[null, '2024-03-18', 1]], newestFrom: null })
  })
})

describe('rollups', () => {
  const batch = rollup([early, open], [tableOf(early, '2024-02-27'), tableOf(open, '2024-03-10')])
  const recent = rollup([null], [tableOf(null, '2024-03-19')])

  test('take over where the one before ends, and the last answers for all that follows', () => {
    expect(find([batch, recent])).toEqual({
      sections: [
        [null, '2024-03-10', 2],
        ['2024-03-10', '2024-03-19', 1],
      ],
      newestFrom: '2024-03-19',
    })
    expect(find([batch, recent], [null, null], false)).toEqual({
      sections: [
        [null, '2024-03-10', 2],
        ['2024-03-10', null, 1],
      ],
      newestFrom: null,
    })
  })

  test('that have nothing of what is asked for are left out', () => {
    expect(find([batch, recent], [local('2024-03-15'), null], false)).toEqual({
      sections: [['2024-03-10', null, 1]],
      newestFrom: null,
    })
    const behind = rollup([null], [tableOf(null, '2024-01-05')])
    expect(find([batch, behind])).toEqual({ sections: [[null, '2024-03-10', 2]], newestFrom: '2024-03-10' })
  })

  test('that leave a gap answer nothing', () => {
    const late = { range: [local('2024-03-15'), null], withUndated: false } as const
    expect(find([batch, rollup([late], [tableOf(late, '2024-03-19')])])).toBe(
      'the query asks for more than its build range',
    )
  })

  test('that are not built answer nothing', () => {
    expect(find([rollup([null], []), recent])).toBe('it is not built yet')
    expect(find([batch, rollup([null], [])])).toBe('it is not built yet')
    const unseen = rollup([early, open], [tableOf(open, '2024-03-18')])
    expect(find([unseen])).toMatch(/its partition before 2024-03-01.* is not built yet/)
  })

  test('are read of one layout alone, so that what a new one has does not stand in for what an old one lacks', () => {
    const all = { range: [null, null], withUndated: true } as const
    const { state } = rollup([early, open], [tableOf(all, '2024-03-05'), tableOf(open, '2024-03-18')])
    const found = find([{ definition, state: { ...state, complete: [all] } }])
    expect(found).toEqual({ sections: [[null, '2024-03-05', 1]], newestFrom: '2024-03-05' })
  })
})
