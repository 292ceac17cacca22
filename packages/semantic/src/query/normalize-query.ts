import { type SecuredIndex, secureModel, shownSources } from '../access/secured-index.ts'
import { queryError } from '../messages/query-messages.ts'
import {
  type DimensionMember,
  findGranularity,
  granularitiesOf,
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

  const measures = unique(input.measures)
  for (const id of measures) findMember(index, id, isMeasure, 'measures')
  const { dimensions, timeDimensions } = splitDimensions(index, input, clock)
  const segments = unique(input.segments)
  for (const id of segments) findMember(index, id, isSegment, 'segments')
  checkNotEmpty(measures, dimensions, timeDimensions)
  checkVisible(index, measures, dimensions, timeDimensions)

  const filters = input.filters.map(filter => normalizeFilter(index, filter, clock))
  const query = { measures, dimensions, segments, filters, timeDimensions }
  const limit = resolveLimit(input.limit, options)
  return {
    ...query,
    filters: [...filters, ...defaultFilters(index, query, clock)],
    order: resolveOrder(input.order, query),
    limit,
    rowLimit: limit,
    ...(input.offset === null ? {} : { offset: input.offset }),
    timezone,
    ...(input.total === null ? {} : { total: input.total }),
    ...(input.ungrouped === null ? {} : { ungrouped: input.ungrouped }),
    ...(input.joinHints.length === 0 ? {} : { joinHints: checkJoinHints(index, input.joinHints) }),
    ...(input.cacheMode === null ? {} : { cacheMode: input.cacheMode }),
    responseFormat: input.responseFormat,
    queryType,
  }
}

const unique = (names: readonly string[]): readonly string[] => [...new Set(names)]

interface Members {
  readonly measures: readonly string[]
  readonly dimensions: readonly string[]
  readonly timeDimensions: readonly TimeDimension[]
}

/** `cube.time.granularity` among the dimensions is a time dimension. */
function splitDimensions(
  index: SecuredIndex,
  input: QueryInput,
  clock: Clock,
): Pick<Members, 'dimensions' | 'timeDimensions'> {
  const dimensions: string[] = []
  const timeDimensions = input.timeDimensions.map(item => normalizeTimeDimension(index, item, clock))
  for (const id of unique(input.dimensions)) {
    const [cube, name, granularity] = id.split('.')
    const dimension = `${cube}.${name}`
    if (granularity === undefined) {
      findMember(index, id, member => member.definition.kind === 'dimension', 'dimensions')
      dimensions.push(id)
    } else if (!timeDimensions.some(item => item.dimension === dimension && item.granularity === granularity)) {
      const item = { dimension, granularity, dateRange: null, compareDateRange: null }
      timeDimensions.push(normalizeTimeDimension(index, item, clock))
    }
  }
  return { dimensions, timeDimensions }
}

function normalizeTimeDimension(index: SecuredIndex, item: TimeDimensionInput, clock: Clock): TimeDimension {
  const { dimension, granularity, dateRange } = item
  if (item.compareDateRange) throw queryError('compare_expands', {})
  const member = findTimeDimension(index, dimension)
  if (granularity !== null) checkGranularity(member, granularity)
  return {
    dimension,
    ...(granularity === null ? {} : { granularity }),
    ...(dateRange === null ? {} : { dateRange: parseDateRange(dateRange, clock) }),
  }
}

function checkGranularity({ id, definition }: DimensionMember, granularity: string): void {
  if (findGranularity(definition, granularity)) return
  const known = granularitiesOf(definition).map(({ name }) => name)
  throw queryError('granularity', { granularity, dimension: id, known })
}

function checkNotEmpty(
  measures: readonly string[],
  dimensions: readonly string[],
  times: readonly TimeDimension[],
): void {
  if (measures.length > 0 || dimensions.length > 0 || times.some(({ granularity }) => granularity !== undefined)) return
  throw queryError('empty', {})
}

/** What is selected is shown, so it must be public; filters may use what is not. */
function checkVisible(
  index: SecuredIndex,
  measures: readonly string[],
  dimensions: readonly string[],
  times: readonly TimeDimension[],
): void {
  const shown = times.flatMap(({ dimension, granularity }) => (granularity === undefined ? [] : [dimension]))
  for (const id of [...measures, ...dimensions, ...shown]) {
    const member: Member = findMember(index, id, () => true, 'members')
    if (!member.isVisible) throw queryError('hidden_member', { member: id })
  }
}

function resolveOrder(
  order: QueryInput['order'],
  { measures, dimensions, timeDimensions }: Members,
): NormalizedQuery['order'] {
  const times = timeDimensions.filter(({ granularity }) => granularity !== undefined)
  if (order) {
    const known = [
      ...measures,
      ...dimensions,
      ...times.flatMap(({ dimension, granularity }) => [dimension, `${dimension}.${granularity}`]),
    ]
    return order.map(([id, direction]) => {
      if (!known.includes(id)) throw queryError('order_member', { member: id, known })
      return { id, desc: direction === 'desc' }
    })
  }
  const [time] = times
  const [measure] = measures
  const [dimension] = dimensions
  if (time) return [{ id: time.dimension, desc: false }]
  if (measure !== undefined) return [{ id: measure, desc: true }]
  return dimension === undefined ? [] : [{ id: dimension, desc: false }]
}

function checkJoinHints(index: SecuredIndex, hints: readonly (readonly string[])[]): readonly (readonly string[])[] {
  for (const cube of hints.flat()) {
    const source = index.sources.get(cube)
    if (source?.definition.kind !== 'cube') {
      throw queryError('cube_not_found', { cube, path: cube, known: shownSources(index) })
    }
  }
  return hints
}
