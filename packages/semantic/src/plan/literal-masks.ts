import type { Dimension, Mask, Measure } from '../shapes/model.ts'
import type { Expression } from '../shapes/plan.ts'

/** What a mask of one value shows in place of a member's value; without a mask, nothing. */
export function literalMask(mask: Mask | null, type: (Dimension | Measure)['type']): Expression {
  if (mask?.kind !== 'literal') return { kind: 'sql', parts: ['NULL'] }
  const { value } = mask
  // Digits, because the type of a parameter would be the type of the whole column.
  if (typeof value === 'number') return { kind: 'sql', parts: [String(value)] }
  if (typeof value === 'boolean') return { kind: 'value', value: { type: 'boolean', value: String(value) } }
  const isMoment = type === 'time' && /^\d{4}-\d{2}-\d{2}/.test(value)
  return { kind: 'value', value: { type: isMoment ? 'timestamp' : 'text', value } }
}

/** A value and its mask, both as text where they are of different types: a column has one. */
export function alikeTypes(
  { type, masking }: Pick<Dimension | Measure, 'type' | 'masking'>,
  value: Expression,
  hidden: Expression,
): readonly [Expression, Expression] {
  const mask = masking?.mask
  if (mask?.kind !== 'literal') return [value, hidden]
  const isText = type === 'string' || type === 'geo'
  const isAlike =
    isText || type === 'time'
      ? typeof mask.value === 'string' && (isText || hidden.kind !== 'value' || hidden.value.type === 'timestamp')
      : typeof mask.value === (type === 'boolean' ? 'boolean' : 'number')
  if (isAlike) return [value, hidden]
  const text: Expression = { kind: 'value', value: { type: 'text', value: String(mask.value) } }
  return [isText ? value : { kind: 'concatenation', parts: [value] }, text]
}
