import { createHash } from 'node:crypto'
import { resolve } from 'node:path'
import { createDrivers } from './drivers/drivers.ts'
import { problems } from './query-service-error.ts'
import type { DataSource, DataSources } from './shapes/data-source.ts'
import type { Driver } from './shapes/driver.ts'

const defaultType = 'duckdb'
const defaultConcurrency = 4
const defaultTimeoutMs = 10 * 60_000

/**
 * Reads a deployment's variables into its data sources (contract/behaviour/devmode-deploy.md, section 10).
 *
 * `CUBEJS_DB_*` describes the data source `default`; `CUBEJS_DATASOURCES` lists more, and `CUBEJS_DS_<NAME>_DB_*` describes
 * each of them. A type whose driver is not built is not an error here but when it is queried, so that the rest of a
 * deployment works.
 *
 * @throws QueryServiceError `source_misconfigured`, naming the variable: a path that leaves the data folder, a limit that
 * is no number, a list without `default`.
 */
export function readDataSources(
  variables: Readonly<Record<string, string>>,
  options: { readonly dataDirectory: string; readonly drivers?: readonly Driver[] },
): DataSources {
  const names = readNames(variables)
  const dataDirectory = resolve(options.dataDirectory)
  const drivers = new Map((options.drivers ?? createDrivers()).map(driver => [driver.type, driver]))
  const sources = new Map(names.map(name => [name, readDataSource(name, variables, dataDirectory, drivers)]))
  return Object.freeze({
    names,
    get(name: string) {
      const source = sources.get(name)
      if (!source) throw problems.sourceUnknown(name, names)
      return source
    },
  })
}

function readNames({ CUBEJS_DATASOURCES: list = '' }: Readonly<Record<string, string>>): readonly string[] {
  const names = list
    .split(',')
    .map(name => name.trim())
    .filter(name => name !== '')
  if (names.length === 0) return Object.freeze(['default'])
  if (!names.includes('default')) {
    throw problems.sourceMisconfigured('CUBEJS_DATASOURCES', `"${list}" has no "default". Add it to the list.`)
  }
  const strange = names.find(name => !/^\w+$/.test(name))
  if (strange !== undefined) {
    throw problems.sourceMisconfigured(
      'CUBEJS_DATASOURCES',
      `"${strange}" is not a name of letters, digits and underscores.`,
    )
  }
  return Object.freeze([...new Set(names)])
}

function readDataSource(
  name: string,
  variables: Readonly<Record<string, string>>,
  dataDirectory: string,
  drivers: ReadonlyMap<string, Driver>,
): DataSource {
  const variablePrefix = name === 'default' ? 'CUBEJS_' : `CUBEJS_DS_${name.toUpperCase()}_`
  const settings = Object.fromEntries(
    Object.entries(variables)
      .filter(([variable]) => variable.startsWith(variablePrefix))
      .map(([variable, value]) => [variable.slice(variablePrefix.length), value] as const)
      .filter(([variable]) => /^(DB_|JDBC_|AWS_|FIREBOLT_|CONCURRENCY$)/.test(variable) && !limits.has(variable))
      .sort(([left], [right]) => (left < right ? -1 : 1)),
  )
  const written = settings.DB_TYPE?.trim().toLowerCase() || defaultType
  const type = aliases.get(written) ?? written
  const driver = drivers.get(type)
  const source = {
    name,
    type,
    concurrency:
      readPositive(`${variablePrefix}CONCURRENCY`, settings.CONCURRENCY ?? variables.CUBEJS_CONCURRENCY) ??
      driver?.defaultConcurrency ??
      defaultConcurrency,
    timeoutMs: readDuration(`${variablePrefix}DB_QUERY_TIMEOUT`, settings.DB_QUERY_TIMEOUT) ?? defaultTimeoutMs,
    dataDirectory,
    variablePrefix,
    settings: Object.freeze(settings),
  }
  const fingerprint = createHash('sha256').update(JSON.stringify(source)).digest('base64url')
  const complete = Object.freeze({ ...source, fingerprint })
  driver?.check(complete)
  return complete
}

/** How many rows queries give: in their statements, and nothing that connections, results or rollups depend on. */
const limits: ReadonlySet<string> = new Set(['DB_QUERY_LIMIT', 'DB_QUERY_DEFAULT_LIMIT'])

/** Other words of the field for types that drivers are named after. */
const aliases: ReadonlyMap<string, string> = new Map([
  ['postgresql', 'postgres'],
  ['mariadb', 'mysql'],
  ['mssql', 'sqlserver'],
  ['databricks-jdbc', 'databricks'],
])

function readPositive(variable: string, value: string | undefined): number | undefined {
  if (!value) return undefined
  if (!/^\d{1,4}$/.test(value) || Number(value) === 0) {
    throw problems.sourceMisconfigured(variable, `"${value}" is not a whole number from 1 to 9999.`)
  }
  return Number(value)
}

const durationUnits: Readonly<Record<string, number>> = { '': 1_000, s: 1_000, m: 60_000, h: 3_600_000 }

function readDuration(variable: string, value: string | undefined): number | undefined {
  if (!value) return undefined
  const [, amount, unit = ''] = /^(\d{1,7})([smh]?)$/.exec(value) ?? []
  const milliseconds = Number(amount) * (durationUnits[unit] ?? Number.NaN)
  if (!(milliseconds > 0)) {
    throw problems.sourceMisconfigured(variable, `"${value}" is not a duration such as "600", "90s" or "10m".`)
  }
  return milliseconds
}
