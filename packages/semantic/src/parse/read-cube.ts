import type { CubeSpec, HierarchySpec, JoinSpec, Located, SegmentSpec } from '../shapes/tree.ts'
import type { Relationship } from '../shapes/vocabulary.ts'
import { boolean, listOf, locatedText, memberPath, oneOf, optional, readMap, required, sql, text } from './fields.ts'
import { describedFields, describedSynonyms, type Incomplete, namedList } from './named.ts'
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

function readHierarchy(
  node: SourceMap,
  name: Located<string>,
  cube: string,
  source: ModelSource,
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

function readJoin(node: SourceMap, name: Located<string>, cube: string, source: ModelSource): JoinSpec | undefined {
  return readMap(node, `the join to '${name.value}' of cube '${cube}'`, { fields: joinFields }, source)
}

/** Reads one cube. Members that can't be read are left out and their names kept in `incomplete`. */
export function readCube(
  node: SourceMap,
  name: Located<string>,
  source: ModelSource,
  incomplete: Incomplete,
): CubeSpec | undefined {
  const cube = name.value
  const failed = (member: string) => incomplete.add(`${cube}.${member}`)
  const members = <T>(
    kind: string,
    read: (node: SourceMap, name: Located<string>, cube: string, source: ModelSource) => T | undefined,
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
    calendar: optional(boolean),
    refreshKey: optional(refreshKey),
    joins: members('join', readJoin),
    dimensions: members('dimension', readDimension),
    measures: members('measure', readMeasure),
    segments: members('segment', readSegment),
    hierarchies: members('hierarchy', readHierarchy),
    preAggregations: members('pre-aggregation', readPreAggregation),
    accessPolicy: optional(accessPolicies, []),
  }
  const of = `cube '${cube}'`
  const read = readMap(node, of, { fields, synonyms: describedSynonyms, inert: { rewriteQueries: boolean } }, source)
  if (read?.sql && read.sqlTable) {
    source.log.report(source.at(node), 'source_twice', { cube })
    return undefined
  }
  return read
}
