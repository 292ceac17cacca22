import { isAbsolute, relative, resolve, sep } from 'node:path'
import { problems } from '../../query-service-error.ts'
import type { DataSource } from '../../shapes/data-source.ts'

export interface DuckDbSettings {
  /** Absent: a database in memory, which only reads files. Absolute and, as written, below the data folder. */
  readonly databasePath: string | undefined
  /** Absent: the server's limit. */
  readonly memoryBytes: number | undefined
  readonly schema: string | undefined
}

/** @throws QueryServiceError `source_misconfigured`, naming the variable */
export function readDuckDbSettings(source: DataSource): DuckDbSettings {
  return {
    databasePath: readDatabasePath(source),
    memoryBytes: readMemoryLimit(source),
    schema: source.settings.DB_DUCKDB_SCHEMA || undefined,
  }
}

function readDatabasePath({ settings, dataDirectory, variablePrefix }: DataSource): string | undefined {
  const value = settings.DB_DUCKDB_DATABASE_PATH
  if (!value || value === ':memory:') return undefined
  const path = resolve(dataDirectory, value)
  if (/^\w+:/.test(value) || value.includes('\0') || !isBelow(path, dataDirectory)) {
    throw problems.sourceMisconfigured(
      `${variablePrefix}DB_DUCKDB_DATABASE_PATH`,
      `"${value}" is not a file in the deployment's data folder. Name one there, such as "sales.duckdb".`,
    )
  }
  return path
}

/** Whether a path lies inside the folder. Both absolute; links are not followed. */
export function isBelow(path: string, folder: string): boolean {
  const way = relative(folder, path)
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}

const units: Readonly<Record<string, number>> = {
  kb: 1e3,
  mb: 1e6,
  gb: 1e9,
  tb: 1e12,
  kib: 2 ** 10,
  mib: 2 ** 20,
  gib: 2 ** 30,
  tib: 2 ** 40,
}

function readMemoryLimit({ settings, variablePrefix }: DataSource): number | undefined {
  const value = settings.DB_DUCKDB_MEMORY_LIMIT
  if (!value) return undefined
  const [, amount, unit = ''] = /^\s*(\d+(?:\.\d+)?)\s*([kmgt]i?b)\s*$/i.exec(value) ?? []
  const bytes = Number(amount) * (units[unit.toLowerCase()] ?? Number.NaN)
  if (!(bytes >= 1e6)) {
    throw problems.sourceMisconfigured(
      `${variablePrefix}DB_DUCKDB_MEMORY_LIMIT`,
      `"${value}" is not a size such as "512MB" or "2GiB".`,
    )
  }
  return Math.floor(bytes)
}
