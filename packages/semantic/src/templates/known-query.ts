import type { NormalizedQuery } from '../shapes/query.ts'

/**
 * What queries that differ in nothing but values, dates and page have in common, as an object: a query is planned like another of the same
 * likeness, without looking at what else is asked.
 */
export interface Likeness {
  /** Kept by whoever compiles them: the name of their shape under the settings that they were last compiled with. */
  shape: KnownShape | null
}

export interface KnownShape {
  /** Of the model. */
  readonly number: number
  readonly parametersBefore: number
  readonly keepsRowsApart: boolean | undefined
  readonly allowUngroupedWithoutPrimaryKey: boolean | undefined
  readonly key: string
}

/**
 * A normalized query that tells whom it is like. A copy with something changed doesn't: a private field is not copied.
 *
 * Its fields are declared alone, so that they come into being in the order in which `normalizeInput` writes them: answers repeat them.
 */
export class KnownQuery implements NormalizedQuery {
  declare readonly measures: NormalizedQuery['measures']
  declare readonly dimensions: NormalizedQuery['dimensions']
  declare readonly segments: NormalizedQuery['segments']
  declare readonly filters: NormalizedQuery['filters']
  declare readonly timeDimensions: NormalizedQuery['timeDimensions']
  declare readonly order: NormalizedQuery['order']
  declare readonly limit: number
  declare readonly rowLimit: number
  declare readonly timezone: string
  declare readonly responseFormat: NormalizedQuery['responseFormat']
  declare readonly queryType: NormalizedQuery['queryType']
  declare readonly offset?: number
  declare readonly total?: boolean
  declare readonly ungrouped?: boolean
  declare readonly cacheMode?: NonNullable<NormalizedQuery['cacheMode']>
  readonly #likeness: Likeness | null

  /** @param like a query that differs in nothing but `own`, and has no `joinHints` */
  constructor(
    like: NormalizedQuery,
    own: Pick<NormalizedQuery, 'filters' | 'timeDimensions' | 'limit'> & { readonly offset: number | null },
    likeness: Likeness | null,
  ) {
    this.measures = like.measures
    this.dimensions = like.dimensions
    this.segments = like.segments
    this.filters = own.filters
    this.timeDimensions = own.timeDimensions
    this.order = like.order
    this.limit = own.limit
    this.rowLimit = own.limit
    this.timezone = like.timezone
    this.responseFormat = like.responseFormat
    this.queryType = like.queryType
    if (own.offset !== null) this.offset = own.offset
    if (like.total !== undefined) this.total = like.total
    if (like.ungrouped !== undefined) this.ungrouped = like.ungrouped
    if (like.cacheMode !== undefined) this.cacheMode = like.cacheMode
    this.#likeness = likeness
  }

  /** Null: it is like no other that is known. */
  static likenessOf(query: NormalizedQuery): Likeness | null {
    return #likeness in query ? query.#likeness : null
  }
}
