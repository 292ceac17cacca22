import type { ProblemLog } from '../messages/model-messages.ts'
import type { Cube, Hierarchy, Join, RefreshKey, Segment } from '../shapes/model.ts'
import type { CubeSpec, HierarchySpec, JoinSpec, Located, SegmentSpec } from '../shapes/tree.ts'
import { resolveCubePolicies } from './access-policies.ts'
import { bindSql, type SqlPlace, walkPath, withoutEnd } from './bind-sql.ts'
import { checkCalendar } from './calendar.ts'
import type { Names } from './names.ts'
import { rememberResolved } from './remember-resolved.ts'
import { resolveDimension } from './resolve-dimension.ts'
import { resolveMeasure } from './resolve-measure.ts'
import { findMember, presentation, type Scope } from './resolve-member.ts'
import { resolvePreAggregation } from './resolve-pre-aggregation.ts'
import { memberReferences } from './sql-references.ts'
import { titleOf } from './titles.ts'

/** Binds one cube, whose `extends` is already replaced. */
export const resolveCube = rememberResolved((spec: CubeSpec, names: Names): Cube => {
  const name = spec.name.value
  const { at } = spec.name
  // What extends something that is not there, or itself in a circle, was told so.
  if (!spec.sqlTable && !spec.sql && !names.isIncomplete(name)) names.log.report(at, 'source_missing', { cube: name })
  const sourceSql = spec.sqlTable ?? spec.sql ?? { parts: [], at }
  const scope = { cube: name, names }
  const cube: Cube = {
    name,
    title: spec.title ?? titleOf(name),
    description: spec.description,
    isPublic: spec.public ?? true,
    meta: spec.meta,
    file: spec.name.at.file,
    sqlAlias: spec.sqlAlias,
    dataSource: spec.dataSource ?? 'default',
    source: {
      kind: spec.sqlTable ? 'table' : 'query',
      sql: withoutEnd(bindSql(sourceSql, { cube: name, of: `'sql' of cube '${name}'`, level: 'source' }, names)),
    },
    refreshKey: resolveRefreshKey(spec, names),
    connectedComponent: names.joins.componentOf(name),
    primaryKey: spec.dimensions.flatMap(dimension => (dimension.isPrimaryKey ? [dimension.name.value] : [])),
    isCalendar: spec.calendar ?? false,
    joins: spec.joins.map(join => resolveJoin(join, scope)),
    dimensions: spec.dimensions.map(dimension => resolveDimension(dimension, scopeOf(dimension, scope))),
    measures: spec.measures.map(measure => resolveMeasure(measure, scopeOf(measure, scope))),
    segments: spec.segments.map(segment => resolveSegment(segment, scopeOf(segment, scope))),
    hierarchies: spec.hierarchies.map(hierarchy => resolveHierarchy(hierarchy, scopeOf(hierarchy, scope))),
    preAggregations: spec.preAggregations.map(preAggregation =>
      resolvePreAggregation(preAggregation, spec, scopeOf(preAggregation, scope)),
    ),
    accessPolicies: resolveCubePolicies(spec, names),
  }
  checkCalendar(spec, cube, names)
  return cube
})

/** Of a member that could not be read whole, only names that lead nowhere are told: all else may be for what is missing in it. */
function scopeOf({ name }: { readonly name: Located<string> }, scope: Scope): Scope {
  const { cube, names } = scope
  if (names.isComplete || !names.isIncomplete(cube, name.value)) return scope
  const { log } = names
  const report: ProblemLog['report'] = (at, code, details) => {
    if (code === 'unresolved' || code === 'reference_path') log.report(at, code, details)
  }
  return { cube, names: { ...names, log: { ...log, report } } }
}

function resolveRefreshKey({ refreshKey, name }: CubeSpec, names: Names): RefreshKey {
  if (refreshKey?.isImmutable) return { kind: 'immutable' }
  const every = refreshKey?.every ?? null
  if (every !== null && typeof every !== 'number') return { kind: 'schedule', ...every }
  if (!refreshKey?.sql) return { kind: 'every', seconds: every }
  const place: SqlPlace = { cube: name.value, of: `'refresh_key' of cube '${name.value}'`, level: 'source' }
  return { kind: 'sql', seconds: every, sql: withoutEnd(bindSql(refreshKey.sql, place, names)) }
}

function resolveJoin(spec: JoinSpec, { cube, names }: Scope): Join {
  const target = spec.name.value
  const of = `The join of '${cube}' to '${target}'`
  const condition = bindSql(spec.sql, { cube, of, level: 'row' }, names)
  for (const part of spec.sql.parts) {
    if (typeof part === 'string' || part.kind !== 'reference') continue
    const { cube: referred } = walkPath(part.path, cube, names)
    if (
      referred !== cube &&
      referred !== target &&
      !names.joins.isJoined(cube, referred) &&
      !names.isIncomplete(referred)
    ) {
      names.log.report(part.at, 'join_foreign', { cube, target, foreign: referred })
    }
  }
  const inContext = condition.parts.filter(part => typeof part !== 'string' && !('through' in part))
  for (const { cube: referred } of memberReferences({ parts: inContext })) {
    if (referred !== cube && referred !== target) {
      names.log.report(spec.sql.at, 'join_foreign', { cube, target, foreign: referred })
    }
  }
  return { target, relationship: spec.relationship, condition }
}

function resolveSegment(spec: SegmentSpec, { cube, names }: Scope): Segment {
  const place: SqlPlace = { cube, of: `segment '${spec.name.value}' of cube '${cube}'`, level: 'row' }
  return { kind: 'segment', ...presentation(spec, true), sql: bindSql(spec.sql, place, names) }
}

function resolveHierarchy(spec: HierarchySpec, { cube, names }: Scope): Hierarchy {
  const hierarchy = spec.name.value
  return {
    name: hierarchy,
    title: spec.title ?? titleOf(hierarchy),
    isPublic: spec.public ?? true,
    levels: spec.levels.flatMap(path => {
      const found = findMember(path, cube, names)
      if (!found) return []
      if (found.kind === 'dimension') return [found.id]
      names.log.report(path.at, 'hierarchy_level', { member: path.value.join('.'), hierarchy })
      return []
    }),
  }
}
