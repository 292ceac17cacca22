import { overlaps, type RollupFileSet, type RollupPartition } from '@hedron/semantic'
import type { RollupDefinition } from './definition.ts'
import { periodOf } from './freshness.ts'
import { type KeptTable, type Layout, partitionKey, type RollupState } from './rollup-state.ts'

/** Why there are no tables. */
export interface Missing {
  readonly missing: string
  /** What the source said when it was asked for all rows, whoever may see them: a value of one of them may be in it. */
  readonly failure?: string
}

/** Tables that hold every row of a range, or why there are none. */
export type FoundTables =
  | {
      readonly tables: readonly RollupFileSet[]
      /** When the source of the oldest of them was asked. */
      readonly builtAt: number
      /** Until when they can answer, should nothing change. */
      readonly until: number
    }
  | Missing

export type KnownTables = Pick<RollupState, 'layout' | 'complete' | 'tables' | 'failure'> & {
  readonly definition: Pick<RollupDefinition, 'refreshKey'> | undefined
}

/** Local times, both ends included; null where there is no end. */
export type AskedRange = readonly [string | null, string | null]

/** An old table answers while it is built again, for another period of its refresh key, or at least for so long. */
const leastGrace = 5 * 60_000

/**
 * The tables of a rollup that answer for a range.
 *
 * @param isStrict whether only tables will do that are as fresh as the refresh key asks
 */
export function findTables(state: KnownTables, range: AskedRange, now: number, isStrict: boolean): FoundTables {
  const [newest = { missing: 'it is not built yet' }, ...others] = layoutsOf(state).map(layout =>
    findTablesOf(state, layout, range, now, isStrict),
  )
  return [newest, ...others].find(found => 'tables' in found) ?? newest
}

/** What tables of a rollup may be divided by: as it is now, and as it was when all were there. */
export const layoutsOf = ({ layout, complete, definition }: KnownTables): readonly Layout[] =>
  definition ? [...new Set([layout, complete])].filter(each => each !== null) : []

/** The tables of one layout that answer for a range. */
export function findTablesOf(
  state: KnownTables,
  layout: Layout,
  range: AskedRange,
  now: number,
  isStrict: boolean,
): FoundTables {
  const period = state.definition ? periodOf(state.definition.refreshKey) : 0
  const grace = isStrict ? 0 : Math.max(period, leastGrace)
  if (!covers(layout, range)) return { missing: 'the query asks for more than its build range' }
  const needed = layout.filter(partition => partition === null || overlaps(partition, range))
  const tables: KeptTable[] = []
  for (const partition of needed.length > 0 ? needed : layout.slice(0, 1)) {
    const table = state.tables.get(partitionKey(partition))
    if (!table) return notBuilt(state, partition)
    if (now >= table.validUntil) {
      if (state.failure && state.failure.at >= table.validUntil) {
        return { missing: 'it could not be refreshed', failure: state.failure.message }
      }
      if (now >= table.validUntil + grace) return { missing: 'it is being refreshed' }
    }
    tables.push(table)
  }
  return {
    tables: byColumns(tables),
    builtAt: Math.min(...tables.map(({ builtAt }) => builtAt)),
    until: Math.min(...tables.map(({ validUntil }) => (now < validUntil ? validUntil : validUntil + grace))),
  }
}

function notBuilt({ failure }: KnownTables, partition: RollupPartition | null): Missing {
  if (failure) return { missing: 'it could not be built', failure: failure.message }
  if (partition === null) return { missing: 'it is not built yet' }
  const [from, before] = partition.range
  const range = [from && `from ${from}`, before && `before ${before}`].filter(Boolean).join(' ')
  return { missing: `its partition ${range} is not built yet` }
}

/** Rows outside of a build range are in no partition. */
function covers(layout: Layout, [from, to]: AskedRange): boolean {
  const [first, last] = [layout[0], layout.at(-1)]
  if (!first || !last) return true
  const [start] = first.range
  const [, before] = last.range
  return (start === null || (from !== null && from >= start)) && (before === null || (to !== null && to < before))
}

/** Files that have the same columns are read as one table. */
function byColumns(tables: readonly KeptTable[]): RollupFileSet[] {
  const groups = new Map<string, { files: string[]; columns: KeptTable['columns'] }>()
  for (const { file, columns } of tables) {
    const key = JSON.stringify(columns)
    const group = groups.get(key) ?? { files: [], columns }
    groups.set(key, group)
    group.files.push(file)
  }
  return [...groups.values()]
}
