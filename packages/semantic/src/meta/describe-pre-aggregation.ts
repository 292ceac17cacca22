import type { Model, PreAggregation } from '../shapes/model.ts'
import { textOf } from './sql-text.ts'

/** A pre-aggregation as `/v1/meta?extended` shows it (contract/behaviour/query.md section 6). */
export interface DescribedPreAggregation {
  readonly name: string
  readonly type: PreAggregation['type']
  /** `cube.member`, as are all members here. */
  readonly measures: readonly string[]
  readonly dimensions: readonly string[]
  readonly segments: readonly string[]
  readonly timeDimensions: readonly { readonly dimension: string; readonly granularity: string | null }[]
  readonly partitionGranularity: PreAggregation['partitionGranularity']
  readonly refreshKey: { readonly every: string; readonly incremental: boolean; readonly sql?: string }
  readonly scheduledRefresh: boolean
  readonly external: boolean
  /** Of `rollup_join` and `rollup_lambda`: what they put together. */
  readonly rollups?: readonly string[]
}

/**
 * @param cube whose it is
 * @param showsSql whether the reader may see SQL of its author
 */
export function describePreAggregation(
  definition: PreAggregation,
  cube: string,
  showsSql: boolean,
): DescribedPreAggregation {
  const { name, type, measures, dimensions, segments, timeDimensions, refreshKey, rollups } = definition
  const ids = (list: readonly { readonly cube: string; readonly member: string }[]) =>
    list.map(part => `${part.cube}.${part.member}`)
  const { every, sql, incremental } = refreshKey
  const seconds = typeof every === 'number' ? every : every.seconds
  return {
    name,
    type,
    measures: ids(measures),
    dimensions: ids(dimensions),
    segments: ids(segments),
    timeDimensions: timeDimensions.map(({ cube: owner, member, granularity }) => ({
      dimension: `${owner}.${member}`,
      granularity,
    })),
    partitionGranularity: definition.partitionGranularity,
    refreshKey: { every: `${seconds} second`, incremental, ...(sql && showsSql ? { sql: textOf(sql, cube) } : {}) },
    scheduledRefresh: definition.scheduledRefresh,
    external: definition.external,
    ...(rollups.length > 0 ? { rollups: rollups.map(id => `${id.cube}.${id.name}`) } : {}),
  }
}

/** All pre-aggregations of a model with all that is known of them, for whoever works on it. */
export const describePreAggregations = ({
  cubes,
}: Model): readonly (DescribedPreAggregation & { readonly cube: string })[] =>
  cubes.flatMap(({ name: cube, preAggregations }) =>
    preAggregations.map(each => ({ cube, ...describePreAggregation(each, cube, true) })),
  )
