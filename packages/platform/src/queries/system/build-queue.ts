import type { RollupState } from '../../rollups/rollup-state.ts'
import type { DataNeeds } from '../operations/operation-needs.ts'
import type { SystemCaller } from './system-caller.ts'
import { CancelQuery, readSystemQuery } from './system-query.ts'

/** A rollup that is looked at or built, or waits for that. */
interface QueuedBuild {
  /** Names it for `cancel`. */
  readonly queryKey: string
  readonly queryHandler: 'query'
  readonly status: readonly ['active' | 'toProcess']
  readonly query: {
    readonly preAggregation: {
      readonly preAggregationId: string
      readonly dataSource: string | null
      readonly timezone: string
    }
  }
}

/** What this node builds of a deployment, and leaving it: `POST /cubejs-system/v1/pre-aggregations/queue` and `cancel`. */
export function createBuildQueue({ rollupKeeper }: Pick<DataNeeds, 'rollupKeeper'>) {
  const queue = (deploymentId: number): readonly QueuedBuild[] =>
    rollupKeeper.queue(deploymentId).map(({ state, isRunning }) => describe(state, isRunning))

  return {
    async queue({ deploymentId }: SystemCaller): Promise<object> {
      return { result: queue(deploymentId) }
    },

    /** Null for a key that names nothing which runs or waits. */
    async cancel({ deploymentId }: SystemCaller, body: unknown): Promise<object> {
      const { queryKeys, dataSource } = readSystemQuery(body, CancelQuery)
      const there = new Map(queue(deploymentId).map(build => [build.queryKey, build]))
      return {
        result: queryKeys.map(key => {
          const build = there.get(key)
          const isMeant = dataSource === undefined || build?.query.preAggregation.dataSource === dataSource
          return build && isMeant && rollupKeeper.cancel(deploymentId, key) ? build : null
        }),
      }
    },
  }
}

const describe = ({ hash, name, timezone, definition }: RollupState, isRunning: boolean): QueuedBuild => ({
  queryKey: hash,
  queryHandler: 'query',
  status: [isRunning ? 'active' : 'toProcess'],
  query: { preAggregation: { preAggregationId: name, dataSource: definition?.source.name ?? null, timezone } },
})
