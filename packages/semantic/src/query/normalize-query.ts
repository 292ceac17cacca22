import { type SecuredIndex, secureModel, shownSources } from '../access/secured-index.ts'
import { queryError } from '../messages/query-messages.ts'
import {
  type DimensionMember,
  findGranularity,
  granularitiesOf,
  isDimension,
  isMeasure,
  isSegment,
  type Member,
} from '../resolve/model-index.ts'
import type { Model } from '../shapes/model.ts'
import type { NormalizedQuery, NormalizeOptions, QueryType, TimeDimension } from '../shapes/query.ts'
import { recallOr } from '../templates/known-queries.ts'
import { type Clock, parseDateRange } from '../time/date-range.ts'
import { isTimezone, localNow, spellTimezone } from '../time/local-time.ts'
import { defaultFilters } from './default-filters.ts'
import { findMember, findTimeDimension } from './find-member.ts'
import { normalizeFilter } from './normalize-filter.ts'
import { type QueryInput, readQueryInput, type TimeDimensionInput } from './query-input.ts'
import { resolveLimit } from './resolve-limit.ts'

/**
 * Checks a client's query against the model and fills in all that it leaves open.
 *
 * @param input parsed JSON of a client; nothing about it is trusted
 * @throws {QueryError} with the text of contract/behaviour/query.md, section 4
 */
export function normalizeQuery(model: Model, input: unknown, options: NormalizeOptions): NormalizedQuery {
  return recallOr(model, input, options, () =>
    normalizeInput(secureModel(model, options.context), readQueryInput(input), options, 'regularQuery'),
  )
}

/** The same for input that has been read. */
export function normalizeInput(
  index: SecuredIndex,
  input: QueryInput,
  options: NormalizeOptions,
  queryType: QueryType,
): NormalizedQuery {
  const written = input.timezone ?? options.defaultTimezone
  if (!isTimezone(written)) throw queryError('timezone', { timezone: written })
  const timezone = spellTimezone(written)
  const clock: Clock = { now: localNow(options.now, timezone), timezone }

  const shown: Member[] = []
  const measures = unique(input.measures)
  for (const id of measures) shown.push(findMember(index, id, isMeasure, 'measures'))
  const { dimensions, timeDimensions } = splitDimensions(index, input, clock, shown)
  const segments = unique(input.segments)
  for (const id of segments) findMember(index, id, isSegment, 'segments')
  if (shown.length === 0) throw queryError('empty', {})
  checkVisible(shown)

  const own = input.filters.map(filter => normalizeFilter(index, filter, clock))
  const ofViews = defaultFilters(index, { measures, dimensions, segments, filters: own, timeDimensions }, clock)
  const filters = ofViews.length === 0 ? own : [...own, ...ofViews]
  const limit = resolveLimit(input.limit, options)
  const order = resolveOrder(input.order, { measures, dimensions, timeDimensions })
  const { responseFormat } = input
  const query: Writable<NormalizedQuery> = {
    measures,
    dimensions,
    segments,
    filters,
    timeDimensions,
    order,
    limit,
    rowLimit: limit,
    timezone,
    responseFormat,
    queryType,
  }
  if (input.offset !== null) query.offset = input.offset
  if (input.total !== null) query.total = input.total
  if (input.ungrouped !== null) query.ungrouped = input.ungrouped
  if (input.joinHints.length > 0) query.joinHints = checkJoinHints(index, input.joinHints)
  if (input.cacheMode !== null) query.cacheMode = input.cacheMode
  return query
}

type Writable<T> = { -readonly [K in keyof T]: T[K] }

/** Few are named, and to make a set of them would cost more than to look through them. */
function unique(names: readonly string[]): readonly string[] {
  if (names.length > fewNames) return [...new Set(names)]
  return names.every((name, position) => names.indexOf(name) === position) ? names : [...new Set(names)]
}

const fewNames = 8

interface Members {
  readonly measures: readonly string[]
  readonly dimensions: readonly string[]
  readonly timeDimensions: readonly TimeDimension[]
}

/**
 * `cube.time.granularity` among the dimensions is a time dimension.
 *
 * @param shown gets the members of both that are selected
 */
function splitDimensions(
  index: SecuredIndex,
  input: QueryInput,
  clock: Clock,
  shown: Member[],
): Pick<Members, 'dimensions' | 'timeDimensions'> {
  const dimensions: string[] = []
  const ofTimes: Member[] = []
  const timeDimensions = input.timeDimensions.map(item => normalizeTimeDimension(index, item, clock, ofTimes))
  for (const id of unique(input.dimensions)) {
    const end = id.indexOf('.', id.indexOf('.') + 1)
    if (end === -1) {
      shown.push(findMember(index, id, isDimension, 'dimensions'))
      dimensions.push(id)
      continue
    }
    const dimension = id.slice(0, end)
    const granularity = id.slice(end + 1)
    if (!timeDimensions.some(item => item.dimension === dimension && item.granularity === granularity)) {
      const item = { dimension, granularity, dateRange: null, compareDateRange: null }
      timeDimensions.push(normalizeTimeDimension(index, item, clock, ofTimes))
    }
  }
  shown.push(...ofTimes)
  return { dimensions, timeDimensions }
}

function normalizeTimeDimension(
  index: SecuredIndex,
  item: TimeDimensionInput,
  clock: Clock,
  shown: Member[],
): TimeDimension {
  const { dimension, granularity } = item
  if (item.compareDateRange) throw queryError('compare_expands', {})
  const member = findTimeDimension(index, dimension)
  if (granularity !== null) {
    checkGranularity(member, granularity)
    shown.push(member)
  }
  const dateRange = item.dateRange === null ? undefined : parseDateRange(item.dateRange, clock)
  if (granularity === null) return dateRange ? { dimension, dateRange } : { dimension }
  return dateRange ? { dimension, granularity, dateRange } : { dimension, granularity }
}

function checkGranularity({ id, definition }: DimensionMember, granularity: string): void {
  if (findGranularity(definition, granularity)) return
  const known = granularitiesOf(definition).map(({ name }) => name)
  throw queryError('granularity', { granularity, dimension: id, known })
}

/** What is selected is shown, so it must be public; filters may use what is not. */
function checkVisible(shown: readonly Member[]): void {
  for (const { id, isVisible } of shown) if (!isVisible) throw queryError('hidden_member', { member: id })
}

function resolveOrder(
  order: QueryInput['order'],
  { measures, dimensions, timeDimensions }: Members,
): NormalizedQuery['order'] {
  if (order) {
    return order.map(([id, direction]) => {
      const isKnown = measures.includes(id) || dimensions.includes(id) || timeDimensions.some(time => isNamed(time, id))
      if (!isKnown)
        throw queryError('order_member', {
          member: id,
          known: [...measures, ...dimensions, ...namesOf(timeDimensions)],
        })
      return { id, desc: direction === 'desc' }
    })
  }
  const time = timeDimensions.find(({ granularity }) => granularity !== undefined)
  const [measure] = measures
  const [dimension] = dimensions
  if (time) return [{ id: time.dimension, desc: false }]
  if (measure !== undefined) return [{ id: measure, desc: true }]
  return dimension === undefined ? [] : [{ id: dimension, desc: false }]
}

/** Whether an order means a time dimension by that name, with its granularity or without; what is not selected orders nothing. */
const isNamed = ({ dimension, granularity }: TimeDimension, id: string): boolean =>
  granularity !== undefined && (dimension === id || `${dimension}.${granularity}` === id)

const namesOf = (times: readonly TimeDimension[]): readonly string[] =>
  times.flatMap(({ dimension, granularity }) =>
    granularity === undefined ? [] : [dimension, `${dimension}.${granularity}`],
  )

function checkJoinHints(index: SecuredIndex, hints: readonly (readonly string[])[]): readonly (readonly string[])[] {
  for (const cube of hints.flat()) {
    const source = index.sources.get(cube)
    if (source?.definition.kind !== 'cube') {
      throw queryError('cube_not_found', { cube, path: cube, known: shownSources(index) })
    }
  }
  return hints
}
