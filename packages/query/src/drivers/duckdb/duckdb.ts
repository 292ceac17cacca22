import { availableParallelism } from 'node:os'
import { createEngines, type Engines } from '../../engine/engines.ts'
import type { DataSource } from '../../shapes/data-source.ts'
import type { Driver, OpenSource } from '../../shapes/driver.ts'
import { readDuckDbSettings } from './settings.ts'

/** What the operator allows each statement, whatever a deployment's variables say. */
export interface DuckDbLimits {
  /** Default 1 GiB. `DB_DUCKDB_MEMORY_LIMIT` can lower it. */
  readonly memoryBytes?: number
  /** Default: one for each core. */
  readonly threads?: number
}

/**
 * DuckDB on this machine: over the files of the deployment's data folder, or over one database file in it. Each statement that runs
 * has a process to itself, which keeps the source open for the next: what a statement takes or breaks is that process.
 */
export function createDuckDbDriver(limits: DuckDbLimits = {}, engines: Engines = createEngines()): Driver {
  return {
    type: 'duckdb',
    defaultConcurrency: 4,
    embedded: true,
    check(source) {
      readDuckDbSettings(source)
    },
    async open(source) {
      const opened = openSource(source, limits, engines)
      // So that what is wrong with the source is known now.
      await opened.test(new AbortController().signal)
      return opened
    },
  }
}

function openSource(source: DataSource, limits: DuckDbLimits, engines: Engines): OpenSource {
  const settings = readDuckDbSettings(source)
  const { memoryBytes = 2 ** 30, threads = availableParallelism() } = limits
  const allowed = { memoryBytes: Math.min(memoryBytes, settings.memoryBytes ?? memoryBytes), threads }
  // Credentials of other databases are nothing that an engine needs.
  const file = source.settings.DB_DUCKDB_DATABASE_PATH
  const known = { ...source, settings: file === undefined ? {} : { DB_DUCKDB_DATABASE_PATH: file } }
  const open = { do: 'open', source: known, settings, limits: allowed } as const
  const holder = engines.holder((engine, signal) => engine.ask(open, signal))
  return {
    stream: (statement, sink, signal) =>
      holder.use(signal, engine => engine.ask({ do: 'stream', statement }, signal, sink)),
    test: signal => holder.use(signal, engine => engine.ask({ do: 'test' }, signal)),
    close: () => holder.close(),
  }
}
