import type { ContextExpression, PolicyValue } from './access.ts'
import type { CheckAuth } from './model.ts'
import type { JsonValue, ModelProblem, Position } from './source.ts'
import type {
  DimensionType,
  MeasureType,
  PartitionGranularity,
  PreAggregationType,
  Relationship,
} from './vocabulary.ts'
import type { Interval, RollingWindow } from './window.ts'

/** What parse hands to resolve: one file as its author wrote it, spelling settled, nothing looked up. */
export interface FileTree {
  readonly path: string
  /** Other files that it was made from, as code in it asked for them. Absent: none. */
  readonly reads?: readonly string[]
  readonly cubes: readonly CubeSpec[]
  readonly views: readonly ViewSpec[]
  readonly viewGroups: readonly ViewGroupSpec[]
  readonly problems: readonly ModelProblem[]
  readonly warnings: readonly ModelProblem[]
  /**
   * What is defined but could not be read: references to it are no further problem. `cube.member`, or `cube` where nothing or not all
   * of its members are known (views alike), or what `unreadGroup` gives.
   */
  readonly incomplete: readonly string[]
  /** Where each cube and view begins; null where something else does. */
  readonly beginnings: readonly Beginning[]
  /** Of a configuration file that exports one. */
  readonly checkAuth?: CheckAuth
  /** False when nobody knows all names that the file defines. */
  readonly isReadable: boolean
}

export interface Beginning {
  readonly definition: string | null
  readonly at: Position
}

/** A view group among the names that could not be read; with the empty name, nobody knows which groups there are. */
export const unreadGroup = (name: string): string => `view group ${name}`

export interface Located<T> {
  readonly value: T
  readonly at: Position
}

/** SQL text with references in braces. A string part is text that the author wrote; escapes are already removed. */
export interface SqlSpec {
  readonly parts: readonly SqlPartSpec[]
  readonly at: Position
}

export type SqlPartSpec = string | ReferenceSpec | ContextSpec

/** `{a.b.member}` is a path of three names, `{cube.sql()}` a path of one with `call`. */
export interface ReferenceSpec {
  readonly kind: 'reference'
  readonly path: readonly string[]
  readonly call: 'sql' | null
  readonly at: Position
}

/** What in SQL depends on the query or on who asks (data-model.md, section 9). */
export type ContextSpec =
  /** One `FILTER_PARAMS`, or several in a `FILTER_GROUP`. */
  | { readonly kind: 'filterParams'; readonly params: readonly FilterParamSpec[]; readonly at: Position }
  | { readonly kind: 'localTime' | 'urlEncoded'; readonly sql: SqlSpec; readonly at: Position }
  | {
      readonly kind: 'securityContext'
      readonly path: readonly string[]
      readonly use: 'filter' | 'requiredFilter' | 'value' | 'unsafeValue'
      readonly column: ColumnSpec | null
      readonly place: ValuePlace
      readonly at: Position
    }
  /** A value that a lambda around it is given, counted from 0. */
  | { readonly kind: 'argument'; readonly position: number; readonly at: Position }

/** In SQL itself, inside a quoted string, or inside or beside an identifier. */
export type ValuePlace = 'value' | 'text' | 'name'

export interface FilterParamSpec {
  /** Cube and member. */
  readonly member: MemberPath
  readonly column: ColumnSpec
  /** Of a time shift, whose rows are not those that the query's filters describe. */
  readonly isShifted: boolean
}

/** SQL that a filter is put on, or with `takes` values of the filter for arguments, SQL that is the filter. */
export interface ColumnSpec {
  readonly sql: SqlSpec
  readonly takes: number | null
}

/** A member named outside SQL: `member`, `cube.member`, `CUBE.member` or a longer join path. */
export type MemberPath = Located<readonly string[]>

export interface Described {
  readonly name: Located<string>
  readonly title: string | null
  readonly description: string | null
  readonly public: boolean | null
  readonly meta: JsonValue
}

export interface CubeSpec extends Described {
  readonly extends: MemberPath | null
  readonly sql: SqlSpec | null
  readonly sqlTable: SqlSpec | null
  readonly sqlAlias: string | null
  readonly dataSource: string | null
  readonly calendar: boolean | null
  readonly refreshKey: RefreshKeySpec | null
  readonly joins: readonly JoinSpec[]
  readonly dimensions: readonly DimensionSpec[]
  readonly measures: readonly MeasureSpec[]
  readonly segments: readonly SegmentSpec[]
  readonly hierarchies: readonly HierarchySpec[]
  readonly preAggregations: readonly PreAggregationSpec[]
  readonly accessPolicy: readonly AccessPolicySpec[]
}

export interface RefreshKeySpec {
  /** Seconds, or a schedule. */
  readonly every: number | Schedule | null
  readonly sql: SqlSpec | null
  readonly isImmutable: boolean
}

/** Each `seconds`, counted from the beginning of 1970 and `offset` seconds on clocks of a time zone. */
export interface Schedule {
  readonly seconds: number
  readonly offset: number
  readonly timezone: string
}

export interface JoinSpec {
  readonly name: Located<string>
  readonly sql: SqlSpec
  readonly relationship: Relationship
}

export interface CaseSpec {
  readonly when: readonly { readonly condition: SqlSpec; readonly label: LabelSpec }[]
  readonly otherwise: LabelSpec | null
}
export type LabelSpec = { readonly text: string } | { readonly sql: SqlSpec }

/** What a policy shows where it hides a value. */
export type MaskSpec =
  | { readonly kind: 'literal'; readonly value: string | number | boolean }
  | { readonly kind: 'sql'; readonly sql: SqlSpec }

export interface LinkSpec {
  readonly name: Located<string>
  readonly label: string
  readonly to: { readonly kind: 'url'; readonly sql: SqlSpec } | { readonly kind: 'dashboard'; readonly id: string }
  readonly icon: string | null
  readonly target: 'blank' | 'self' | null
  readonly isPrimary: boolean
  readonly params: readonly LinkParameterSpec[]
}

export interface LinkParameterSpec {
  readonly key: string
  readonly value: SqlSpec
}

/** One branch for each value of another dimension. */
export interface SwitchSpec {
  readonly on: SqlSpec
  readonly when: readonly { readonly value: string; readonly sql: SqlSpec }[]
  readonly otherwise: SqlSpec | null
}

/** How a multi-stage measure changes what its inner measures are grouped by. */
export interface GrainSpec {
  readonly keepOnly: readonly MemberPath[] | null
  readonly exclude: readonly MemberPath[]
  readonly include: readonly MemberPath[]
}

/** A filter of a query, written in a model. */
export type ModelFilterSpec =
  | { readonly and: readonly ModelFilterSpec[] }
  | { readonly or: readonly ModelFilterSpec[] }
  | {
      readonly member: MemberPath
      readonly operator: Located<string>
      readonly values: readonly (string | null)[]
    }

/** How a multi-stage member changes the filters that its inner measures see. */
export interface StageFilterSpec {
  readonly isFixed: boolean
  readonly keepOnly: readonly MemberPath[] | null
  readonly exclude: readonly MemberPath[]
  readonly include: readonly ModelFilterSpec[]
}

/** `by` is how much later than its own time a row counts; `name` is a shift that a calendar defines. */
export interface TimeShiftSpec {
  readonly dimension: MemberPath | null
  readonly by: Interval | null
  readonly name: Located<string> | null
}

export interface StageSpec {
  readonly grain: GrainSpec
  readonly filter: StageFilterSpec | null
  readonly timeShifts: readonly TimeShiftSpec[]
  readonly orderBy: readonly { readonly sql: SqlSpec; readonly descending: boolean }[]
  readonly cases: SwitchSpec | null
}

export interface GranularitySpec {
  readonly name: Located<string>
  readonly title: string | null
  /** Exactly one of `interval` and `sql` is there; `offset` and `origin` are for an interval. */
  readonly interval: Located<string> | null
  readonly offset: Located<string> | null
  readonly origin: Located<string> | null
  readonly sql: SqlSpec | null
}

/** For which groups the measures that a dimension is computed from are aggregated, and of which rows. */
export interface DimensionStageSpec {
  /** Beside what the query groups by. */
  readonly include: readonly MemberPath[]
  readonly filter: StageFilterSpec | null
}

export interface DimensionSpec extends Described {
  readonly type: DimensionType
  readonly sql: SqlSpec | null
  readonly latitude: SqlSpec | null
  readonly longitude: SqlSpec | null
  readonly cases: CaseSpec | null
  /** One branch for each value of another dimension. */
  readonly choice: SwitchSpec | null
  /** Present on multi-stage dimensions. */
  readonly stage: DimensionStageSpec | null
  /** Made for a link of another dimension: the address to which it leads. */
  readonly address: LinkSpec | null
  /** Of a switch dimension; else empty. */
  readonly values: readonly string[]
  readonly isPrimaryKey: boolean
  /** Over measures of other cubes, computed for each row of this one. */
  readonly subQuery: { readonly propagatesFilters: boolean } | null
  readonly suggestFilterValues: boolean
  readonly format: Located<JsonValue> | null
  readonly currency: Located<string> | null
  readonly order: 'asc' | 'desc' | null
  readonly key: MemberPath | null
  readonly links: readonly LinkSpec[]
  readonly mask: MaskSpec | null
  readonly granularities: readonly GranularitySpec[]
  readonly timeShifts: readonly CalendarShiftSpec[]
}

/** `{name, by}`, `{name, sql}` or `{by, sql}`. */
export interface CalendarShiftSpec {
  readonly name: Located<string> | null
  readonly by: Interval | null
  readonly sql: SqlSpec | null
  readonly at: Position
}

export interface MeasureSpec extends Described {
  readonly type: MeasureType
  readonly sql: SqlSpec | null
  readonly filters: readonly SqlSpec[]
  /** Filters that hold for the rows behind the measure alone, beside `filters`. */
  readonly drillFilters: readonly SqlSpec[]
  readonly mask: MaskSpec | null
  readonly isCumulative: boolean
  readonly window: RollingWindow | null
  /** Present on multi-stage measures. */
  readonly stage: StageSpec | null
  readonly format: Located<JsonValue> | null
  readonly currency: Located<string> | null
  readonly drillMembers: readonly MemberPath[]
}

export interface SegmentSpec extends Described {
  readonly sql: SqlSpec
}

export interface PreAggregationSpec {
  readonly name: Located<string>
  readonly type: PreAggregationType
  readonly measures: readonly MemberPath[]
  readonly dimensions: readonly MemberPath[]
  readonly segments: readonly MemberPath[]
  readonly timeDimensions: readonly { readonly dimension: MemberPath; readonly granularity: Located<string> | null }[]
  readonly partitionGranularity: PartitionGranularity | null
  readonly refreshKey: PreAggregationRefreshKeySpec | null
  readonly buildRangeStart: SqlSpec | null
  readonly buildRangeEnd: SqlSpec | null
  readonly scheduledRefresh: boolean | null
  readonly external: boolean | null
  readonly useOriginalSqlPreAggregations: boolean
  readonly allowNonStrictDateRangeMatch: boolean | null
  readonly unionWithSourceData: boolean
  /** `pre_aggregation` or `cube.pre_aggregation` */
  readonly rollups: readonly MemberPath[]
  readonly sqlAlias: string | null
  readonly uniqueKeyColumns: readonly string[]
  readonly readOnly: boolean
  readonly streamOffset: 'earliest' | 'latest' | null
  readonly outputColumnTypes: readonly { readonly member: MemberPath; readonly type: string }[]
  readonly indexes: readonly PreAggregationIndexSpec[]
}

export interface PreAggregationRefreshKeySpec {
  readonly at: Position
  /** Seconds, or a schedule. */
  readonly every: number | Schedule | null
  readonly sql: SqlSpec | null
  readonly incremental: boolean
  readonly updateWindow: number | null
}

export interface PreAggregationIndexSpec {
  readonly name: Located<string>
  readonly columns: readonly MemberPath[]
  readonly sql: SqlSpec | null
  readonly type: 'regular' | 'aggregate'
}

export interface HierarchySpec {
  readonly name: Located<string>
  readonly title: string | null
  readonly public: boolean | null
  readonly levels: readonly MemberPath[]
}

export interface ViewGroupSpec {
  readonly name: Located<string>
  readonly title: string | null
  readonly description: string | null
  /** Views, and groups inside this one. */
  readonly includes: readonly (Located<string> | ViewGroupSpec)[]
}

export interface ViewSpec extends Described {
  readonly extends: MemberPath | null
  /** Outermost groups that the view puts itself into. */
  readonly viewGroups: readonly Located<string>[]
  readonly cubes: readonly ViewCubeSpec[]
  readonly folders: readonly FolderSpec[]
  readonly defaultFilters: readonly DefaultFilterSpec[]
  readonly accessPolicy: readonly AccessPolicySpec[]
}

export interface ViewCubeSpec {
  readonly joinPath: MemberPath
  readonly includes: '*' | readonly IncludeSpec[]
  readonly excludes: readonly Located<string>[]
  readonly prefix: boolean
  /** The members go into a view of their own. */
  readonly split: boolean
  readonly alias: string | null
}

export interface IncludeSpec {
  readonly name: Located<string>
  readonly alias: Located<string> | null
  readonly title: string | null
  readonly description: string | null
  readonly format: Located<JsonValue> | null
  readonly meta: JsonValue
}

export interface FolderSpec {
  readonly name: Located<string>
  readonly includes: '*' | readonly FolderItemSpec[]
}
export type FolderItemSpec =
  | { readonly kind: 'member'; readonly member: Located<string> }
  | { readonly kind: 'path'; readonly joinPath: MemberPath }
  | { readonly kind: 'folder'; readonly folder: FolderSpec }

export interface DefaultFilterSpec {
  readonly member: MemberPath
  readonly operator: Located<string>
  readonly values: readonly (string | null)[] | null
  readonly unless: readonly MemberPath[]
}

/** Who may see what. Null stands for all: all members, none of them masked, all rows. */
export interface AccessPolicySpec {
  readonly groups: readonly string[]
  readonly conditions: readonly ContextExpression[]
  readonly memberLevel: MemberListSpec | null
  readonly memberMasking: MemberListSpec | null
  readonly rows: PolicyFilterSpec | null
}

export interface MemberListSpec {
  readonly includes: '*' | readonly Located<string>[]
  readonly excludes: '*' | readonly Located<string>[]
}

export type PolicyFilterSpec =
  | {
      readonly kind: 'member'
      readonly member: MemberPath
      readonly operator: Located<string>
      readonly values: readonly PolicyValueSpec[] | null
    }
  | { readonly kind: 'and' | 'or'; readonly filters: readonly PolicyFilterSpec[] }

export type PolicyValueSpec = PolicyValue
