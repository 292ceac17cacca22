import type {
  Located,
  MemberPath,
  PreAggregationIndexSpec,
  PreAggregationRefreshKeySpec,
  PreAggregationSpec,
} from '../shapes/tree.ts'
import { partitionGranularities, preAggregationTypes } from '../shapes/vocabulary.ts'
import {
  boolean,
  camelCase,
  listOf,
  locatedText,
  memberPath,
  oneOf,
  optional,
  type Reader,
  readMap,
  required,
  sql,
  sqlMap,
  text,
  watchProblems,
} from './fields.ts'
import { namedList } from './named.ts'
import { readEvery } from './read-refresh-key.ts'
import { describeNode, isEmpty, isList, isMap, type ModelSource, type SourceMap } from './source-node.ts'

const map = (value: Parameters<Reader<unknown>>[0], place: Parameters<Reader<unknown>>[1], source: ModelSource) => {
  if (isMap(value)) return value
  source.log.report(source.at(value), 'wrong_type', { ...place, expected: 'a map', actual: describeNode(value) })
  return undefined
}

const refreshKey: Reader<PreAggregationRefreshKeySpec> = (value, place, source) => {
  const node = map(value, place, source)
  if (!node) return undefined
  const of = `'refresh_key' of ${place.of}`
  const fields = {
    every: optional(locatedText),
    timezone: optional(locatedText),
    sql: optional(sql),
    incremental: optional(boolean, false),
    updateWindow: optional(locatedText),
  }
  const isSound = watchProblems(source)
  const read = readMap(node, of, { fields }, source)
  if (!read || !isSound()) return undefined
  const every = readEvery(read, source)
  const updateWindow = readEvery({ every: read.updateWindow, timezone: null, sql: read.sql }, source, 'update_window')
  if (every === undefined || updateWindow === undefined) return undefined
  const at = source.at(node)
  if (!read.every && !read.sql) {
    source.log.report(at, 'required', { key: 'every or sql', of })
    return undefined
  }
  if (read.sql && (read.timezone || read.incremental || read.updateWindow)) {
    source.log.report(at, 'pre_aggregation_refresh_sql', { of })
    return undefined
  }
  if (read.updateWindow && !read.incremental) {
    source.log.warn(at, 'needs_companion', { key: 'update_window', of, without: "'incremental: true'" })
  }
  if (updateWindow !== null && typeof updateWindow !== 'number') {
    source.log.report(read.updateWindow?.at ?? at, 'refresh_every', {
      key: 'update_window',
      value: read.updateWindow?.value ?? '',
    })
    return undefined
  }
  return { every, sql: read.sql, incremental: read.incremental, updateWindow, at }
}

/** One path, or a list of them. */
const memberPaths: Reader<readonly MemberPath[]> = (value, place, source) => {
  if (isList(value)) return listOf(memberPath)(value, place, source)
  const path = memberPath(value, place, source)
  return path && [path]
}

const timeDimension: Reader<PreAggregationSpec['timeDimensions'][number]> = (value, place, source) => {
  const node = map(value, place, source)
  const fields = { dimension: required(memberPath), granularity: required(locatedText) }
  return node && readMap(node, `'${place.key}' of ${place.of}`, { fields }, source)
}

const outputColumnType: Reader<PreAggregationSpec['outputColumnTypes'][number]> = (value, place, source) => {
  const node = map(value, place, source)
  return (
    node &&
    readMap(
      node,
      `'${place.key}' of ${place.of}`,
      { fields: { member: required(memberPath), type: required(text) } },
      source,
    )
  )
}

function readIndex(node: SourceMap, name: Located<string>, source: ModelSource): PreAggregationIndexSpec | undefined {
  const of = `index '${name.value}'`
  const fields = {
    name: required(locatedText),
    columns: optional(memberPaths, []),
    sql: optional(sql),
    type: optional(oneOf(['regular', 'aggregate']), 'regular'),
  }
  const isSound = watchProblems(source)
  const read = readMap(node, of, { fields }, source)
  if (!read) return undefined
  if (read.columns.length > 0 === Boolean(read.sql) && isSound()) {
    source.log.report(name.at, 'pre_aggregation_index', { of })
    return undefined
  }
  if (read.sql) source.log.warn(name.at, 'no_effect', { what: `'sql' of ${of}` })
  if (read.type === 'aggregate') source.log.warn(name.at, 'no_effect', { what: `'type: aggregate' of ${of}` })
  return read
}

const type: Reader<PreAggregationSpec['type']> = (value, place, source) => {
  const isAuto = 'value' in value && (value.value === 'auto_rollup' || value.value === 'autoRollup')
  if (isAuto) {
    source.log.report(source.at(value), 'pre_aggregation_auto', {})
    return undefined
  }
  const synonyms = { originalSql: 'original_sql', rollupJoin: 'rollup_join', rollupLambda: 'rollup_lambda' } as const
  return oneOf(preAggregationTypes, { synonyms })(value, place, source)
}

const fields = {
  name: required(locatedText),
  type: optional(type, 'rollup'),
  measures: optional(memberPaths, []),
  dimensions: optional(memberPaths, []),
  segments: optional(memberPaths, []),
  timeDimension: optional(memberPath),
  granularity: optional(locatedText),
  timeDimensions: optional(listOf(timeDimension)),
  partitionGranularity: optional(oneOf(partitionGranularities)),
  refreshKey: optional(refreshKey),
  buildRangeStart: optional(sqlMap),
  buildRangeEnd: optional(sqlMap),
  scheduledRefresh: optional(boolean),
  external: optional(boolean),
  useOriginalSqlPreAggregations: optional(boolean, false),
  allowNonStrictDateRangeMatch: optional(boolean),
  unionWithSourceData: optional(boolean, false),
  rollups: optional(memberPaths, []),
  sqlAlias: optional(text),
  uniqueKeyColumns: optional(listOf(text), []),
  readOnly: optional(boolean, false),
  streamOffset: optional(oneOf(['earliest', 'latest'])),
  outputColumnTypes: optional(listOf(outputColumnType), []),
  indexes: optional(
    namedList('index', readIndex, () => undefined),
    [],
  ),
}

const synonyms = {
  measureReferences: 'measures',
  dimensionReferences: 'dimensions',
  segmentReferences: 'segments',
  timeDimensionReference: 'timeDimension',
  rollupReferences: 'rollups',
  refreshRangeStart: 'buildRangeStart',
  refreshRangeEnd: 'buildRangeEnd',
} as const

/** Of the field's streams and its store, neither of which is here: tables are built whole, in one format. */
const idleKeys: Readonly<Record<string, string>> = {
  uniqueKeyColumns: 'unique_key_columns',
  readOnly: 'read_only',
  streamOffset: 'stream_offset',
  outputColumnTypes: 'output_column_types',
}

/** A table that is not cut holds all rows. */
const withoutPartitions = {
  buildRangeStart: 'build_range_start',
  buildRangeEnd: 'build_range_end',
}

const olderNames: ReadonlyMap<string, string> = new Map(Object.entries(synonyms))
const nameOfKey = (written: string): string => olderNames.get(written) ?? written

/** Says what is read and changes nothing. */
function warnOfIdle(
  node: SourceMap,
  of: string,
  {
    external,
    allowNonStrictDateRangeMatch,
    indexes,
    type,
    partitionGranularity,
  }: Pick<
    PreAggregationSpec,
    'external' | 'allowNonStrictDateRangeMatch' | 'indexes' | 'type' | 'partitionGranularity'
  >,
  members: readonly MemberPath[],
  source: ModelSource,
): void {
  const idle = {
    ...idleKeys,
    ...(external === false ? { external: 'external: false' } : {}),
    ...(allowNonStrictDateRangeMatch
      ? { allowNonStrictDateRangeMatch: 'allow_non_strict_date_range_match: true' }
      : {}),
    ...(partitionGranularity === null ? withoutPartitions : {}),
  }
  for (const [key, what] of Object.entries(idle)) {
    const entry = node.entries.find(({ name }) => nameOfKey(camelCase(name)) === key)
    if (entry && !isEmpty(entry.value))
      source.log.warn(source.at(entry.key), 'no_effect', { what: `'${what}' of ${of}` })
  }
  const known = new Set(members.map(path => path.value.at(-1)))
  for (const { value, at } of type === 'rollup' ? indexes.flatMap(({ columns }) => columns) : []) {
    if (known.has(value.at(-1))) continue
    const what = `'${value.join('.')}' in 'indexes' of ${of}, which does not have it,`
    source.log.warn(at, 'no_effect', { what })
  }
  // The first is the order of the rows, of which there is one.
  for (const { name } of indexes.slice(1)) {
    source.log.warn(name.at, 'no_effect', { what: `Index '${name.value}' of ${of}, which is not its first,` })
  }
}

function reportTwice(
  indexes: readonly PreAggregationIndexSpec[],
  name: string,
  cube: string,
  { log }: ModelSource,
): void {
  const seen = new Set<string>()
  for (const { name: index } of indexes) {
    if (seen.has(index.value)) log.report(index.at, 'pre_aggregation_index_twice', { index: index.value, name, cube })
    seen.add(index.value)
  }
}

/** Reads one pre-aggregation and the rules that need nothing but itself. */
export function readPreAggregation(
  node: SourceMap,
  name: Located<string>,
  cube: string,
  source: ModelSource,
): PreAggregationSpec | undefined {
  const of = `pre-aggregation '${name.value}' of cube '${cube}'`
  const isSound = watchProblems(source)
  const read = readMap(node, of, { fields, synonyms }, source)
  if (!read) return undefined
  const { timeDimension: single, granularity, timeDimensions: several, ...rest } = read
  const timeDimensions = several ?? (single ? [{ dimension: single, granularity }] : [])
  if (!isSound()) return { ...rest, timeDimensions }
  reportTwice(read.indexes, name.value, cube, source)
  const hasTime = single !== null || several !== null
  const report = (rule: string) => {
    source.log.report(name.at, 'pre_aggregation_rule', { of, rule })
    return undefined
  }
  if (single && several) return report("'time_dimension' and 'time_dimensions' exclude each other")
  if (granularity && !single) return report("'granularity' needs 'time_dimension'")
  if (single && !granularity && (read.type === 'rollup' || read.type === 'rollup_lambda')) {
    return report("'time_dimension' needs 'granularity'")
  }
  if (read.partitionGranularity && !hasTime && read.type !== 'rollup_join') {
    return report("'partition_granularity' needs 'time_dimension'")
  }
  if (read.refreshKey?.incremental && !read.partitionGranularity) {
    source.log.report(read.refreshKey.at, 'pre_aggregation_incremental', { id: `${cube}.${name.value}` })
    return undefined
  }
  const takesRollups = read.type === 'rollup_join' || read.type === 'rollup_lambda'
  if (read.type === 'rollup_lambda' && read.rollups.length === 0) {
    source.log.report(name.at, 'pre_aggregation_lambda_empty', { id: `${cube}.${name.value}` })
    return undefined
  }
  if (read.type === 'rollup_join' && read.rollups.length < 2) return report("it needs at least two 'rollups' to join")
  if (!takesRollups && read.rollups.length > 0) return report("'rollups' are for rollup_join and rollup_lambda")
  if (read.unionWithSourceData && read.type !== 'rollup_lambda') {
    return report("'union_with_source_data' is for rollup_lambda")
  }
  if (read.type === 'rollup_join' && read.scheduledRefresh) {
    return report("'scheduled_refresh' must be false or left out, because a rollup_join is never built itself")
  }
  const isEmpty = read.measures.length + read.dimensions.length + read.segments.length === 0 && !hasTime
  if (read.type === 'rollup' && isEmpty) return report('it needs measures, dimensions, segments or a time dimension')
  if (read.type === 'original_sql' && !(read.measures.length + read.dimensions.length + read.segments.length === 0)) {
    return report('an original_sql keeps the rows of its cube, and takes no measures, dimensions or segments')
  }
  const times = timeDimensions.map(({ dimension }) => dimension)
  warnOfIdle(node, of, read, [...read.measures, ...read.dimensions, ...read.segments, ...times], source)
  return { ...rest, timeDimensions }
}
