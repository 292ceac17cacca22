import { setTimeout as sleep } from 'node:timers/promises'
import { type DataSource, type QueryService, QueryServiceError, type RollupFiles } from '@hedron/query'
import type { RollupPartition } from '@hedron/semantic'
import { rollups, type Store } from '@hedron/store'
import type { Effects } from '../effects.ts'
import { createBuildTable } from './build-table.ts'
import type { RollupDefinition } from './definition.ts'
import { type AskedRange, type FoundTables, findTables } from './find-tables.ts'
import { periodOf } from './freshness.ts'
import { createLingeringFiles } from './lingering-files.ts'
import {
  attach,
  detach,
  giveUpTables,
  type KeptTable,
  type Layout,
  newState,
  partitionKey,
  type RollupState,
  storedState,
  writeLayout,
} from './rollup-state.ts'
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
  /** What is known of a rollup, whatever model has it. */
  look(deploymentId: number, hash: string): RollupState | undefined
  /** The deployment is gone. */
  drop(deploymentId: number): Promise<void>
  start(): Promise<void>
  close(): Promise<void>
}

const tickMs = 500
/** Rollups that were used within this time are refreshed before the next query asks for them. */
const activeMs = 10 * 60_000
const housekeepingMs = 60_000
const firstRetryMs = 5_000
const longestRetryMs = 10 * 60_000
/** How often, at most, a source is searched for its first and last row. */
const searchMs = 5 * 60_000
const busyRetryMs = 3_000
/** How long one rollup is built before others have their turn. */
const turnMs = 3_000
/** At once on this node; those computed in this process one at a time, so that queries keep their places. */
const running = { most: 2, embedded: 1 } as const
const closeMs = 10_000

export function createRollupKeeper(needs: KeeperNeeds): RollupKeeper {
  const { store, effects, queryService, files, node, poolName, report, limits } = needs
  const now = () => effects.now().getTime()
  const states = new Map<string, RollupState>()
  const queue = new Set<RollupState>()
  const turns = new Map<RollupState, Promise<void>>()
  const lingering = createLingeringFiles(files, now)
  const stop = new AbortController()
  const statements = createSourceStatements({ queryService, poolName, now })
  const buildTable = createBuildTable(needs)
  let timer: NodeJS.Timeout | undefined
  let tidiedAt = 0
  let tidying: Promise<void> | undefined

  const stateKey = (deploymentId: number, hash: string) => `${deploymentId} ${hash}`
  const storeKey = ({ accountId, deploymentId, hash }: RollupState) => ({
    accountId,
    deploymentId,
    definition: hash,
    node,
  })

  function stateOf(definition: RollupDefinition): RollupState {
    const key = stateKey(definition.deploymentId, definition.hash)
    const known = states.get(key)
    if (known) {
      if (!known.definition) attach(known, definition)
      return known
    }
    const state = newState(definition, now())
    states.set(key, state)
    return state
  }

  function enqueue(state: RollupState): void {
    if (stop.signal.aborted || turns.has(state)) return
    queue.add(state)
    pump()
  }

  function pump(): void {
    for (const state of queue) {
      if (turns.size >= running.most) return
      const isEmbedded = state.definition?.source.type === 'duckdb'
      const embedded = [...turns.keys()].filter(({ definition }) => definition?.source.type === 'duckdb').length
      const ofDeployment = [...turns.keys()].some(({ deploymentId }) => deploymentId === state.deploymentId)
      if (ofDeployment || (isEmbedded && embedded >= running.embedded)) continue
      queue.delete(state)
      const turn = takeTurn(state).finally(() => {
        turns.delete(state)
        pump()
      })
      turns.set(state, turn)
    }
  }

  async function takeTurn(state: RollupState): Promise<void> {
    const { definition } = state
    if (!definition || stop.signal.aborted) return
    try {
      if (!(await isCurrent(definition))) return detach(state, now())
      const isDone = await refresh(state, definition)
      state.failure = null
      if (!isDone) state.dueAt = now()
    } catch (error) {
      if (stop.signal.aborted) return
      const count = (state.failure?.count ?? 0) + 1
      const wait = Math.min(longestRetryMs, firstRetryMs * 2 ** (count - 1))
      state.failure = { at: now(), message: error instanceof Error ? error.message : String(error), count }
      state.dueAt = now() + wait
      // Stopped because its deployment changed, which is no fault: it is built again from what there is then.
      const isStopped = error instanceof QueryServiceError && error.code === 'query_cancelled'
      if (!isStopped) report(error)
    } finally {
      state.generation += 1
    }
  }

  /** Whether the rows still come from where they are to be read, as those say who can change the variables of the deployment. */
  async function isCurrent({ deploymentId, source }: RollupDefinition): Promise<boolean> {
    try {
      return (await needs.sourceOf(deploymentId, source.name))?.fingerprint === source.fingerprint
    } catch (error) {
      // There is none of that name any more, or its variables say nothing that can be used.
      if (error instanceof QueryServiceError) return false
      throw error
    }
  }

  /** Builds what is missing or old. @returns false when the turn is over before all is done. */
  async function refresh(state: RollupState, definition: RollupDefinition): Promise<boolean> {
    const { signal } = stop
    const startedAt = now()
    const layout = await surveyed(state, definition)
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
      const fresh = await statements.freshness(definition, partition, signal)
      if (
        table &&
        !isForced &&
        table.refreshValue === fresh.value &&
        (await files.has(state.deploymentId, table.file))
      ) {
        table.validUntil = fresh.until
      } else {
        const maximumBytes = await makeRoom(state)
        const built = await buildTable(definition, partition, fresh.value, { maximumBytes, signal })
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

  /** Open ends hold all that is new, so the source need not be searched for its last row each time. */
  function surveyAt({ surveyedAt }: RollupState, definition: RollupDefinition): number {
    const { partitioning, hasRangeStart, hasRangeEnd, refreshKey } = definition
    if (partitioning === null) return Number.POSITIVE_INFINITY
    const period = periodOf(refreshKey)
    return surveyedAt + (hasRangeStart && hasRangeEnd ? period : Math.max(period, searchMs))
  }

  async function surveyed(state: RollupState, definition: RollupDefinition): Promise<Layout> {
    const { layout, surveyedAt } = state
    if (layout && now() < surveyAt(state, definition)) {
      if (surveyedAt === 0) await remember(state, layout, now())
      return layout
    }
    const askedAt = now()
    const found = await statements.survey(definition, stop.signal)
    const isSame = layout !== null && keysOf(layout) === keysOf(found)
    await remember(state, isSame ? layout : found, askedAt)
    return state.layout ?? found
  }

  async function remember(state: RollupState, layout: Layout, surveyedAt: number): Promise<void> {
    const { name, timezone, usedAt } = state
    await rollups.putRollup(store.kysely, {
      ...storeKey(state),
      name,
      timezone,
      layout: writeLayout(layout),
      surveyedAt: new Date(surveyedAt),
      usedAt: new Date(usedAt),
    })
    state.layout = layout
    state.surveyedAt = surveyedAt
    state.generation += 1
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
    await rollups.deleteTables(
      store.kysely,
      storeKey(state),
      gone.map(({ partition }) => partition),
    )
    for (const { partition, file } of gone) {
      state.tables.delete(partition)
      lingering.add(state.deploymentId, file)
    }
  }

  const bytesOf = ({ tables }: RollupState) => [...tables.values()].reduce((sum, { bytes }) => sum + bytes, 0)

  /** What the next file may take; rollups that were not used for longest make room for it. */
  async function makeRoom(state: RollupState): Promise<number> {
    const others = [...states.values()].filter(other => other !== state && bytesOf(other) > 0 && !turns.has(other))
    others.sort((left, right) => left.usedAt - right.usedAt)
    let used = [...states.values()].reduce((sum, each) => sum + bytesOf(each), 0)
    for (const other of others) {
      if (used < limits.diskBytes * 0.9 || now() - other.usedAt < activeMs || other.isScheduled) break
      used -= bytesOf(other)
      await forget(other)
    }
    if (used >= limits.diskBytes) {
      throw new Error(`The rollups of this node take ${used} of the ${limits.diskBytes} bytes that they may take`)
    }
    return limits.diskBytes - used
  }

  async function forget(state: RollupState): Promise<void> {
    await rollups.deleteRollup(store.kysely, storeKey(state))
    states.delete(stateKey(state.deploymentId, state.hash))
    queue.delete(state)
    for (const { file } of state.tables.values()) {
      lingering.add(state.deploymentId, file)
    }
    state.tables.clear()
    state.generation += 1
  }

  function tick(): void {
    const at = now()
    for (const state of states.values()) {
      const isActive = state.isScheduled || at - state.usedAt < activeMs || state.forced.size > 0
      if (state.definition && isActive && at >= state.dueAt && !queue.has(state)) enqueue(state)
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
    await lingering.removeDue()
    for (const state of [...states.values()]) {
      if (turns.has(state)) continue
      if (!state.isScheduled && at - state.usedAt > limits.unusedMs) await forget(state)
      else if (at - state.usedAt < 2 * housekeepingMs && state.surveyedAt > 0 && state.layout) {
        await remember(state, state.layout, state.surveyedAt)
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
    for (const state of [...states.values()]) {
      if (state.deploymentId !== deploymentId) continue
      states.delete(stateKey(deploymentId, state.hash))
      queue.delete(state)
      state.tables.clear()
      state.generation += 1
    }
    await files.drop(deploymentId)
  }

  return {
    find(definition, range, { isStrict, builds }) {
      const state = stateOf(definition)
      const at = now()
      state.usedAt = at
      const found = findTables(state, range, at, isStrict)
      if (builds && at >= state.dueAt) enqueue(state)
      return { ...found, state }
    },

    distrust(definition) {
      const state = stateOf(definition)
      const files = giveUpTables(state, now())
      for (const file of files) lingering.add(state.deploymentId, file)
      if (files.length > 0) enqueue(state)
    },

    schedule(definition) {
      const state = stateOf(definition)
      if (state.isScheduled) return
      state.isScheduled = true
      state.dueAt = Math.min(state.dueAt, now())
    },

    unschedule(deploymentId, kept) {
      for (const state of states.values()) {
        if (state.deploymentId === deploymentId && !kept.has(state.hash)) state.isScheduled = false
      }
    },

    async rebuild(definition, isWanted, signal) {
      const state = stateOf(definition)
      state.usedAt = now()
      const partitions = state.layout ?? (await statements.survey(definition, signal))
      const requestedAt = now()
      for (const partition of partitions)
        if (isWanted(partition)) state.forced.set(partitionKey(partition), requestedAt)
      state.dueAt = requestedAt
      enqueue(state)
      return { partitions, requestedAt }
    },

    look: (deploymentId, hash) => states.get(stateKey(deploymentId, hash)),

    drop: dropFiles,

    async start() {
      await rollups.releaseClaims(store.kysely, node)
      const stored = await rollups.listNodeRollups(store.kysely, node)
      for (const row of stored.rollups) {
        const tables = stored.tables.filter(
          ({ deploymentId, definition }) => deploymentId === row.deploymentId && definition === row.definition,
        )
        states.set(stateKey(row.deploymentId, row.definition), storedState(row, tables))
      }
      for (const deploymentId of await files.deployments()) {
        const own = [...states.values()].filter(state => state.deploymentId === deploymentId)
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
      await Promise.race([Promise.allSettled([...turns.values(), tidying]), limit])
      done.abort()
    },
  }
}

const keysOf = (layout: Layout) => JSON.stringify(layout.map(partitionKey))
