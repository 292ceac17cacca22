import type {
  BoundSql,
  Cube,
  Dimension,
  DimensionExpression,
  Hierarchy,
  Join,
  Label,
  Measure,
  RefreshKey,
  Segment,
} from '../shapes/model.ts'
import type {
  CaseSpec,
  CubeSpec,
  DimensionSpec,
  HierarchySpec,
  JoinSpec,
  LabelSpec,
  MeasureSpec,
  MemberPath,
  SegmentSpec,
  SqlSpec,
} from '../shapes/tree.ts'
import { bindSql, type SqlPlace, walkPath } from './bind-sql.ts'
import { resolveFormatting } from './formats.ts'
import { resolveGranularity } from './granularities.ts'
import type { Names } from './names.ts'
import { rememberResolved } from './remember-resolved.ts'
import { titleOf } from './titles.ts'

const defaultFreshness = 10
const secondsIn: Readonly<Record<string, number>> = { second: 1, minute: 60, hour: 3600, day: 86_400, week: 604_800 }

/** Binds one cube, whose `extends` is already replaced. `null` when it has no table. */
export const resolveCube = rememberResolved((spec: CubeSpec, names: Names): Cube | null => {
  const name = spec.name.value
  const sourceSql = spec.sqlTable ?? spec.sql
  if (!sourceSql) {
    names.log.report(spec.name.at, 'source_missing', { cube: name })
    return null
  }
  const scope = { cube: name, names }
  return {
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
    connectedComponent: names.componentOf(name),
    primaryKey: spec.dimensions.flatMap(dimension => (dimension.isPrimaryKey ? [dimension.name.value] : [])),
    joins: spec.joins.map(join => resolveJoin(join, scope)),
    dimensions: spec.dimensions.map(dimension => resolveDimension(dimension, scope)),
    measures: spec.measures.map(measure => resolveMeasure(measure, scope)),
    segments: spec.segments.map(segment => resolveSegment(segment, scope)),
    hierarchies: spec.hierarchies.map(hierarchy => resolveHierarchy(hierarchy, scope)),
  }
})

/** Authors end statements with a semicolon, which nothing may follow. */
function withoutEnd({ parts }: BoundSql): BoundSql {
  const last = parts.at(-1)
  return typeof last === 'string' ? { parts: [...parts.slice(0, -1), last.replace(/[\s;]+$/, '')] } : { parts }
}

interface Scope {
  readonly cube: string
  readonly names: Names
}

function resolveRefreshKey({ refreshKey, name }: CubeSpec, names: Names): RefreshKey {
  if (refreshKey?.isImmutable) return { kind: 'immutable' }
  const [count = '', unit = ''] = refreshKey?.every?.split(' ') ?? []
  const seconds = refreshKey?.every ? Number(count) * (secondsIn[unit.replace(/s$/, '')] ?? 1) : defaultFreshness
  if (!refreshKey?.sql) return { kind: 'every', seconds }
  const place: SqlPlace = { cube: name.value, of: `'refresh_key' of cube '${name.value}'`, level: 'source' }
  return { kind: 'sql', seconds, sql: withoutEnd(bindSql(refreshKey.sql, place, names)) }
}

function resolveJoin(spec: JoinSpec, { cube, names }: Scope): Join {
  const target = spec.name.value
  const of = `The join of '${cube}' to '${target}'`
  const condition = bindSql(spec.sql, { cube, of, level: 'row' }, names)
  for (const part of spec.sql.parts) {
    if (typeof part === 'string') continue
    const { cube: referred } = walkPath(part.path, cube, names)
    if (referred !== cube && referred !== target) {
      names.log.report(part.at, 'join_foreign', { cube, target, foreign: referred })
    }
  }
  return { target, relationship: spec.relationship, condition }
}

function resolveDimension(spec: DimensionSpec, scope: Scope): Dimension {
  const { names } = scope
  const seen = new Set<string>()
  const granularities = spec.granularities.flatMap(granularity => {
    const { name } = granularity
    if (seen.has(name.value)) {
      names.log.report(name.at, 'duplicate_granularity', { name: name.value, of: `'${scope.cube}.${spec.name.value}'` })
    }
    seen.add(name.value)
    return resolveGranularity(granularity, names.log) ?? []
  })
  return {
    kind: 'dimension',
    ...presentation(spec, !spec.isPrimaryKey),
    ...resolveFormatting(
      { kind: 'dimension', type: spec.type, format: spec.format, currency: spec.currency },
      names.log,
    ),
    type: spec.type,
    expression: resolveExpression(spec, scope),
    isPrimaryKey: spec.isPrimaryKey,
    suggestFilterValues: spec.suggestFilterValues,
    order: spec.order,
    granularities,
  }
}

function resolveExpression(spec: DimensionSpec, { cube, names }: Scope): DimensionExpression {
  const place: SqlPlace = { cube, of: `dimension '${spec.name.value}' of cube '${cube}'`, level: 'row' }
  const bind = (sql: SqlSpec): BoundSql => bindSql(sql, place, names)
  if (spec.latitude && spec.longitude)
    return { kind: 'geo', latitude: bind(spec.latitude), longitude: bind(spec.longitude) }
  if (spec.cases) return resolveCases(spec.cases, bind)
  if (spec.sql) return { kind: 'sql', sql: bind(spec.sql) }
  throw new Error(`Dimension '${cube}.${spec.name.value}' was parsed without SQL`)
}

function resolveCases(spec: CaseSpec, bind: (sql: SqlSpec) => BoundSql): DimensionExpression {
  const label = (written: LabelSpec): Label => ('sql' in written ? { sql: bind(written.sql) } : written)
  return {
    kind: 'case',
    when: spec.when.map(branch => ({ condition: bind(branch.condition), label: label(branch.label) })),
    otherwise: spec.otherwise ? label(spec.otherwise) : null,
  }
}

const calculatedTypes: readonly string[] = ['number', 'string', 'time', 'boolean']

function resolveMeasure(spec: MeasureSpec, { cube, names }: Scope): Measure {
  const of = `measure '${spec.name.value}' of cube '${cube}'`
  const level = calculatedTypes.includes(spec.type) ? 'measure' : 'aggregate'
  return {
    kind: 'measure',
    ...presentation(spec, true),
    ...resolveFormatting({ kind: 'measure', type: spec.type, format: spec.format, currency: spec.currency }, names.log),
    type: spec.type,
    sql: spec.sql && bindSql(spec.sql, { cube, of, level, type: spec.type }, names),
    filters: spec.filters.map(filter => bindSql(filter, { cube, of, level: 'row' }, names)),
    drillMembers: spec.drillMembers.flatMap(path => {
      const found = findMember(path, cube, names)
      if (!found) return []
      if (found.kind === 'dimension' || found.kind === 'measure') return [found.id]
      names.log.report(path.at, 'drill_member', { member: path.value.join('.'), of })
      return []
    }),
  }
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

/** Looks up a member named outside SQL; reports when there is none. */
function findMember(
  path: MemberPath,
  cube: string,
  names: Names,
): { readonly id: string; readonly kind: string } | null {
  const { cube: owner, rest } = walkPath(path.value, cube, names)
  const [member = ''] = rest
  const found = rest.length === 1 ? names.membersOf(owner)?.get(member) : undefined
  if (found) return { id: `${owner}.${member}`, kind: found.kind }
  if (!names.isIncomplete(owner, member) && !(rest.length > 1 && names.mayBeCube(member))) {
    names.log.report(path.at, 'unresolved', {
      cube: owner,
      name: rest.join('.') || path.value.join('.'),
      known: [...(names.membersOf(owner)?.keys() ?? [])],
    })
  }
  return null
}

function presentation(spec: DimensionSpec | MeasureSpec | SegmentSpec, isPublicByDefault: boolean) {
  return {
    name: spec.name.value,
    title: spec.title ?? titleOf(spec.name.value),
    description: spec.description,
    isPublic: spec.public ?? isPublicByDefault,
    meta: spec.meta,
  }
}
