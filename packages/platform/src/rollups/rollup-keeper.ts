import { setTimeout as sleep } from 'node:timers/promises'
import type { DataSource, QueryService, RollupFiles } from '@hedron/query'
import type { RollupPartition } from '@hedron/semantic'
import { rollups, type Store } from '@hedron/store'
import type { Effects } from '../effects.ts'
import { createBuildTable } from './build-table.ts'
import { createBuildTurn } from './build-turn.ts'
import { createBuildTurns } from './build-turns.ts'
import type { RollupDefinition } from './definition.ts'
import { type AskedRange, type FoundTables, findTables } from './find-tables.ts'
import { createKeptSources } from './kept-sources.ts'
import { createLingeringFiles } from './lingering-files.ts'
import { createNewestRows, type NewestRows } from './newest-rows.ts'
import { createRefreshRollup } from './refresh-rollup.ts'
import { createRollupRoom } from './rollup-room.ts'
import { detach, giveUpTables, type Layout, partitionKey, type RollupState, storedState } from './rollup-state.ts'
import { createRollupStates } from './rollup-states.ts'
import { createSourceStatements } from './source-statements.ts'

export interface KeeperNeeds {
  readonly store: Store
  readonly effects: Effects
  readonly queryService: QueryService
  readonly files: RollupFiles
  /** This node: its files are its own. */
  readonly node: string
  readonly poolName: (deploymentId: number) => string
  /** A data source of a deployment as its variables say now. */
  readonly sourceOf: (deploymentId: number, name: string) => Promise<DataSource | undefined>
  /** Told of what kept a rollup from being built. */
  readonly report: (error: unknown) => void
  readonly limits: RollupLimits
}

export interface RollupLimits {
  /** What all files of this node may take. */
  readonly diskBytes: number
  /** After how long a rollup that nobody uses is dropped. */
  readonly unusedMs: number
}

/** The rollups of this node: builds them in the background, and says which tables answer. */
export interface RollupKeeper {
  /**
   * Tables that hold every row of a range. What is missing is built from now on, if `builds`; nothing is waited for.
   */
  find(
    definition: RollupDefinition,
    range: AskedRange,
    how: { readonly isStrict: boolean; readonly builds: boolean },
  ): FoundTables & { readonly state: RollupState }
  /** A query over files of this node failed, which may not be readable: they are built again, though not time and again. */
  distrust(definition: RollupDefinition): void
  /** Keeps a rollup fresh though nobody asks; or no longer. */
  schedule(definition: RollupDefinition): void
  unschedule(deploymentId: number, kept: ReadonlySet<string>): void
  /** Finds the partitions of a rollup, and has those that are wanted built again. */
  rebuild(
    definition: RollupDefinition,
    isWanted: (partition: RollupPartition | null) => boolean,
    signal: AbortSignal,
  ): Promise<{ readonly partitions: Layout; readonly requestedAt: number }>
  /** What a rollup is divided into: as it is known, else as its source says. @throws {QueryServiceError} {RangeError} */
  layoutOf(definition: RollupDefinition, signal: AbortSignal): Promise<Layout>
  /** Rollups of a deployment that this node looks at now, and those that wait for it, in their order. */
  queue(deploymentId: number): readonly { readonly state: RollupState; readonly isRunning: boolean }[]
  /** Stops what `queue` named, and leaves the rollup alone for a while. @returns whether there was anything to stop */
  cancel(deploymentId: number, hash: string): boolean
  /** What is known of a rollup, whatever model has it. */
  look(deploymentId: number, hash: string): RollupState | undefined
  /** The deployment is gone. */
  drop(deploymentId: number): Promise<void>
  /** What rollups that end at the source need of it. */
  readonly newest: NewestRows
  start(): Promise<void>
  close(): Promise<void>
}

const tickMs = 500
/** Rollups that were used within this time are refreshed before the next query asks for them. */
const activeMs = 10 * 60_000
const housekeepingMs = 60_000
const closeMs = 10_000
/** Newest rows of sources may take this part of the disk of rollups beside it. */
const newestShare = 10

export function createRollupKeeper(needs: KeeperNeeds): RollupKeeper {
  const { store, effects, queryService, files, node, poolName, report, limits } = needs
  const now = () => effects.now().getTime()
  const stop = new AbortController()
  const states = createRollupStates({ store, node, now })
  const lingering = createLingeringFiles(files, now)
  const statements = createSourceStatements({ queryService, poolName, now })
  const turns = createBuildTurns(
    state => turn.take(state),
    () => stop.signal.aborted,
  )
  const room = createRollupRoom({
    store,
    states,
    lingering,
    diskBytes: limits.diskBytes,
    activeMs,
    isRunning: turns.isRunning,
    onForgotten: turns.withdraw,
    now,
  })
  const maximumBytes = limits.diskBytes / newestShare
  const newest = createNewestRows({ ...needs, lingering, maximumBytes, idleMs: activeMs })
  const buildTable = createBuildTable(needs)
  const refresh = createRefreshRollup({
    store,
    files,
    states,
    statements,
    buildTable,
    lingering,
    makeRoom: room.makeRoom,
    keptSourceOf: createKeptSources(find),
    now,
  })
  const turn = createBuildTurn({ sourceOf: needs.sourceOf, refresh, distrust, report, signal: stop.signal, now })
  let timer: NodeJS.Timeout | undefined
  let tidiedAt = 0
  let tidying: Promise<void> | undefined

  function tick(): void {
    const at = now()
    for (const state of states.all()) {
      const isActive = state.isScheduled || at - state.usedAt < activeMs || state.forced.size > 0
      if (!state.definition || !isActive || at < state.dueAt) continue
      if (!turns.isWaiting(state) && !turns.isRunning(state)) turns.enqueue(state)
    }
    if (at - tidiedAt < housekeepingMs || tidying) return
    tidiedAt = at
    tidying = tidy()
      .catch(report)
      .finally(() => {
        tidying = undefined
      })
  }

  async function tidy(): Promise<void> {
    const at = now()
    newest.tidy()
    await lingering.removeDue()
    for (const state of states.all()) {
      if (turns.isRunning(state)) continue
      if (!state.isScheduled && at - state.usedAt > limits.unusedMs) await room.forget(state)
      else if (at - state.usedAt < 2 * housekeepingMs && state.surveyedAt > 0 && state.layout) {
        await states.remember(state, state.layout, state.surveyedAt)
      }
      // It would keep a whole model in memory, which may be long replaced.
      const isIdle = !state.isScheduled && at - state.usedAt > activeMs && state.forced.size === 0
      if (isIdle && state.definition) detach(state, at)
    }
    const there = await files.deployments()
    const existing = new Set(await rollups.listExisting(store.kysely, there))
    for (const deploymentId of there) if (!existing.has(deploymentId)) await dropFiles(deploymentId)
  }

  async function dropFiles(deploymentId: number): Promise<void> {
    for (const state of states.all()) {
      if (state.deploymentId !== deploymentId) continue
      states.remove(state)
      turns.withdraw(state)
      state.tables.clear()
      state.generation += 1
    }
    await files.drop(deploymentId)
  }

  function find(
    definition: RollupDefinition,
    range: AskedRange,
    { isStrict, builds }: { readonly isStrict: boolean; readonly builds: boolean },
  ) {
    const state = states.of(definition)
    const at = now()
    state.usedAt = at
    const found = findTables(state, range, at, isStrict)
    if (builds && at >= state.dueAt && !turns.isRunning(state)) turns.enqueue(state)
    return { ...found, state }
  }

  function distrust(definition: RollupDefinition): void {
    const state = states.of(definition)
    const files = giveUpTables(state, now())
    for (const file of files) lingering.add(state.deploymentId, file)
    if (files.length > 0) turns.enqueue(state)
  }

  async function layoutOf(definition: RollupDefinition, signal: AbortSignal): Promise<Layout> {
    return states.of(definition).layout ?? statements.survey(definition, signal)
  }

  return {
    find,
    distrust,
    layoutOf,

    queue: deploymentId =>
      turns
        .all()
        .filter(state => state.deploymentId === deploymentId)
        .map(state => ({ state, isRunning: turns.isRunning(state) })),

    cancel(deploymentId, hash) {
      const state = states.find(deploymentId, hash)
      if (!state || !(turns.isWaiting(state) || turns.isRunning(state))) return false
      turns.withdraw(state)
      turn.cancel(state)
      return true
    },

    schedule(definition) {
      const state = states.of(definition)
      if (state.isScheduled) return
      state.isScheduled = true
      state.dueAt = Math.min(state.dueAt, now())
    },

    unschedule(deploymentId, kept) {
      for (const state of states.all()) {
        if (state.deploymentId === deploymentId && !kept.has(state.hash)) state.isScheduled = false
      }
    },

    async rebuild(definition, isWanted, signal) {
      const state = states.of(definition)
      state.usedAt = now()
      const partitions = await layoutOf(definition, signal)
      const requestedAt = now()
      for (const partition of partitions)
        if (isWanted(partition)) state.forced.set(partitionKey(partition), requestedAt)
      state.dueAt = requestedAt
      turns.enqueue(state)
      return { partitions, requestedAt }
    },

    look: states.find,
    newest,

    drop: dropFiles,

    async start() {
      await rollups.releaseClaims(store.kysely, node)
      const stored = await rollups.listNodeRollups(store.kysely, node)
      for (const row of stored.rollups) {
        const tables = stored.tables.filter(
          ({ deploymentId, definition }) => deploymentId === row.deploymentId && definition === row.definition,
        )
        states.add(storedState(row, tables))
      }
      for (const deploymentId of await files.deployments()) {
        const own = states.all().filter(state => state.deploymentId === deploymentId)
        const kept = own.flatMap(({ tables }) => [...tables.values()].map(({ file }) => file))
        await files.sweep(deploymentId, new Set(kept))
      }
      timer ??= setInterval(tick, tickMs).unref()
    },

    async close() {
      stop.abort(new Error('The server is shutting down'))
      clearInterval(timer)
      const done = new AbortController()
      const limit = sleep(closeMs, undefined, { signal: done.signal }).catch(() => {})
      await Promise.race([Promise.allSettled([...turns.running(), tidying, newest.close()]), limit])
      done.abort()
    },
  }
}
