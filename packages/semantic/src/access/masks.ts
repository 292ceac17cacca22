import type { Member } from '../resolve/model-index.ts'
import type { Mask } from '../shapes/model.ts'
import type { MaskDefaults } from '../shapes/query.ts'

/** What is shown of a member whose author wrote no mask; null: nothing. */
export function defaultMask({ definition }: Member, defaults: MaskDefaults): Mask | null {
  if (definition.kind === 'segment') return null
  const type = maskType(definition.type)
  const value = type === null ? undefined : defaults[type]
  return value === undefined ? null : { kind: 'literal', value }
}

function maskType(type: string): keyof MaskDefaults | null {
  if (type === 'string' || type === 'boolean' || type === 'time') return type
  return type === 'geo' ? null : 'number'
}
