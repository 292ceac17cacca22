import { isMap, type YAMLMap } from 'yaml'
import type {
  CubeSpec,
  HierarchySpec,
  JoinSpec,
  Located,
  MeasureSpec,
  RefreshKeySpec,
  SegmentSpec,
} from '../shapes/tree.ts'
import { measureTypes, type Relationship } from '../shapes/vocabulary.ts'
import {
  boolean,
  listOf,
  locatedJson,
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
} from './fields.ts'
import { describedFields, describedSynonyms, type Incomplete, namedList } from './named.ts'
import { readDimension } from './read-dimension.ts'
import { describeNode, type YamlSource } from './yaml-source.ts'

const relationships: Readonly<Record<string, Relationship>> = {
  has_one: 'one_to_one',
  hasOne: 'one_to_one',
  has_many: 'one_to_many',
  hasMany: 'one_to_many',
  belongs_to: 'many_to_one',
  belongsTo: 'many_to_one',
  oneToOne: 'one_to_one',
  oneToMany: 'one_to_many',
  manyToOne: 'many_to_one',
}

const everyPattern = /^(\d+) (second|minute|hour|day|week)s?$/

const refreshKey: Reader<RefreshKeySpec> = (value, place, source) => {
  if (!isMap(value)) {
    source.log.report(source.at(value), 'wrong_type', { ...place, expected: 'a map', actual: describeNode(value) })
    return undefined
  }
  const fields = { every: optional(locatedText), sql: optional(sql), immutable: optional(boolean, false) }
  const unsupported = ['timezone', 'incremental', 'updateWindow']
  const read = readMap(value, `'refresh_key' of ${place.of}`, { fields, unsupported }, source)
  if (!read) return undefined
  const { every, immutable: isImmutable } = read
  if (every && !everyPattern.test(every.value)) {
    if (/^[\d*/,\- ]+$/.test(every.value)) {
      source.log.report(every.at, 'unsupported_value', {
        key: 'every',
        of: `'refresh_key' of ${place.of}`,
        value: every.value,
      })
    } else {
      source.log.report(every.at, 'refresh_every', { value: every.value })
    }
    return undefined
  }
  if (isImmutable === Boolean(every || read.sql)) {
    source.log.report(source.at(value), 'refresh_key_parts', { cube: place.of.replace(/^cube '|'$/g, '') })
    return undefined
  }
  return { every: every?.value ?? null, sql: read.sql, isImmutable }
}

const measureUnsupported = [
  'rollingWindow',
  'multiStage',
  'grain',
  'groupBy',
  'reduceBy',
  'addGroupBy',
  'filter',
  'timeShift',
  'orderBy',
  'case',
  'mask',
  'aliases',
  'drillFilters',
  'cumulative',
]

const measureFields = {
  ...describedFields,
  type: required(
    oneOf(measureTypes, {
      synonyms: { countDistinct: 'count_distinct', countDistinctApprox: 'count_distinct_approx' },
      unsupported: ['running_total', 'runningTotal', 'rank', 'number_agg', 'numberAgg'],
    }),
  ),
  sql: optional(sql),
  filters: optional(listOf(sqlMap), []),
  format: optional(locatedJson),
  currency: optional(locatedText),
  drillMembers: optional(listOf(memberPath), []),
}

const measureRules = {
  fields: measureFields,
  synonyms: { ...describedSynonyms, drillMemberReferences: 'drillMembers' },
  unsupported: measureUnsupported,
} as const

const calculatedTypes: readonly string[] = ['number', 'string', 'time', 'boolean']

function readMeasure(node: YAMLMap, name: Located<string>, cube: string, source: YamlSource): MeasureSpec | undefined {
  const of = `measure '${name.value}' of cube '${cube}'`
  const read = readMap(node, of, measureRules, source)
  if (!read) return undefined
  if (!read.sql && read.type !== 'count') {
    source.log.report(source.at(node), 'required', { key: 'sql', of })
    return undefined
  }
  if (read.filters.length > 0 && calculatedTypes.includes(read.type)) {
    source.log.report(source.at(node), 'filters_on_expression', { of, type: read.type })
    return undefined
  }
  return read
}

const segmentRules = {
  fields: { ...describedFields, sql: required(sql) },
  synonyms: describedSynonyms,
  unsupported: ['aliases'],
}

function readSegment(node: YAMLMap, name: Located<string>, cube: string, source: YamlSource): SegmentSpec | undefined {
  return readMap(node, `segment '${name.value}' of cube '${cube}'`, segmentRules, source)
}

function readHierarchy(
  node: YAMLMap,
  name: Located<string>,
  cube: string,
  source: YamlSource,
): HierarchySpec | undefined {
  const { description, meta, ...presentation } = describedFields
  const fields = { ...presentation, levels: required(listOf(memberPath)) }
  return readMap(node, `hierarchy '${name.value}' of cube '${cube}'`, { fields, synonyms: describedSynonyms }, source)
}

const joinFields = {
  name: required(locatedText),
  sql: required(sql),
  relationship: required(oneOf(['one_to_one', 'one_to_many', 'many_to_one'], { synonyms: relationships })),
}

function readJoin(node: YAMLMap, name: Located<string>, cube: string, source: YamlSource): JoinSpec | undefined {
  return readMap(node, `the join to '${name.value}' of cube '${cube}'`, { fields: joinFields }, source)
}

const cubeUnsupported = ['accessPolicy', 'preAggregations', 'calendar', 'rewriteQueries', 'contextMembers']

/** Reads one cube. Members that can't be read are left out and their names kept in `incomplete`. */
export function readCube(
  node: YAMLMap,
  name: Located<string>,
  source: YamlSource,
  incomplete: Incomplete,
): CubeSpec | undefined {
  const cube = name.value
  const failed = (member: string) => incomplete.add(`${cube}.${member}`)
  const members = <T>(
    kind: string,
    read: (node: YAMLMap, name: Located<string>, cube: string, source: YamlSource) => T | undefined,
  ) =>
    optional(
      namedList(kind, (item, member, from) => read(item, member, cube, from), failed),
      [],
    )
  const fields = {
    ...describedFields,
    extends: optional(memberPath),
    sql: optional(sql),
    sqlTable: optional(sql),
    sqlAlias: optional(text),
    dataSource: optional(text),
    refreshKey: optional(refreshKey),
    joins: members('join', readJoin),
    dimensions: members('dimension', readDimension),
    measures: members('measure', readMeasure),
    segments: members('segment', readSegment),
    hierarchies: members('hierarchy', readHierarchy),
  }
  const of = `cube '${cube}'`
  const read = readMap(node, of, { fields, synonyms: describedSynonyms, unsupported: cubeUnsupported }, source)
  if (read?.sql && read.sqlTable) {
    source.log.report(source.at(node), 'source_twice', { cube })
    return undefined
  }
  return read
}
