import type { RollupMiss } from '../../messages/rollup-misses.ts'
import type { RollupId } from './rollup.ts'

/** A pre-aggregation that was looked at; `miss` is null for the one that is used. */
export interface Considered {
  readonly id: RollupId
  readonly miss: RollupMiss | null
}

/** A rollup, and which of its partitions a query is about: local times, both ends included; null where there is no end. */
export interface FoundPart {
  readonly id: RollupId
  readonly range: readonly [string | null, string | null]
}
