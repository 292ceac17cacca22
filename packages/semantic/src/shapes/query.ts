import type { FilterOperator } from './vocabulary.ts'

export const responseFormats = ['default', 'compact', 'columnar'] as const
export type ResponseFormat = (typeof responseFormats)[number]

export const cacheModes = ['stale-if-slow', 'stale-while-revalidate', 'must-revalidate', 'no-cache'] as const
export type CacheMode = (typeof cacheModes)[number]

export type QueryType = 'regularQuery' | 'compareDateRangeQuery' | 'blendingQuery'

/**
 * A query with every default filled in, in the words of the data API, so that it is also the `query` of a `/v1/load`
 * answer. Members exist, filters fit them, date ranges are two local times of `timezone`, `YYYY-MM-DDTHH:mm:ss.SSS`.
 */
export interface NormalizedQuery {
  readonly measures: readonly string[]
  readonly dimensions: readonly string[]
  readonly segments: readonly string[]
  readonly filters: readonly QueryFilter[]
  readonly timeDimensions: readonly TimeDimension[]
  /** Nulls come last unless `nullsFirst`, which only SQL can ask for. */
  readonly order: readonly { readonly id: string; readonly desc: boolean; readonly nullsFirst?: boolean }[]
  /** Infinity, which only SQL can ask for: all rows. */
  readonly limit: number
  readonly rowLimit: number
  readonly offset?: number
  readonly timezone: string
  readonly total?: boolean
  readonly ungrouped?: boolean
  readonly joinHints?: readonly (readonly string[])[]
  readonly cacheMode?: CacheMode
  readonly responseFormat: ResponseFormat
  readonly queryType: QueryType
}

export interface TimeDimension {
  readonly dimension: string
  readonly granularity?: string
  readonly dateRange?: readonly [string, string]
}

export type QueryFilter =
  | MemberFilter
  | { readonly and: readonly QueryFilter[] }
  | { readonly or: readonly QueryFilter[] }

export interface MemberFilter {
  readonly member: string
  readonly operator: FilterOperator
  readonly values: readonly (string | null)[]
  /** The model's author put it there, not the caller: it sees the member as it is, whatever of it the caller may see. */
  readonly isOfModel?: true
}

/** What a query is normalized with: the clock and the deployment's settings come from the caller. */
export interface NormalizeOptions {
  readonly now: Date
  /** IANA name. */
  readonly defaultTimezone: string
  readonly defaultLimit: number
  readonly maximumLimit: number
  /** Who asks. */
  readonly context: QueryContext
}

/** Who asks. A caller's rights enter a query when it is planned and nowhere later. */
export interface QueryContext {
  readonly securityContext: Readonly<Record<string, unknown>>
  readonly groups: readonly string[]
  readonly userAttributes: Readonly<Record<string, unknown>>
  /** What masked members without a mask of their own show; nothing where it is left out. */
  readonly defaultMasks?: MaskDefaults
  /** When it is asked; only policies with relative dates such as `last 7 days` need it. */
  readonly now?: Date
  /** False: ungrouped queries have to show the primary keys of all cubes that they join. Left out: they need not. */
  readonly allowUngroupedWithoutPrimaryKey?: boolean
  /**
   * Nothing of what is asked may be computed of rows that policies keep from the caller, however the database orders its work: what he
   * asks for can fail, and an error shows the value it failed on. Set where callers write expressions of their own; where the model's
   * own conditions can fail, it is kept all the same (`plan/failing-conditions.ts`).
   */
  readonly keepsRowsApart?: boolean
}

/** By the type of a member's values. */
export interface MaskDefaults {
  readonly string?: string
  readonly number?: number
  readonly boolean?: boolean
  /** A moment of UTC, `YYYY-MM-DDTHH:mm:ss.SSS`. */
  readonly time?: string
}
