import type { DataSource } from '@hedron/query'
import type { DataNeeds } from '../operations/operation-needs.ts'
import { createBuildQueue } from './build-queue.ts'
import { createBuildRollups } from './build-rollups.ts'
import { createListRollups } from './list-rollups.ts'
import { createPreviewRollup } from './preview-rollup.ts'
import { createShowPartitions } from './show-partitions.ts'
import type { SystemCaller } from './system-caller.ts'
import { findSystemModel } from './wanted-rollups.ts'

export interface SystemNeeds extends DataNeeds {
  /** What reads the tables of a deployment's rollups. */
  readonly rollupSource: (deploymentId: number) => DataSource
  /** Of Hedron. */
  readonly version: string
}

/** What looks after the rollups of a deployment (contract/behaviour/query.md section 1, `/cubejs-system`); each can throw `DataError`. */
export type SystemOperations = ReturnType<typeof createSystemOperations>

export function createSystemOperations(needs: SystemNeeds) {
  return {
    async context(): Promise<object> {
      return { basePath: '/cubejs-api', dockerVersion: null, serverCoreVersion: needs.version }
    },
    list: createListRollups(needs),
    /** Rollups are the same for every security context, so none is listed. */
    async securityContexts(): Promise<object> {
      return { securityContexts: [] }
    },
    async timezones(caller: SystemCaller): Promise<object> {
      return { timezones: (await findSystemModel(needs, caller)).runtime.rollups.timezones }
    },
    partitions: createShowPartitions(needs),
    preview: createPreviewRollup(needs),
    build: createBuildRollups(needs),
    ...createBuildQueue(needs),
  }
}
