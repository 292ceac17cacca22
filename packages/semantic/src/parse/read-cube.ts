import type { CubeSpec, HierarchySpec, JoinSpec, Located, SegmentSpec } from '../shapes/tree.ts'
import type { Relationship } from '../shapes/vocabulary.ts'
import { boolean, listOf, locatedText, memberPath, oneOf, optional, readMap, required, sql, text } from './fields.ts'
import { describedFields, describedSynonyms, type Incomplete, memberList } from './named.ts'
import { accessPolicies } from './read-access-policy.ts'
import { readDimension } from './read-dimension.ts'
import { readMeasure } from './read-measure.ts'
import { readPreAggregation } from './read-pre-aggregation.ts'
import { refreshKey } from './read-refresh-key.ts'
import type { ModelSource, SourceMap } from './source-node.ts'

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

const segmentRules = {
  fields: { ...describedFields, sql: required(sql) },
  synonyms: describedSynonyms,
  inert: { aliases: listOf(text) },
}

function readSegment(
  node: SourceMap,
  name: Located<string>,
  cube: string,
  source: ModelSource,
): SegmentSpec | undefined {
  return readMap(node, `segment '${name.value}' of cube '${cube}'`, segmentRules, source)
}

const hierarchyRules = {
  fields: {
    name: describedFields.name,
    title: describedFields.title,
    public: describedFields.public,
    levels: required(listOf(memberPath)),
  },
  synonyms: describedSynonyms,
}

function readHierarchy(
  node: SourceMap,
  name: Located<string>,
  cube: string,
  source: ModelSource,
): HierarchySpec | undefined {
  return readMap(node, `hierarchy '${name.value}' of cube '${cube}'`, hierarchyRules, source)
}

const joinRules = {
  fields: {
    name: required(locatedText),
    sql: required(sql),
    relationship: required(oneOf(['one_to_one', 'one_to_many', 'many_to_one'], { synonyms: relationships })),
  },
}

function readJoin(node: SourceMap, name: Located<string>, cube: string, source: ModelSource): JoinSpec | undefined {
  return readMap(node, `the join to '${name.value}' of cube '${cube}'`, joinRules, source)
}

const cubeRules = {
  fields: {
    ...describedFields,
    extends: optional(memberPath),
    sql: optional(sql),
    sqlTable: optional(sql),
    sqlAlias: optional(text),
    dataSource: optional(text),
    calendar: optional(boolean),
    refreshKey: optional(refreshKey),
    joins: optional(memberList('join', readJoin), []),
    dimensions: optional(memberList('dimension', readDimension), []),
    measures: optional(memberList('measure', readMeasure), []),
    segments: optional(memberList('segment', readSegment), []),
    hierarchies: optional(memberList('hierarchy', readHierarchy), []),
    preAggregations: optional(memberList('pre-aggregation', readPreAggregation), []),
    accessPolicy: optional(accessPolicies, []),
  },
  synonyms: describedSynonyms,
  inert: { rewriteQueries: boolean },
}

/** Reads one cube. Members that can't be read are left out and their names kept in `incomplete`. */
export function readCube(
  node: SourceMap,
  name: Located<string>,
  source: ModelSource,
  incomplete: Incomplete,
): CubeSpec | undefined {
  const cube = name.value
  const owner = { name: cube, failed: (member: string) => incomplete.add(`${cube}.${member}`) }
  const read = readMap(node, `cube '${cube}'`, cubeRules, source, owner)
  if (read?.sql && read.sqlTable) {
    source.log.report(source.at(node), 'source_twice', { cube })
    return undefined
  }
  return read
}
