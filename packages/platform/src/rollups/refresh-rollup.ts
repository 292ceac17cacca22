import type { RollupFiles } from '@hedron/query'
import { rollups, type Store } from '@hedron/store'
import type { BuildTable, KeptSource } from './build-table.ts'
import type { RollupDefinition } from './definition.ts'
import { type Freshness, periodOf } from './freshness.ts'
import type { LingeringFiles } from './lingering-files.ts'
import { type KeptTable, type Layout, partitionKey, type RollupState } from './rollup-state.ts'
import type { RollupStates } from './rollup-states.ts'
import type { SourceStatements } from './source-statements.ts'

interface RefreshNeeds {
  readonly store: Store
  readonly files: RollupFiles
  readonly states: RollupStates
  readonly statements: SourceStatements
  readonly buildTable: BuildTable
  readonly lingering: LingeringFiles
  /** The rows from which a rollup is built in place of the source; null: from the source. */
  readonly keptSourceOf: (definition: RollupDefinition) => KeptSource | 'being built' | null
  /** Bytes that the next file of a rollup may take. @throws {Error} where there is no room. */
  readonly makeRoom: (state: RollupState) => Promise<number>
  readonly now: () => number
}

/** How often, at most, a source is searched for its first and last row. */
const searchMs = 5 * 60_000
const busyRetryMs = 3_000
/** How often it is looked whether the rows that it is built from are there. */
const awaitedRowsMs = 500
/** How long one rollup is built before others have their turn. */
const turnMs = 3_000

/** Builds what is missing or old of a rollup. @returns false when the turn is over before all is done. */
export type RefreshRollup = (state: RollupState, definition: RollupDefinition, signal: AbortSignal) => Promise<boolean>

export function createRefreshRollup(need: RefreshNeeds): RefreshRollup {
  const { store, files, states, statements, buildTable, lingering, makeRoom, keptSourceOf, now } = need

  /** Open ends hold all that is new, so the source need not be searched for its last row each time. */
  function surveyAt({ surveyedAt }: RollupState, definition: RollupDefinition): number {
    const { partitioning, hasRangeStart, hasRangeEnd, refreshKey } = definition
    if (partitioning === null) return Number.POSITIVE_INFINITY
    const period = periodOf(refreshKey)
    return surveyedAt + (hasRangeStart && hasRangeEnd ? period : Math.max(period, searchMs))
  }

  async function surveyed(state: RollupState, definition: RollupDefinition, signal: AbortSignal): Promise<Layout> {
    const { layout, surveyedAt } = state
    if (layout && now() < surveyAt(state, definition)) {
      if (surveyedAt === 0) await states.remember(state, layout, now())
      return layout
    }
    const askedAt = now()
    const found = await statements.survey(definition, signal)
    const isSame = layout !== null && keysOf(layout) === keysOf(found)
    await states.remember(state, isSame ? layout : found, askedAt)
    return state.layout ?? found
  }

  function replace(state: RollupState, table: KeptTable): void {
    const old = state.tables.get(table.partition)
    state.tables.set(table.partition, table)
    state.generation += 1
    if (old) lingering.add(state.deploymentId, old.file)
  }

  /** Partitions that the layout has no more. */
  async function prune(state: RollupState, layout: Layout): Promise<void> {
    const kept = new Set(layout.map(partitionKey))
    const gone = [...state.tables.values()].filter(({ partition }) => !kept.has(partition))
    if (gone.length === 0) return
    const partitions = gone.map(({ partition }) => partition)
    await rollups.deleteTables(store.kysely, states.keyOf(state), partitions)
    for (const { partition, file } of gone) {
      state.tables.delete(partition)
      lingering.add(state.deploymentId, file)
    }
  }

  return async (state, definition, signal) => {
    const startedAt = now()
    const layout = await surveyed(state, definition, signal)
    let nextAt = surveyAt(state, definition)
    // The newest first: they are asked for most.
    for (const partition of layout.toReversed()) {
      if (now() - startedAt > turnMs) return false
      const key = partitionKey(partition)
      const table = state.tables.get(key)
      const forcedAt = state.forced.get(key)
      const isForced = forcedAt !== undefined && (table === undefined || table.builtAt < forcedAt)
      if (!isForced) state.forced.delete(key)
      if (table && !isForced && startedAt < table.validUntil) {
        nextAt = Math.min(nextAt, table.validUntil)
        continue
      }
      const rows = keptSourceOf(definition)
      if (rows === 'being built') {
        state.dueAt = now() + awaitedRowsMs
        return true
      }
      const fresh = withRows(await statements.freshness(definition, partition, signal), rows)
      const isUnchanged = table !== undefined && !isForced && table.refreshValue === fresh.value
      if (isUnchanged && (await files.has(state.deploymentId, table.file))) {
        table.validUntil = fresh.until
      } else {
        const maximumBytes = await makeRoom(state)
        // Who wants it built again wants what the source has now.
        const madeOf = isForced ? null : rows
        const built = await buildTable(definition, partition, fresh.value, { maximumBytes, signal, madeOf })
        if (!built) {
          state.dueAt = now() + busyRetryMs
          return true
        }
        replace(state, { ...built, validUntil: fresh.until })
      }
      nextAt = Math.min(nextAt, fresh.until)
    }
    state.complete = layout
    await prune(state, layout)
    state.dueAt = nextAt
    return true
  }
}

/** What is built from kept rows is as fresh as those. */
const withRows = (fresh: Freshness, rows: KeptSource | null): Freshness =>
  rows ? { value: `${fresh.value} of ${rows.value}`, until: Math.min(fresh.until, rows.until) } : fresh

const keysOf = (layout: Layout) => JSON.stringify(layout.map(partitionKey))
