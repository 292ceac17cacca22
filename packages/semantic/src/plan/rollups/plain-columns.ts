import { type DimensionMember, isDimension, type ModelIndex } from '../../resolve/model-index.ts'
import type { Expression } from '../../shapes/plan.ts'

/** A column of a table that this query names. */
export const columnOf = (table: string, name: string): Expression => ({ kind: 'column', table, name, trusted: false })

/** Words that stand for a value and look like a column. */
const values =
  /^(true|false|null|user|current_\w+|session_\w+|system_user|localtime|localtimestamp|sysdate|rowid|rownum)$/i

/**
 * The column of its cube's table that a dimension is, as its author wrote it; undefined where it is computed, so that it may have a
 * value where a row has none.
 */
export function plainColumn(index: ModelIndex, { cube, definition }: DimensionMember): string | undefined {
  const { expression } = definition
  if (expression.kind !== 'sql') return undefined
  const [first, second, ...more] = expression.sql.parts
  if (more.length > 0) return undefined
  if (typeof first === 'string' && second === undefined) {
    const [, name] = /^\s*("?[a-z_]\w*"?)\s*$/i.exec(first) ?? []
    return name !== undefined && !values.test(name) ? name : undefined
  }
  if (typeof first !== 'object') return undefined
  if (first.kind === 'table' && first.cube === cube.name && typeof second === 'string') {
    return /^\.("?[a-z_]\w*"?)\s*$/i.exec(second)?.[1]
  }
  if (first.kind !== 'member' || first.cube !== cube.name || second !== undefined) return undefined
  const member = index.sources.get(first.cube)?.members.get(first.member)
  return member && isDimension(member) && member.definition.name !== definition.name
    ? plainColumn(index, member)
    : undefined
}

/** The dimension of a cube that is a column of its table. */
export function dimensionOfColumn(index: ModelIndex, cube: string, column: string): DimensionMember | undefined {
  const members = [...(index.sources.get(cube)?.members.values() ?? [])].filter(isDimension)
  return members.find(member => member.cube.name === cube && plainColumn(index, member) === column)
}
