import { expect, test } from 'vitest'
import { giveUpTables, type KeptTable } from '../../src/rollups/rollup-state.ts'

const table = (file: string): [string, KeptTable] => [
  file,
  {
    partition: file,
    file,
    columns: [],
    refreshValue: '',
    builtAt: 0,
    rows: 1,
    bytes: 1,
    lastStep: null,
    validUntil: 0,
  },
]
const minute = 60_000

test('tables that a query failed on are given up, those built in their place not before ten minutes have passed', () => {
  const state = { tables: new Map([table('a'), table('b')]), distrustedAt: -Infinity, dueAt: 1e12, generation: 0 }
  expect(giveUpTables(state, minute)).toEqual(['a', 'b'])
  expect(state).toEqual({ tables: new Map(), distrustedAt: minute, dueAt: minute, generation: 1 })
  // Another query that failed on the same tables.
  expect(giveUpTables(state, minute)).toEqual([])
  const rebuilt = { ...state, tables: new Map([table('c')]), dueAt: 1e12 }
  expect(giveUpTables(rebuilt, 10 * minute)).toEqual([])
  expect(rebuilt.tables.size).toBe(1)
  expect(giveUpTables(rebuilt, 11 * minute)).toEqual(['c'])
})
