import type { BoundSql, DimensionExpression, Link } from '../shapes/model.ts'
import type { LinkSpec, SqlSpec } from '../shapes/tree.ts'

export const linkOf = ({ name, label, to, icon, target, isPrimary, params }: LinkSpec): Link => ({
  name: name.value,
  label,
  dashboard: to.kind === 'dashboard' ? to.id : null,
  icon,
  target,
  isPrimary,
  params: params.map(({ key }) => key),
})

/** The address to which a link leads. */
export const resolveAddress = ({ to, params }: LinkSpec, bind: (sql: SqlSpec) => BoundSql): DimensionExpression => ({
  kind: 'address',
  base: to.kind === 'url' ? { sql: bind(to.sql) } : { text: `/dashboard/${to.id}` },
  params: params.map(({ key, value }) => ({ key, value: bind(value) })),
})
