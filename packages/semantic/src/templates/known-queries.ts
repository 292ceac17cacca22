import { type FilteredMember, settleValues } from '../query/normalize-filter.ts'
import { resolveLimit } from '../query/resolve-limit.ts'
import { indexModel, type Member, type ModelIndex } from '../resolve/model-index.ts'
import type { Model } from '../shapes/model.ts'
import type { MemberFilter, NormalizedQuery, NormalizeOptions, QueryFilter, TimeDimension } from '../shapes/query.ts'
import { type Clock, parseDateRange } from '../time/date-range.ts'
import { localNow } from '../time/local-time.ts'
import { callerKey } from './caller-key.ts'
import { createFirstSight, numberOf } from './first-sight.ts'
import { KnownQuery, type Likeness } from './known-query.ts'
import { modelNumber } from './model-number.ts'
import { type Outline, outlineOf } from './outline.ts'
import { createRecent } from './recent.ts'

/** A query that was normalized, into which values, dates and page of another of its outline can be filled. */
interface Known {
  readonly query: NormalizedQuery
  readonly filters: readonly KnownFilter[]
  readonly likeness: Likeness
}

type KnownFilter =
  | { readonly kind: 'and' | 'or'; readonly filters: readonly KnownFilter[] }
  | { readonly kind: 'member'; readonly filter: MemberFilter; readonly of: FilteredMember }

/** Of all models that are served. `caller`: who asks decides whether he may, so that what is known stands under his key. */
const known = createRecent<Known | 'caller'>({ entries: 4_000, bytes: 8 * 1024 * 1024 })
/** What is asked once is not worth keeping. */
const wasMet = createFirstSight()

/**
 * Normalizes a client's query by what is known of another that differs in nothing but values, dates and page: neither looks up nor checks
 * names again. Of members with policies it is known for a caller who is the same in all that plans can depend on; of views with default
 * filters, nothing.
 *
 * @param afresh normalizes it from nothing
 * @throws {QueryError} the one that `afresh` throws
 */
export function recallOr(
  model: Model,
  input: unknown,
  options: NormalizeOptions,
  afresh: () => NormalizedQuery,
): NormalizedQuery {
  const outline = outlineOf(input)
  if (outline === null) return afresh()
  const timezone = outline.timezone ?? options.defaultTimezone
  let key = `${modelNumber(model)} ${timezone.length}:${timezone} ${outline.text}`
  let found = known.get(key)
  const isOwn = found === 'caller'
  if (isOwn) {
    const caller = callerKey(options.context)
    if (caller === null) return afresh()
    key = `${key}\n${caller}`
    found = known.get(key)
  }
  if (found !== undefined && found !== 'caller') return fill(found, outline, options) ?? afresh()
  const query = afresh()
  if (wasMet(numberOf(key))) note(model, key, query, isOwn)
  return query
}

function fill(
  { query, filters, likeness }: Known,
  outline: Outline,
  options: NormalizeOptions,
): NormalizedQuery | null {
  const clock: Clock = { now: localNow(options.now, query.timezone), timezone: query.timezone }
  const timeDimensions = fillRanges(query.timeDimensions, outline.ranges, clock)
  const filler = new FilterFiller(outline.values, clock)
  const filled = filler.fill(filters)
  if (filler.isRefused) return null
  const limit = resolveLimit(outline.limit, options)
  const own = { filters: filled, timeDimensions, limit, offset: outline.offset }
  return new KnownQuery(query, own, filler.isLike ? likeness : null)
}

function fillRanges(
  times: readonly TimeDimension[],
  ranges: Outline['ranges'],
  clock: Clock,
): readonly TimeDimension[] {
  if (ranges.length === 0) return times
  let place = 0
  return times.map(time => {
    if (time.dateRange === undefined) return time
    const dateRange = parseDateRange(ranges[place++] ?? '', clock)
    const { dimension, granularity } = time
    return granularity === undefined ? { dimension, dateRange } : { dimension, granularity, dateRange }
  })
}

class FilterFiller {
  /** A value does not fit. */
  isRefused = false
  /** As many values, and nulls among them at the same places. */
  isLike = true
  readonly #values: Outline['values']
  readonly #clock: Clock
  #place = 0

  constructor(values: Outline['values'], clock: Clock) {
    this.#values = values
    this.#clock = clock
  }

  fill(filters: readonly KnownFilter[]): readonly QueryFilter[] {
    return filters.map(filter => {
      if (filter.kind === 'member') return this.#member(filter.filter, filter.of)
      const inner = this.fill(filter.filters)
      return filter.kind === 'and' ? { and: inner } : { or: inner }
    })
  }

  #member({ member, operator, values: like }: MemberFilter, of: FilteredMember): MemberFilter {
    const settled = settleValues(of, operator, this.#values[this.#place++] ?? null, this.#clock)
    if (!('operator' in settled)) {
      this.isRefused = true
      return { member, operator, values: [] }
    }
    const { values } = settled
    if (
      values.length !== like.length ||
      values.some((value, position) => (value === null) !== (like[position] === null))
    )
      this.isLike = false
    return { member, operator, values }
  }
}

function note(model: Model, key: string, query: NormalizedQuery, isOwn: boolean): void {
  const finder = new Finder(model)
  const filters = knownFilters(query.filters, finder)
  for (const id of [...query.measures, ...query.dimensions, ...query.segments]) finder.find(id)
  for (const { dimension } of query.timeDimensions) finder.find(dimension)
  if (finder.isStrange || filters === null) return
  if (finder.isRestricted && !isOwn) known.set(key, 'caller', 0)
  else known.set(key, { query, filters, likeness: { shape: null } }, 500 + 4 * JSON.stringify(query).length)
}

/** Finds the members of a query, and notices what of them is not the same for everybody and at any time. */
class Finder {
  /** Policies decide who may ask. */
  isRestricted = false
  /** A view adds filters of its own. */
  isStrange = false
  readonly #index: ModelIndex

  constructor(model: Model) {
    this.#index = indexModel(model)
  }

  find(id: string): Member['definition'] | null {
    const found = this.#index.find(id)
    if (found === undefined) {
      this.isStrange = true
      return null
    }
    const { definition } = found.source
    this.isRestricted ||= !found.isOpen
    this.isStrange ||= definition.kind === 'view' && definition.view.defaultFilters.length > 0
    return found.member.definition
  }
}

function knownFilters(filters: readonly QueryFilter[], finder: Finder): readonly KnownFilter[] | null {
  const result: KnownFilter[] = []
  for (const filter of filters) {
    if ('and' in filter || 'or' in filter) {
      const inner = knownFilters('and' in filter ? filter.and : filter.or, finder)
      if (inner === null) return null
      result.push({ kind: 'and' in filter ? 'and' : 'or', filters: inner })
    } else {
      const definition = finder.find(filter.member)
      if (definition === null || definition.kind === 'segment') return null
      result.push({ kind: 'member', filter, of: { kind: definition.kind, type: definition.type } })
    }
  }
  return result
}
