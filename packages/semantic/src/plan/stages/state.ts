import type { DimensionMember, SegmentMember } from '../../resolve/model-index.ts'
import type { RowRule } from '../../shapes/access.ts'
import type { Granularity } from '../../shapes/model.ts'
import type { QueryFilter } from '../../shapes/query.ts'
import type { Interval } from '../../shapes/window.ts'
import type { JoinKey } from '../calendar-keys.ts'
import type { MemberRange } from '../query-members.ts'

/** A column that measures are grouped by. `key` is its identity, of which `grainKey` tells. */
export interface GrainItem {
  readonly key: string
  readonly alias: string
  readonly member: DimensionMember
  readonly granularity: Granularity | null
}

/**
 * Rows count later than their own time: `dimension` is `cube.dimension`, null for every time dimension. Rows joined to a
 * calendar of `keys` count on the days that it says, and `by` is for others.
 */
export interface Shift {
  readonly dimension: string | null
  readonly by: Interval | null
  readonly keys: readonly JoinKey[]
}

/** What a measure is computed for: groups, the rows in them, and the time at which rows count. */
export interface State {
  readonly grain: readonly GrainItem[]
  readonly ranges: readonly MemberRange[]
  readonly rowFilters: readonly QueryFilter[]
  readonly segments: readonly SegmentMember[]
  /** Keep groups of this stage by their measures. */
  readonly groupFilters: readonly QueryFilter[]
  /** What policies ask of rows, which no stage changes; and default filters of views that the query does not name. */
  readonly rules: readonly RowRule[]
  /** The value taken for each switch dimension, by `cube.dimension`. */
  readonly bindings: ReadonlyMap<string, string>
  /** Those of them on which it depends what is read from rows. */
  readonly rowBindings: ReadonlyMap<string, string>
  /** Rows are those of all that the query joins; else of what a stage asks for. */
  readonly isWhole: boolean
  /** In the order in which they move a row. */
  readonly shifts: readonly Shift[]
}

export const dimensionId = ({ cube, definition }: DimensionMember | SegmentMember) => `${cube.name}.${definition.name}`

/**
 * `cube.dimension`, with a granularity behind it if it has one. What a caller is shown masked is another column than what members of the
 * model refer to, for their values are of groups as they are.
 */
export function grainKey(member: DimensionMember, granularity: Granularity | null): string {
  const key = granularity ? `${dimensionId(member)}.${granularity.name}` : dimensionId(member)
  const { masking, expression } = member.definition
  return masking && expression.kind !== 'switch' ? `${key} shown as ${member.id}` : key
}

/** The column of a dimension that SQL of the model refers to: where a query groups by what is shown of it alone, that one. */
export function referredItem(grain: readonly GrainItem[], key: string): GrainItem | undefined {
  return grain.find(item => item.key === key) ?? grain.find(item => item.key.startsWith(`${key} shown as `))
}

/** The same text for states in which every measure has the same values. */
export function stateKey({
  grain,
  ranges,
  rowFilters,
  segments,
  groupFilters,
  rules,
  shifts,
  rowBindings,
}: State): string {
  return JSON.stringify([
    grain.map(({ key }) => key),
    ranges.map(({ member, dateRange }) => [member.id, dateRange]),
    rowFilters,
    segments.map(({ id }) => id),
    groupFilters,
    rules,
    shifts,
    ...rowBindings,
  ])
}

/** The same text for states of one `stateKey` in which the same is chosen. */
export const bindingKey = ({ bindings }: State) => JSON.stringify([...bindings])

/** Whether a column is never null because only rows with a time in some range are there. */
export const isNeverNull = ({ ranges }: State, { member, granularity }: GrainItem) =>
  granularity !== null &&
  granularity.bucket.kind !== 'calendar' &&
  // What one of them shows masked says nothing of what another shows.
  ranges.some(range => range.member.definition === member.definition && range.dateRange.some(end => end !== null))
