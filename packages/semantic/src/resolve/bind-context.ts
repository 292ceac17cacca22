import type { BoundSql, ContextReference, FilterColumn, FilterParam } from '../shapes/model.ts'
import type { ColumnSpec, ContextSpec, FilterParamSpec, SqlSpec } from '../shapes/tree.ts'
import type { Names } from './names.ts'

/** Binds what in SQL depends on the query; `null` where something of it can't be bound, which is reported. */
export function bindContext(
  spec: ContextSpec,
  bind: (sql: SqlSpec) => BoundSql,
  cube: string,
  names: Names,
): ContextReference | null {
  const column = ({ sql, takes }: ColumnSpec): FilterColumn => ({ sql: bind(sql), takes })
  switch (spec.kind) {
    case 'filterParams': {
      const params = spec.params.flatMap(param => bindFilterParam(param, column, cube, names) ?? [])
      return params.length === spec.params.length ? { kind: 'filterParams', params } : null
    }
    case 'localTime':
    case 'urlEncoded':
      return { kind: spec.kind, sql: bind(spec.sql) }
    case 'securityContext': {
      const { path, use, place } = spec
      return { kind: 'securityContext', path, use, place, column: spec.column && column(spec.column) }
    }
    case 'argument':
      return { kind: 'argument', position: spec.position }
  }
}

function bindFilterParam(
  { member, column, isShifted }: FilterParamSpec,
  bindColumn: (column: ColumnSpec) => FilterColumn,
  own: string,
  names: Names,
): FilterParam | null {
  const [written = '', name = ''] = member.value
  const cube = written === 'CUBE' ? own : written
  const found = names.membersOf(cube)?.get(name)
  if (found?.kind === 'dimension') return { member: `${cube}.${name}`, column: bindColumn(column), isShifted }
  if (found || !(names.isIncomplete(cube, name) || (!names.membersOf(cube) && names.mayBeCube(cube)))) {
    const known = [...(names.membersOf(cube) ?? [])].flatMap(([other, { kind }]) =>
      kind === 'dimension' ? [`${cube}.${other}`] : [],
    )
    names.log.report(member.at, 'filter_params_member', { member: `${cube}.${name}`, known })
  }
  return null
}
