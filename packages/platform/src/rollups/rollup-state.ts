import type { RollupPartition } from '@hedron/semantic'
import type { rollups, StoredPartition } from '@hedron/store'
import type { RollupDefinition } from './definition.ts'
import { closedAt, endOf, timedFreshness } from './freshness.ts'

/** One partition that was built, and its file. */
export interface KeptTable {
  readonly partition: string
  readonly file: string
  readonly columns: readonly { readonly name: string; readonly type: string }[]
  readonly refreshValue: string
  /** When its source was asked; milliseconds since 1970, as all moments here. */
  readonly builtAt: number
  readonly rows: number
  readonly bytes: number
  /** The last step of the rollup's time that has rows; null: none, or it has no time. */
  readonly lastStep: string | null
  /** Until when it is known to be as fresh as its refresh key asks. */
  validUntil: number
}

/** Partitions of a rollup; null for one that is a single table. */
export type Layout = readonly (RollupPartition | null)[]

/** What this node knows of one rollup. */
export interface RollupState {
  readonly accountId: number
  readonly deploymentId: number
  readonly hash: string
  readonly name: string
  readonly timezone: string
  /** Absent until a model that has the rollup was met since the start. */
  definition: RollupDefinition | undefined
  layout: Layout | null
  /** The last layout of which every partition was there. */
  complete: Layout | null
  surveyedAt: number
  readonly tables: Map<string, KeptTable>
  /** Partitions that somebody wants built again, and since when. */
  readonly forced: Map<string, number>
  usedAt: number
  /** Whether it is refreshed though nobody asks. */
  isScheduled: boolean
  /** When it has to be looked at next. */
  dueAt: number
  failure: { readonly at: number; readonly message: string; readonly count: number } | null
  /** When its tables were last given up because a query over them failed. */
  distrustedAt: number
  /** Changes with everything that an answer depends on. */
  generation: number
}

export const partitionKey = (partition: RollupPartition | null): string =>
  partition === null
    ? ''
    : `${partition.range[0] ?? ''}~${partition.range[1] ?? ''}${partition.withUndated ? ' and undated' : ''}`

export const newState = (definition: RollupDefinition, now: number): RollupState => ({
  accountId: definition.accountId,
  deploymentId: definition.deploymentId,
  hash: definition.hash,
  name: definition.name,
  timezone: definition.timezone,
  definition,
  layout: definition.partitioning === null ? [null] : null,
  complete: null,
  surveyedAt: 0,
  tables: new Map(),
  forced: new Map(),
  usedAt: now,
  isScheduled: false,
  dueAt: now,
  failure: null,
  distrustedAt: Number.NEGATIVE_INFINITY,
  generation: 0,
})

/** A rollup as an earlier run of this node left it. */
export function storedState(row: rollups.RollupRow, tables: readonly rollups.RollupTableRow[]): RollupState {
  const layout = row.layout === null ? null : row.layout.map(readPartition)
  return {
    accountId: row.accountId,
    deploymentId: row.deploymentId,
    hash: row.definition,
    name: row.name,
    timezone: row.timezone,
    definition: undefined,
    layout,
    complete: null,
    surveyedAt: row.surveyedAt?.getTime() ?? 0,
    tables: new Map(tables.flatMap(table => readTable(table))),
    forced: new Map(),
    usedAt: row.usedAt.getTime(),
    isScheduled: false,
    dueAt: 0,
    failure: null,
    distrustedAt: Number.NEGATIVE_INFINITY,
    generation: 0,
  }
}

const readPartition = ({ range, withUndated }: StoredPartition): RollupPartition | null =>
  range[0] === null && range[1] === null && !withUndated ? null : { range, withUndated }

/** As it is stored: a single table has neither ends nor rows that would be left out. */
export const writeLayout = (layout: Layout | null): StoredPartition[] | null =>
  layout?.map(partition =>
    partition === null
      ? { range: [null, null], withUndated: false }
      : { range: [...partition.range], withUndated: partition.withUndated },
  ) ?? null

function readTable(row: rollups.RollupTableRow): [string, KeptTable][] {
  const { partition, file, columns, refreshValue, builtAt, rowCount, byteCount, lastStep } = row
  if (file === null || columns === null || refreshValue === null || builtAt === null) return []
  const table = {
    partition,
    file,
    columns,
    refreshValue,
    builtAt: builtAt.getTime(),
    rows: rowCount ?? 0,
    bytes: byteCount ?? 0,
    lastStep,
    validUntil: 0,
  }
  return [[partition, table]]
}

/** Lets a state that was read from the store be used, now that a model which has the rollup is known. */
export function attach(state: RollupState, definition: RollupDefinition): void {
  const { refreshKey, timezone } = definition
  state.definition = definition
  state.layout ??= definition.partitioning === null ? [null] : null
  for (const partition of state.layout ?? []) {
    const table = state.tables.get(partitionKey(partition))
    if (!table || table.validUntil > 0) continue
    const { builtAt } = table
    const isClosed = closedAt(refreshKey, endOf(partition, timezone), builtAt)
    const until = refreshKey.sql === null ? timedFreshness(refreshKey, builtAt).until : builtAt
    table.validUntil = isClosed?.until ?? until
  }
  state.generation += 1
}

/**
 * Leaves a rollup to itself: its tables stay, and nothing is asked of its source until a model and variables that have it want it again
 * (`attach`). Whoever waits for it to be built is told that it will not be.
 */
export function detach(state: RollupState, now: number): void {
  if (state.forced.size > 0) {
    state.failure = { at: now, message: 'The variables of its data source changed. Build it again.', count: 1 }
  }
  state.forced.clear()
  state.definition = undefined
  state.isScheduled = false
  state.dueAt = now
  state.generation += 1
}

/** How long tables are believed that took the place of some that were not, in milliseconds. */
const beliefMs = 10 * 60_000

/**
 * Lets go of all tables, so that they are built again. Only once in a while: a query may fail for reasons of its own, such as memory, and
 * whoever sends it must not have rollups built without end. Until then the source answers where they fail.
 *
 * @returns their files
 */
export function giveUpTables(
  state: Pick<RollupState, 'tables' | 'distrustedAt' | 'dueAt' | 'generation'>,
  now: number,
): readonly string[] {
  if (state.tables.size === 0 || now - state.distrustedAt < beliefMs) return []
  const files = [...state.tables.values()].map(({ file }) => file)
  state.tables.clear()
  state.distrustedAt = now
  state.dueAt = now
  state.generation += 1
  return files
}
