import type { AccessPolicy, RowRule } from './access.ts'
import type { JsonValue } from './source.ts'
import type {
  DimensionType,
  FilterOperator,
  MeasureType,
  PartitionGranularity,
  PreAggregationType,
  Relationship,
  TimeUnit,
} from './vocabulary.ts'
import type { Interval, RollingWindow } from './window.ts'

/**
 * The semantic model after resolve: every name bound, every rule checked. Plain JSON, so that it can be cached under the
 * content hash of the files it was made from. Look members up through `indexModel`, never by searching.
 */
export interface Model {
  readonly cubes: readonly Cube[]
  readonly views: readonly View[]
  readonly viewGroups: readonly ViewGroup[]
  /** Absent: tokens are checked as the deployment's variables say. */
  readonly checkAuth?: CheckAuth
}

/** A project's own way to check data-API tokens: a script in CommonJS that exports the function `checkAuth`. */
export interface CheckAuth {
  readonly file: string
  readonly script: string
}

/** SQL of an author with its references bound. */
export interface BoundSql {
  readonly parts: readonly (string | SqlReference)[]
}

/**
 * `table`: the alias under which a cube is joined. `member`: the SQL of another member. `granularity`: a time dimension
 * cut to a granularity. `source`: the cube's own table or query. `through` is a join path that the author wrote, from the
 * first cube named to the cube referred to; empty when the author wrote none.
 */
export type SqlReference = MemberReference | ContextReference

export type MemberReference =
  | { readonly kind: 'table'; readonly cube: string; readonly through: readonly string[] }
  | { readonly kind: 'member'; readonly cube: string; readonly member: string; readonly through: readonly string[] }
  | {
      readonly kind: 'granularity'
      readonly cube: string
      readonly member: string
      readonly granularity: string
      readonly through: readonly string[]
    }
  | { readonly kind: 'source'; readonly cube: string }

/**
 * What depends on the query or on who asks. `filterParams`: the query's filters of these members, as conditions on the
 * columns given here. `localTime`: a time in the query's zone. `securityContext`: a value of the caller's, or a condition
 * on it. `argument`: a value that the column around it takes.
 */
export type ContextReference =
  | { readonly kind: 'filterParams'; readonly params: readonly FilterParam[] }
  | { readonly kind: 'localTime' | 'urlEncoded'; readonly sql: BoundSql }
  | {
      readonly kind: 'securityContext'
      readonly path: readonly string[]
      readonly use: 'filter' | 'requiredFilter' | 'value' | 'unsafeValue'
      readonly column: FilterColumn | null
      /** In SQL itself, inside a quoted string, or inside or beside an identifier. */
      readonly place: 'value' | 'text' | 'name'
    }
  | { readonly kind: 'argument'; readonly position: number }
  /** A value of a client's in an ad hoc member (`query/ad-hoc-members.ts`): a parameter. No author writes one. */
  | { readonly kind: 'constant'; readonly type: 'text' | 'number' | 'boolean' | 'timestamp'; readonly value: string }

export interface FilterParam {
  /** `cube.member` */
  readonly member: string
  readonly column: FilterColumn
  readonly isShifted: boolean
}

/** SQL that a filter is put on, or with `takes` values of the filter for arguments, SQL that is the filter. */
export interface FilterColumn {
  readonly sql: BoundSql
  readonly takes: number | null
}

export interface Presentation {
  readonly name: string
  /** Without the cube's title in front. */
  readonly title: string
  readonly description: string | null
  readonly isPublic: boolean
  readonly meta: JsonValue
  /** Made for one query out of members that the query also asks for, whose rights decide: it needs none of its own. */
  readonly isAdHoc?: true
}

export interface Cube extends Presentation {
  readonly file: string
  readonly sqlAlias: string | null
  readonly dataSource: string
  readonly source: { readonly kind: 'table' | 'query'; readonly sql: BoundSql }
  readonly refreshKey: RefreshKey
  /** Cubes that can be reached from each other over joins, in either direction, share a number. */
  readonly connectedComponent: number
  readonly primaryKey: readonly string[]
  /** Its rows are days or other moments, with the periods that they lie in. */
  readonly isCalendar: boolean
  readonly joins: readonly Join[]
  readonly dimensions: readonly Dimension[]
  readonly measures: readonly Measure[]
  readonly segments: readonly Segment[]
  readonly hierarchies: readonly Hierarchy[]
  readonly preAggregations: readonly PreAggregation[]
  /** Empty: everybody sees everything. */
  readonly accessPolicies: readonly AccessPolicy[]
}

/** `seconds: null` is what is usual for the database. A schedule is one of `sinceLastStep`. */
export type RefreshKey =
  | { readonly kind: 'every'; readonly seconds: number | null }
  | { readonly kind: 'schedule'; readonly seconds: number; readonly offset: number; readonly timezone: string }
  | { readonly kind: 'sql'; readonly sql: BoundSql; readonly seconds: number | null }
  | { readonly kind: 'immutable' }

/** A member in the place where a pre-aggregation reaches it. */
export interface PreAggregationMember {
  readonly cube: string
  readonly member: string
  /** As the author wrote it, ending in `cube`; that cube alone where no path is written. */
  readonly path: readonly string[]
}

/** Rows kept ready: aggregated (`rollup`), a cube's own (`original_sql`), or made of other rollups, side by side or end to end. */
export interface PreAggregation {
  readonly name: string
  readonly type: PreAggregationType
  readonly measures: readonly PreAggregationMember[]
  readonly dimensions: readonly PreAggregationMember[]
  readonly segments: readonly PreAggregationMember[]
  readonly timeDimensions: readonly (PreAggregationMember & { readonly granularity: string | null })[]
  readonly partitionGranularity: PartitionGranularity | null
  readonly refreshKey: PreAggregationRefreshKey
  /** Queries for the first and the last moment to build. */
  readonly buildRange: { readonly start: BoundSql | null; readonly end: BoundSql | null }
  readonly scheduledRefresh: boolean
  readonly external: boolean
  readonly useOriginalSqlPreAggregations: boolean
  readonly allowNonStrictDateRangeMatch: boolean
  readonly unionWithSourceData: boolean
  readonly rollups: readonly { readonly cube: string; readonly name: string }[]
  readonly sqlAlias: string | null
  readonly uniqueKeyColumns: readonly string[]
  readonly readOnly: boolean
  readonly streamOffset: 'earliest' | 'latest' | null
  readonly outputColumnTypes: readonly (PreAggregationMember & { readonly type: string })[]
  readonly indexes: readonly PreAggregationIndex[]
}

/** When a pre-aggregation is built again. `updateWindow`: for how many seconds after its end a partition still changes. */
export interface PreAggregationRefreshKey {
  /** Seconds, or a schedule as of `sinceLastStep`. */
  readonly every: number | { readonly seconds: number; readonly offset: number; readonly timezone: string }
  readonly sql: BoundSql | null
  readonly incremental: boolean
  readonly updateWindow: number | null
}

export interface PreAggregationIndex {
  readonly name: string
  readonly columns: readonly PreAggregationMember[]
  readonly sql: BoundSql | null
  readonly type: 'regular' | 'aggregate'
}

export interface Join {
  readonly target: string
  readonly relationship: Relationship
  readonly condition: BoundSql
}

export interface Granularity {
  readonly name: string
  readonly title: string
  /** As the author wrote it; null where a calendar's SQL says when periods begin, so that none has a known length. */
  readonly interval: string | null
  readonly offset: string | null
  readonly origin: string | null
  readonly bucket: Bucket | CalendarPeriod
}

/** The start of a period as a calendar cube's own SQL gives it, a local time: periods need not have one length. */
export interface CalendarPeriod {
  readonly kind: 'calendar'
  readonly sql: BoundSql
}

/**
 * Cuts time: `unit` to the start of a calendar unit; `interval` to steps counted from `origin`, a local time without a
 * zone; `months` to steps of whole months counted from a first of a month, each of them `shift` milliseconds later; `spans` to
 * steps of which the one of number n begins n times `months` after `origin`, on the last day of a month that is too short, and
 * n times `seconds` after that.
 */
export type Bucket =
  | { readonly kind: 'unit'; readonly unit: TimeUnit }
  | { readonly kind: 'interval'; readonly seconds: number; readonly origin: string }
  | { readonly kind: 'months'; readonly months: number; readonly origin: string; readonly shift: number }
  | Spans

export interface Spans {
  readonly kind: 'spans'
  readonly months: number
  readonly seconds: number
  readonly origin: string
}

export type Label = { readonly text: string } | { readonly sql: BoundSql }

export type DimensionExpression =
  | { readonly kind: 'sql'; readonly sql: BoundSql }
  | { readonly kind: 'geo'; readonly latitude: BoundSql; readonly longitude: BoundSql }
  | {
      readonly kind: 'case'
      readonly when: readonly { readonly condition: BoundSql; readonly label: Label }[]
      readonly otherwise: Label | null
    }
  /** The address of a link: `base`, then each parameter as `?key=value` or `&key=value`, its value encoded. */
  | {
      readonly kind: 'address'
      readonly base: Label
      readonly params: readonly { readonly key: string; readonly value: BoundSql }[]
    }
  /** Measures that `sql` refers to are aggregated for each primary key of the cube, by rows that pass the query's filters or by all. */
  | { readonly kind: 'subQuery'; readonly sql: BoundSql; readonly propagatesFilters: boolean }
  /** No column: a query chooses among these values, and other members depend on the choice. */
  | { readonly kind: 'switch'; readonly values: readonly string[] }
  /** What its branch for the value of another dimension says, which may be a switch. */
  | { readonly kind: 'choice'; readonly choice: Switch }
  | { readonly kind: 'stage'; readonly stage: DimensionStage }

/**
 * A dimension that is computed from measures: `value` stands for a value of a group. Its measures are aggregated for what the
 * query groups by and for `include`, of the rows that `filter` leaves.
 */
export interface DimensionStage {
  readonly value: Extract<DimensionExpression, { kind: 'sql' | 'case' | 'choice' }>
  readonly include: readonly GrainReference[]
  readonly filter: StageFilter | null
}

/** What a policy shows where it hides a value. SQL of a dimension is evaluated for each row, that of a measure aggregates. */
export type Mask =
  | { readonly kind: 'literal'; readonly value: string | number | boolean }
  | { readonly kind: 'sql'; readonly sql: BoundSql }

/** How a member is shown to a caller who may not see all of its values: made when a query is planned, never part of a model. */
export interface Masking {
  /** Null shows nothing. */
  readonly mask: Mask | null
  /** Rows of which the caller sees the value; null: of none. */
  readonly except: RowRule | null
  /** The joins that `except` and SQL of the mask stand on, from the member. */
  readonly ways: { readonly except: readonly (readonly string[])[]; readonly mask: readonly (readonly string[])[] }
}

/** Where a dimension's values lead to; its address is another dimension, `<dimension>___link_<name>_url`. */
export interface Link {
  readonly name: string
  readonly label: string
  readonly dashboard: string | null
  readonly icon: string | null
  readonly target: 'blank' | 'self' | null
  readonly isPrimary: boolean
  /** Keys of the parameters. */
  readonly params: readonly string[]
}

/** As `/v1/meta` shows it: a simple name, a labelled link, or a d3 specifier. */
export type Format =
  | string
  | { readonly type: 'link'; readonly label: string }
  | { readonly type: 'custom-numeric'; readonly value: string; readonly alias?: string }
  | { readonly type: 'custom-time'; readonly value: string }

export interface Formatting {
  readonly format: Format | null
  readonly formatDescription: { readonly name: string; readonly specifier: string; readonly currency?: string } | null
  readonly currency: string | null
}

export interface Dimension extends Presentation, Formatting {
  readonly kind: 'dimension'
  readonly type: DimensionType
  readonly expression: DimensionExpression
  readonly isPrimaryKey: boolean
  readonly suggestFilterValues: boolean
  readonly order: 'asc' | 'desc' | null
  /** Name of the dimension of the same cube that tells its values apart. */
  readonly key: string | null
  readonly links: readonly Link[]
  /** Made for a link of another dimension. */
  readonly isSynthetic: boolean
  readonly mask: Mask | null
  readonly masking?: Masking
  readonly granularities: readonly Granularity[]
  readonly timeShifts: readonly CalendarShift[]
}

/**
 * How a calendar shifts time where a measure asks for a shift of this name, or without a name by this interval. `sql` is the
 * key of the day whose rows count on a day.
 */
export interface CalendarShift {
  readonly name: string | null
  readonly by: Interval | null
  readonly sql: BoundSql | null
}

/** A dimension that measures are grouped by: all of it, or a time dimension cut to one granularity. */
export interface GrainReference {
  readonly cube: string
  readonly dimension: string
  readonly granularity: string | null
  readonly through: readonly string[]
}

/** A filter that a model puts on rows or groups; `member` is `cube.member`. */
export type ModelFilter =
  | { readonly and: readonly ModelFilter[] }
  | { readonly or: readonly ModelFilter[] }
  | {
      readonly member: string
      readonly operator: FilterOperator
      readonly values: readonly (string | null)[]
    }

/** What a multi-stage member does to the filters it is asked with. Members are `cube.member`. */
export interface StageFilter {
  /** Begins with the query's own filters, whatever the stages around changed. */
  readonly isFixed: boolean
  readonly keepOnly: readonly string[] | null
  readonly exclude: readonly string[]
  readonly include: readonly ModelFilter[]
}

/** Rows count `by` later than their own time. `dimension` is `cube.dimension`; absent: every time dimension of the query. */
export interface TimeShift {
  readonly dimension: string | null
  readonly by: Interval | null
  readonly name: string | null
}

/** One branch for each value of a dimension: of a switch, the value that a query has chosen. */
export interface Switch {
  readonly cube: string
  readonly dimension: string
  readonly through: readonly string[]
  /** Whether the dimension is of type switch, and no column. */
  readonly isChosen: boolean
  readonly when: readonly { readonly value: string; readonly sql: BoundSql }[]
  readonly otherwise: BoundSql | null
}

/** How a multi-stage measure has its inner measures computed before it calculates with them. */
export interface Stage {
  readonly grain: {
    readonly keepOnly: readonly GrainReference[] | null
    readonly exclude: readonly GrainReference[]
    readonly include: readonly GrainReference[]
  }
  readonly filter: StageFilter | null
  readonly timeShifts: readonly TimeShift[]
  readonly orderBy: readonly { readonly sql: BoundSql; readonly descending: boolean }[]
  readonly cases: Switch | null
}

export interface Measure extends Presentation, Formatting {
  readonly kind: 'measure'
  readonly type: MeasureType
  readonly sql: BoundSql | null
  readonly filters: readonly BoundSql[]
  /** Hold, beside `filters`, where a query asks for the rows behind the measure. */
  readonly drillFilters: readonly BoundSql[]
  readonly mask: Mask | null
  readonly masking?: Masking
  /** Clients are told that its values add up over time. */
  readonly isCumulative: boolean
  readonly window: RollingWindow | null
  /** Present on multi-stage measures. */
  readonly stage: Stage | null
  /** `cube.member` */
  readonly drillMembers: readonly string[]
}

export interface Segment extends Presentation {
  readonly kind: 'segment'
  readonly sql: BoundSql
}

export interface Hierarchy {
  readonly name: string
  readonly title: string
  readonly isPublic: boolean
  /** `cube.dimension`, coarse to fine. */
  readonly levels: readonly string[]
}

/** Views that belong together for clients. It changes no query. */
export interface ViewGroup {
  readonly name: string
  readonly title: string | null
  readonly description: string | null
  /** Views of the group itself. */
  readonly views: readonly string[]
  /** The same, and groups inside this one. */
  readonly includes: readonly (string | ViewGroup)[]
}

export interface View extends Presentation {
  readonly file: string
  readonly members: readonly ViewMember[]
  readonly hierarchies: readonly (Hierarchy & { readonly aliasMember: string })[]
  readonly folders: readonly Folder[]
  readonly defaultFilters: readonly DefaultFilter[]
  /** Empty: everybody sees everything. */
  readonly accessPolicies: readonly AccessPolicy[]
}

/** A member of a cube under the view's name and presentation, with the join path from the view's root to that cube. */
export interface ViewMember extends Presentation {
  readonly kind: 'measure' | 'dimension' | 'segment'
  readonly cube: string
  readonly member: string
  readonly joinPath: readonly string[]
  /** Absent: as the cube has it. */
  readonly formatting: Formatting | null
}

export interface Folder {
  readonly name: string
  /** Names of the view's members, or folders inside this one. */
  readonly members: readonly (string | Folder)[]
}

/** Enforced on every query of the view, unless the query itself filters one of the members of `unless`. */
export interface DefaultFilter {
  readonly member: string
  readonly operator: FilterOperator
  readonly values: readonly (string | null)[]
  readonly unless: readonly string[]
}
