import type { DimensionExpression } from '../shapes/model.ts'
import type { SqlSpec } from '../shapes/tree.ts'
import { bindSql, type SqlPlace, walkPath } from './bind-sql.ts'
import { isKeyUnknown, type MemberSpec, mayBeJoined, type Names } from './names.ts'

/** Binds the SQL of a sub-query dimension: every measure in it has to be found from the rows of the dimension's cube. */
export function resolveSubQuery(
  spec: SqlSpec,
  propagatesFilters: boolean,
  { cube, of }: SqlPlace,
  names: Names,
): DimensionExpression {
  const sql = bindSql(spec, { cube, of, level: 'measure' }, names)
  const isBound = spec.parts.length > 0 && sql.parts.length === spec.parts.length
  const measures = sql.parts.filter(
    part =>
      typeof part !== 'string' &&
      part.kind === 'member' &&
      names.membersOf(part.cube)?.get(part.member)?.kind === 'measure',
  )
  if (isBound && measures.length === 0) names.log.report(spec.at, 'sub_query_measure', { of })
  if (![...(names.membersOf(cube)?.values() ?? [])].some(isKey) && !isKeyUnknown(cube, names)) {
    names.log.report(spec.at, 'sub_query_primary_key', { of, cube })
  }
  for (const part of spec.parts) {
    if (typeof part === 'string' || part.kind !== 'reference') continue
    const { cube: to } = walkPath(part.path, cube, names)
    if (mayBeJoined(cube, to, names) || names.joins.componentOf(to) === names.joins.componentOf(cube)) continue
    names.log.report(part.at, 'reference_path', { path: part.path.join('.'), from: cube, to })
  }
  return { kind: 'subQuery', sql, propagatesFilters }
}

const isKey = (member: MemberSpec) => member.kind === 'dimension' && member.spec.isPrimaryKey
