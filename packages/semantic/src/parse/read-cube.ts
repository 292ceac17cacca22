import type { CubeSpec, HierarchySpec, JoinSpec, Located, SegmentSpec } from '../shapes/tree.ts'
import type { Relationship } from '../shapes/vocabulary.ts'
import {
  boolean,
  listOf,
  locatedText,
  memberPath,
  oneOf,
  optional,
  orElse,
  readMap,
  required,
  sql,
  text,
} from './fields.ts'
import { describedFields, describedSynonyms, type Incomplete, memberList, parent } from './named.ts'
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
    // The cubes are joined, in whichever way.
    relationship: required(
      orElse(oneOf(['one_to_one', 'one_to_many', 'many_to_one'], { synonyms: relationships }), 'one_to_many'),
    ),
  },
}

function readJoin(node: SourceMap, name: Located<string>, cube: string, source: ModelSource): JoinSpec | undefined {
  return readMap(node, `the join to '${name.value}' of cube '${cube}'`, joinRules, source)
}

const cubeRules = {
  fields: {
    ...describedFields,
    extends: optional(parent),
    sql: optional(sql),
    sqlTable: optional(sql),
    sqlAlias: optional(text),
    dataSource: optional(text),
    // Only calendars may have some things, which are right where nobody can say whether it is one.
    calendar: optional(orElse(boolean, true)),
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

/**
 * Reads one cube. Members that can't be read are left out and their names kept in `incomplete`, or the name of the cube itself where
 * nobody knows which they are.
 */
export function readCube(
  node: SourceMap,
  name: Located<string>,
  source: ModelSource,
  incomplete: Incomplete,
): CubeSpec | undefined {
  const cube = name.value
  const owner = {
    name: cube,
    failed: (member: string) => incomplete.add(`${cube}.${member}`),
    lostMembers: () => incomplete.add(cube),
  }
  const read = readMap(node, `cube '${cube}'`, cubeRules, source, owner)
  if (read?.sql && read.sqlTable) source.log.report(source.at(node), 'source_twice', { cube })
  return read
}
