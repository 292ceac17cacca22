import { type DataSources, readDataSources } from '@hedron/query'
import type { MaskDefaults } from '@hedron/semantic'
import { deployments, type Store } from '@hedron/store'
import { LRUCache } from 'lru-cache'
import { readVariable } from '../deployments/variable-values.ts'
import type { ReadVariables } from '../deployments/variables.ts'
import { once } from '../once.ts'
import type { Soon } from '../soon.ts'
import { readTokenSettings, type TokenSettings } from './tokens/token-settings.ts'

/**
 * What answering a deployment's queries needs to know of it, read from its variables. What one of them says is read when it is needed, and
 * throws a DataError that names it where it cannot be used, so that all else works.
 */
export interface DeploymentRuntime {
  readonly accountId: number
  readonly deploymentId: number
  readonly variables: Readonly<Record<string, string>>
  /** How data-API tokens are checked. */
  readonly tokens: TokenSettings
  /** @throws {QueryServiceError} naming the variable that cannot be used; tokens are checked without it. */
  readonly sources: () => DataSources
  readonly defaultTimezone: string
  readonly defaultLimit: number
  readonly maximumLimit: number
  /** What masked members without a mask of their own show. */
  readonly defaultMasks: MaskDefaults
  /** Between the names of folders inside each other, where clients see one level of them; empty: they are merged. */
  readonly nestedFoldersDelimiter: string
  readonly rollups: RollupSettings
  /** Off only where `CUBEJS_ALLOW_UNGROUPED_WITHOUT_PRIMARY_KEY` is `false`. */
  readonly allowUngroupedWithoutPrimaryKey: boolean
  /** Off only where `CUBEJS_WEB_SOCKETS` is `false`. */
  readonly webSockets: boolean
  /** The folder of the project that describes agents; null where `CUBE_CLOUD_AGENTS_CONFIG_ENABLED` is `false`. */
  readonly agentsDirectory: () => string | null
}

/** How a deployment wants its queries answered from rollups. */
export interface RollupSettings {
  /** `CUBEJS_ROLLUP_ONLY`: a query that no rollup answers is an error. */
  readonly isOnly: boolean
  /** `CUBEJS_PRE_AGGREGATIONS_BUILDER`; `false`: queries build nothing, only the schedule and jobs do. */
  readonly buildsForQueries: boolean
  /** `CUBEJS_SCHEDULED_REFRESH_TIMEZONES` and the default one: whose days and weeks rollups are built for. */
  readonly timezones: readonly string[]
}

/** Results and connections are a deployment's own; its branches share them, since they read the same sources. */
export const poolName = (deploymentId: number): string => `deployment ${deploymentId}`

interface RuntimesNeed {
  readonly store: Store
  readonly readVariables: ReadVariables
  /** Folder that the deployment's file-based data source reads. */
  readonly dataDirectory: (deploymentId: number) => string
}

/** How long a node may go on with variables that another node has changed, in milliseconds. */
const freshness = 2000
/** How exactly that is kept; to the millisecond would take a timer for each. */
const resolution = 100

export function createDeploymentRuntimes({ store, readVariables, dataDirectory }: RuntimesNeed) {
  const cache = new LRUCache<number, { runtime: Soon<DeploymentRuntime | undefined> }>({
    max: 1000,
    ttl: freshness,
    ttlResolution: resolution,
  })

  async function read(deploymentId: number): Promise<DeploymentRuntime | undefined> {
    const accountId = await deployments.findDeploymentAccount(store.kysely, deploymentId)
    if (accountId === undefined) return undefined
    const variables = await readVariables(store.kysely, accountId, deploymentId)
    const maximumLimit = once(() => readVariable(variables, 'CUBEJS_DB_QUERY_LIMIT') ?? 50_000)
    const defaultLimit = once(() =>
      Math.min(readVariable(variables, 'CUBEJS_DB_QUERY_DEFAULT_LIMIT') ?? 10_000, maximumLimit()),
    )
    const defaultTimezone = once(() => readVariable(variables, 'CUBEJS_DEFAULT_TIMEZONE') ?? 'UTC')
    const defaultMasks = once(() => readMasks(variables))
    const rollups = once(() => readRollupSettings(variables))
    return {
      accountId,
      deploymentId,
      variables,
      tokens: readTokenSettings(variables),
      sources: once(() => readDataSources(variables, { dataDirectory: dataDirectory(deploymentId) })),
      get defaultTimezone() {
        return defaultTimezone()
      },
      get defaultLimit() {
        return defaultLimit()
      },
      get maximumLimit() {
        return maximumLimit()
      },
      get defaultMasks() {
        return defaultMasks()
      },
      nestedFoldersDelimiter: variables.CUBEJS_NESTED_FOLDERS_DELIMITER ?? '',
      get rollups() {
        return rollups()
      },
      get allowUngroupedWithoutPrimaryKey() {
        return readVariable(variables, 'CUBEJS_ALLOW_UNGROUPED_WITHOUT_PRIMARY_KEY') ?? true
      },
      get webSockets() {
        return readVariable(variables, 'CUBEJS_WEB_SOCKETS') ?? true
      },
      agentsDirectory: once(() => {
        if (readVariable(variables, 'CUBE_CLOUD_AGENTS_CONFIG_ENABLED') === false) return null
        return readVariable(variables, 'CUBE_CLOUD_AGENTS_CONFIG_PATH') ?? 'agents'
      }),
    }
  }

  return {
    /** Undefined where there is no such deployment; at once where it was read lately. */
    find(deploymentId: number): Soon<DeploymentRuntime | undefined> {
      const known = cache.get(deploymentId)
      if (known) return known.runtime
      const reading = read(deploymentId)
      const entry: { runtime: Soon<DeploymentRuntime | undefined> } = { runtime: reading }
      cache.set(deploymentId, entry)
      reading.then(
        runtime => {
          entry.runtime = runtime
        },
        () => cache.delete(deploymentId),
      )
      return reading
    },
    forget: (deploymentId: number) => cache.delete(deploymentId),
  }
}
export type DeploymentRuntimes = ReturnType<typeof createDeploymentRuntimes>

function readRollupSettings(variables: Readonly<Record<string, string>>): RollupSettings {
  const scheduled = readVariable(variables, 'CUBEJS_SCHEDULED_REFRESH_TIMEZONES') ?? []
  return {
    isOnly: readVariable(variables, 'CUBEJS_ROLLUP_ONLY') ?? false,
    buildsForQueries: readVariable(variables, 'CUBEJS_PRE_AGGREGATIONS_BUILDER') ?? true,
    timezones: [
      ...new Set([
        ...(scheduled.length > 0 ? scheduled : ['UTC']),
        readVariable(variables, 'CUBEJS_DEFAULT_TIMEZONE') ?? 'UTC',
      ]),
    ],
  }
}

function readMasks(variables: Readonly<Record<string, string>>): MaskDefaults {
  const string = readVariable(variables, 'CUBEJS_ACCESS_POLICY_MASK_STRING')
  const number = readVariable(variables, 'CUBEJS_ACCESS_POLICY_MASK_NUMBER')
  const boolean = readVariable(variables, 'CUBEJS_ACCESS_POLICY_MASK_BOOLEAN')
  const time = readVariable(variables, 'CUBEJS_ACCESS_POLICY_MASK_TIME')
  return {
    ...(string === undefined ? {} : { string }),
    ...(number === undefined ? {} : { number }),
    ...(boolean === undefined ? {} : { boolean }),
    ...(time === undefined ? {} : { time }),
  }
}
