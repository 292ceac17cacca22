import type { BoundSql, PreAggregation, PreAggregationMember } from '../shapes/model.ts'
import type { CubeSpec, MemberPath, PreAggregationRefreshKeySpec, PreAggregationSpec, SqlSpec } from '../shapes/tree.ts'
import { bindSql, granularityNames, walkPath, withoutEnd } from './bind-sql.ts'
import { mayBeJoined, type Names } from './names.ts'
import type { Scope } from './resolve-member.ts'

/** Binds one pre-aggregation. That the rollups it names exist is checked when all cubes are there. */
export function resolvePreAggregation(spec: PreAggregationSpec, owner: CubeSpec, scope: Scope): PreAggregation {
  const { cube, names } = scope
  const of = `pre-aggregation '${spec.name.value}' of cube '${cube}'`
  const find = (list: string, kind: string) => (path: MemberPath) => findPart(path, list, kind, of, scope)
  const bind = (sql: SqlSpec | null, what: string): BoundSql | null =>
    sql && withoutEnd(bindSql(sql, { cube, of: `${what} of ${of}`, level: 'source' }, names))
  const all = <K extends string>(list: string, kind: K, paths: readonly MemberPath[]) => paths.flatMap(find(list, kind))
  return {
    name: spec.name.value,
    type: spec.type,
    measures: all('measures', 'measure', spec.measures),
    dimensions: all('dimensions', 'dimension', spec.dimensions),
    segments: all('segments', 'segment', spec.segments),
    timeDimensions: spec.timeDimensions.flatMap(time => timeDimension(time, of, scope)),
    partitionGranularity: spec.partitionGranularity,
    refreshKey: refreshKey(spec.refreshKey, bind(spec.refreshKey?.sql ?? null, "'refresh_key'")),
    buildRange: {
      start: bind(spec.buildRangeStart, "'build_range_start'"),
      end: bind(spec.buildRangeEnd, "'build_range_end'"),
    },
    scheduledRefresh: spec.scheduledRefresh ?? spec.type !== 'rollup_join',
    external: spec.external ?? spec.type !== 'original_sql',
    useOriginalSqlPreAggregations: spec.useOriginalSqlPreAggregations,
    allowNonStrictDateRangeMatch: spec.allowNonStrictDateRangeMatch ?? true,
    unionWithSourceData: spec.unionWithSourceData,
    rollups: spec.rollups.map(path => rollupId(path, owner.name.value)),
    sqlAlias: spec.sqlAlias,
    uniqueKeyColumns: spec.uniqueKeyColumns,
    readOnly: spec.readOnly,
    streamOffset: spec.streamOffset,
    outputColumnTypes: spec.outputColumnTypes.flatMap(({ member, type }) =>
      find('output_column_types', 'measure or dimension')(member).map(found => ({ ...found, type })),
    ),
    indexes: spec.indexes.map(index => ({
      name: index.name.value,
      columns: index.columns.flatMap(find(`columns of index ${index.name.value}`, 'measure or dimension')),
      sql: bind(index.sql, `'sql' of index '${index.name.value}'`),
      type: index.type,
    })),
  }
}

/** `rollup` of the cube itself, or `cube.rollup`. */
export function rollupId({ value }: MemberPath, own: string): { readonly cube: string; readonly name: string } {
  const [cube, name] = value.length > 1 ? value.slice(-2) : [own, ...value]
  return { cube: cube === undefined || cube === 'CUBE' ? own : cube, name: name ?? '' }
}

function findPart(
  path: MemberPath,
  list: string,
  kind: string,
  of: string,
  { cube, names }: Scope,
): PreAggregationMember[] {
  const { cube: owner, rest, through } = walkPath(path.value, cube, names)
  const [member = ''] = rest
  const written = path.value.join('.')
  const found = rest.length === 1 ? names.membersOf(owner)?.get(member) : undefined
  if (names.isIncomplete(owner, member)) return []
  if (!found) {
    if (rest.length > 1 && names.mayBeCube(member)) return []
    const known = [...(names.membersOf(owner)?.keys() ?? [])]
    names.log.report(path.at, 'unresolved', { cube: owner, name: rest.join('.') || written, known })
    return []
  }
  if (!kind.split(' or ').includes(found.kind)) {
    names.log.report(path.at, 'pre_aggregation_member', { member: written, of, kind: found.kind, list })
    return []
  }
  if (found.kind === 'dimension' && (found.spec.type === 'switch' || found.spec.stage)) {
    names.log.report(path.at, 'pre_aggregation_member', {
      member: written,
      of,
      kind: found.spec.stage ? 'multi-stage dimension, which is known for groups alone' : 'switch, which has no rows',
      list,
    })
    return []
  }
  if (!isJoined(through, written, path, names)) return []
  return [{ cube: owner, member, path: path.value[0] === cube || through.length === 0 ? [cube, ...through] : through }]
}

function isJoined(through: readonly string[], written: string, path: MemberPath, names: Names): boolean {
  for (const [position, to] of through.entries()) {
    const from = through[position - 1]
    if (from === undefined || names.joins.isJoined(from, to) || mayBeJoined(from, to, names)) continue
    names.log.report(path.at, 'reference_path', { path: written, from, to })
    return false
  }
  return true
}

function timeDimension(
  { dimension, granularity }: PreAggregationSpec['timeDimensions'][number],
  of: string,
  scope: Scope,
): PreAggregation['timeDimensions'] {
  return findPart(dimension, 'time_dimension', 'dimension', of, scope).flatMap(found => {
    const member = scope.names.membersOf(found.cube)?.get(found.member)
    if (member?.kind !== 'dimension' || member.spec.type !== 'time') {
      const kind = member?.kind === 'dimension' ? `dimension of type ${member.spec.type}` : 'dimension'
      scope.names.log.report(dimension.at, 'pre_aggregation_member', {
        member: dimension.value.join('.'),
        of,
        kind,
        list: 'time_dimension',
      })
      return []
    }
    const known = granularityNames(member.spec)
    if (granularity && !known.includes(granularity.value)) {
      const details = { dimension: `${found.cube}.${found.member}`, name: granularity.value, known }
      scope.names.log.report(granularity.at, 'granularity_missing', details)
      return []
    }
    return [{ ...found, granularity: granularity?.value ?? null }]
  })
}

/** Seconds. */
const sqlFreshness = 10
const usualFreshness = 3600

function refreshKey(spec: PreAggregationRefreshKeySpec | null, sql: BoundSql | null): PreAggregation['refreshKey'] {
  return {
    every: spec?.every ?? (spec?.sql ? sqlFreshness : usualFreshness),
    sql,
    incremental: spec?.incremental ?? false,
    updateWindow: spec?.updateWindow ?? null,
  }
}
