import type { MaskSpec } from '../shapes/tree.ts'
import { type Reader, sqlMap } from './fields.ts'
import { describeNode, isMap, isScalar } from './source-node.ts'

/** What a policy shows instead of a value: text, a number, true or false, or a map with `sql`. */
export const mask: Reader<MaskSpec> = (value, place, source) => {
  if (isMap(value)) {
    const sql = sqlMap(value, place, source)
    return sql && { kind: 'sql', sql }
  }
  const isInfinite = isScalar(value) && typeof value.value === 'number' && !Number.isFinite(value.value)
  if (isScalar(value) && value.value !== null && !isInfinite) return { kind: 'literal', value: value.value }
  const expected = "text, a number, true or false, or a map with 'sql'"
  source.log.report(source.at(value), 'wrong_type', { ...place, expected, actual: describeNode(value) })
  return undefined
}
