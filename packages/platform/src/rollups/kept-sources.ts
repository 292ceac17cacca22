import type { KeptSource } from './build-table.ts'
import type { RollupDefinition } from './definition.ts'
import type { AskedRange, FoundTables } from './find-tables.ts'
import type { RollupState } from './rollup-state.ts'

type FindTables = (
  definition: RollupDefinition,
  range: AskedRange,
  how: { readonly isStrict: boolean; readonly builds: boolean },
) => FoundTables & { readonly state: RollupState }

const whole = [null, null] as const

/**
 * Finds the rows that rollups are built from where their authors want that (`use_original_sql_pre_aggregations`). Rows that can't be kept
 * keep no rollup from being built: it is built from the source.
 */
export const createKeptSources =
  (find: FindTables) =>
  ({ madeOf }: RollupDefinition): KeptSource | 'being built' | null => {
    if (madeOf.length === 0) return null
    const found = madeOf.map(rows => ({
      cube: rows.id.cube,
      ...find(rows, whole, { isStrict: false, builds: true }),
    }))
    if (found.some(({ state }) => state.failure !== null)) return null
    const there = found.flatMap(rows => ('tables' in rows ? [rows] : []))
    if (there.length < found.length) return 'being built'
    return {
      tables: new Map(there.map(({ cube, tables }) => [cube, tables])),
      builtAt: Math.min(...there.map(({ builtAt }) => builtAt)),
      value: there.flatMap(({ state }) => [...state.tables.values()].map(({ refreshValue }) => refreshValue)).join(),
      until: Math.min(...there.map(({ until }) => until)),
    }
  }
