import type { QueryService, RollupFiles } from '@hedron/query'
import { formatLocal, type RollupFileSet } from '@hedron/semantic'
import { type Effects, randomId } from '../effects.ts'
import { openRows } from './build-table.ts'
import type { RollupDefinition } from './definition.ts'
import type { LingeringFiles } from './lingering-files.ts'

/** Rows of the source that are newer than the tables of a `rollup_lambda`, in groups as it keeps them. */
export interface NewestTable {
  readonly tables: readonly RollupFileSet[]
  /** The step from which on they are all there. */
  readonly from: string
  /** When the source was asked; milliseconds since 1970. */
  readonly builtAt: number
  readonly until: number
}

/** The newest rows of rollups: fetched when a query needs them, shared while they are fresh, forgotten when nobody asks. */
export interface NewestRows {
  /** Undefined where they are not there, old, or begin later. */
  find(definition: RollupDefinition, from: string): NewestTable | undefined
  /**
   * Fetches them once for all who ask.
   *
   * @param freshMs for how long they are fresh
   * @returns null where it failed so short a time ago that it is not tried again yet
   * @throws {QueryServiceError} what the source says; {Error} for rows that can't be kept
   */
  fetch(definition: RollupDefinition, from: string, freshMs: number): Promise<void> | null
  /** Its file could not be read. */
  distrust(definition: RollupDefinition): void
  /** Forgets those that nobody asked for lately. */
  tidy(): void
  close(): Promise<void>
}

interface NewestNeeds {
  readonly effects: Effects
  readonly queryService: QueryService
  readonly files: RollupFiles
  readonly lingering: LingeringFiles
  readonly poolName: (deploymentId: number) => string
  /** What all of them together may take. */
  readonly maximumBytes: number
  /** After how long nobody's are forgotten. */
  readonly idleMs: number
}

interface Entry {
  readonly deploymentId: number
  kept: (NewestTable & { readonly file: string; readonly bytes: number }) | null
  fetching: { readonly from: string; readonly done: Promise<void> } | null
  failedAt: number
  usedAt: number
}

const retryMs = 5_000
const leastFreshMs = 1_000
/** Steps are local, of which one may begin at two instants; from so much earlier on no row of a step is missing. */
const marginMs = 24 * 3_600_000

export function createNewestRows(need: NewestNeeds): NewestRows {
  const { effects, queryService, files, lingering, poolName, maximumBytes, idleMs } = need
  const now = () => effects.now().getTime()
  const stop = new AbortController()
  const entries = new Map<string, Entry>()
  const keyOf = ({ deploymentId, hash }: RollupDefinition) => `${deploymentId} ${hash}`

  function entryOf(definition: RollupDefinition): Entry {
    const key = keyOf(definition)
    const known = entries.get(key)
    if (known) return known
    const entry: Entry = {
      deploymentId: definition.deploymentId,
      kept: null,
      fetching: null,
      failedAt: Number.NEGATIVE_INFINITY,
      usedAt: now(),
    }
    entries.set(key, entry)
    return entry
  }

  function letGo(entry: Entry): void {
    if (entry.kept) lingering.add(entry.deploymentId, entry.kept.file)
    entry.kept = null
  }

  /** What may still be taken, after those that were not used for longest have made room. */
  function roomFor(entry: Entry): number {
    const others = [...entries.values()].filter(other => other !== entry && other.kept !== null)
    others.sort((left, right) => left.usedAt - right.usedAt)
    let used = others.reduce((sum, { kept }) => sum + (kept?.bytes ?? 0), 0)
    for (const other of others) {
      if (used <= maximumBytes / 2) break
      used -= other.kept?.bytes ?? 0
      letGo(other)
    }
    return maximumBytes - used
  }

  async function fill(entry: Entry, definition: RollupDefinition, from: string, freshMs: number): Promise<void> {
    const { deploymentId, sortBy } = definition
    const file = `${randomId(effects)}.parquet`
    try {
      const builtAt = now()
      const start = formatLocal(Date.parse(`${from}Z`) - marginMs)
      const partition = { range: [start, null], withUndated: false } as const
      const { stream, rows } = await openRows(queryService, poolName, definition, partition, stop.signal)
      try {
        const options = { file, sortBy, timeColumn: null, maximumBytes: roomFor(entry), signal: stop.signal }
        const { columns, bytes } = await files.write(deploymentId, rows, options)
        letGo(entry)
        // Whoever waited for them can use them, however short they are fresh.
        const until = Math.max(builtAt + freshMs, now() + leastFreshMs)
        entry.kept = { tables: [{ files: [file], columns }], from, builtAt, until, file, bytes }
      } finally {
        stream.close()
      }
    } catch (error) {
      await files.remove(deploymentId, file)
      entry.failedAt = now()
      throw error
    }
  }

  return {
    find(definition, from) {
      const entry = entries.get(keyOf(definition))
      if (!entry?.kept || entry.kept.from > from || now() >= entry.kept.until) return undefined
      entry.usedAt = now()
      return entry.kept
    },
    fetch(definition, from, freshMs) {
      const entry = entryOf(definition)
      entry.usedAt = now()
      if (entry.fetching && entry.fetching.from <= from) return entry.fetching.done
      if (now() - entry.failedAt < retryMs || stop.signal.aborted) return null
      const before = entry.fetching?.done.catch(() => {})
      const done = Promise.resolve(before)
        .then(() => fill(entry, definition, from, freshMs))
        .finally(() => {
          if (entry.fetching?.done === done) entry.fetching = null
        })
      // Who waits hears of it; there may be nobody left.
      done.catch(() => {})
      entry.fetching = { from, done }
      return done
    },
    distrust(definition) {
      const entry = entries.get(keyOf(definition))
      if (entry) letGo(entry)
    },
    tidy() {
      const at = now()
      for (const [key, entry] of entries) {
        if (entry.fetching || at - entry.usedAt < idleMs) continue
        letGo(entry)
        entries.delete(key)
      }
    },
    async close() {
      stop.abort(new Error('The server is shutting down'))
      await Promise.allSettled([...entries.values()].map(({ fetching }) => fetching?.done))
    },
  }
}
