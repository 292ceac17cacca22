import type { RollupId } from '../plan/rollups/rollup.ts'
import type { QueryFilter } from '../shapes/query.ts'
import type { Relationship } from '../shapes/vocabulary.ts'

/** How a query is answered: what is read, joined, grouped and aggregated, and why so. Nothing of a caller's rights but that they count. */
export interface Explanation {
  /** One, unless the measures are of several roots of a view. */
  readonly parts: readonly ExplainedPart[]
  /** What the answer has a row for: `cube.member`, times as `cube.member.granularity`. Empty: one row. */
  readonly grain: readonly string[]
  readonly timezone: string
  readonly measures: readonly ExplainedMeasure[]
  /** Filters of measures hold for groups, all others for rows. */
  readonly groupFilters: readonly ExplainedFilter[]
  /** Cubes and views of which policies leave this caller some rows, and members that they mask. */
  readonly restricted: readonly string[]
  readonly masked: readonly string[]
  readonly rollup: RollupId | null
  /** Those of which the caller is shown all members. */
  readonly refusedRollups: readonly { readonly id: RollupId; readonly reason: string }[]
  /** The same in sentences. */
  readonly text: readonly string[]
}

export interface ExplainedPart {
  readonly root: string
  /** Why this cube is the root. */
  readonly because: RootReason
  readonly joins: readonly ExplainedJoin[]
  readonly rowFilters: readonly ExplainedFilter[]
  readonly segments: readonly string[]
  readonly ranges: readonly { readonly member: string; readonly from: string | null; readonly to: string | null }[]
}

/** `only`: no other cube reaches all; `fewest`: others need more joins; `first`: others need as many and are named later. */
export type RootReason = 'alone' | 'only' | 'fewest' | 'first' | 'fact'

export interface ExplainedJoin {
  readonly from: string
  readonly to: string
  readonly relationship: Relationship
  /** Cubes of the model from which it could have been joined over as few joins. */
  readonly alternatives: readonly string[]
}

export interface ExplainedFilter {
  readonly filter: QueryFilter
  /** From the view, not from the query. */
  readonly isDefault: boolean
}

export interface ExplainedMeasure {
  readonly member: string
  /** What is aggregated for it; more than itself where it calculates with others. */
  readonly leaves: readonly ExplainedLeaf[]
}

export interface ExplainedLeaf {
  /** `cube.member`; `cube.(not shown)` where policies keep the member from the caller. */
  readonly id: string
  readonly type: string
  /**
   * `joined`: over the joined rows; `keyed`: over each row once for each group, found by its key, because joins repeat it;
   * `staged`: over windows of time or over groups that are not those of the answer.
   */
  readonly how: 'joined' | 'keyed' | 'staged'
  /** Joins that repeat rows of its cube, as `from -> to`. */
  readonly repeatedBy: readonly string[]
}
