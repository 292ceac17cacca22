import type { QueryContext } from '../shapes/query.ts'

const lengthLimit = 4_096

/** All of a caller that queries can be read and planned by, as text that no other caller has; null where it is long, or no plain JSON. */
export function callerKey(context: QueryContext): string | null {
  // A query is read, and then planned. (Kept by the object it would be work for the garbage collector, which outlives every query.)
  if (last?.context !== context) last = { context, key: keyOf(context) }
  return last.key
}

let last: { readonly context: QueryContext; readonly key: string | null } | null = null

function keyOf({ securityContext, groups, userAttributes, defaultMasks }: QueryContext): string | null {
  const caller = [securityContext, groups, userAttributes, defaultMasks ?? null]
  if (!isPlain(caller, 0)) return null
  const key = JSON.stringify(caller)
  return key.length > lengthLimit ? null : key
}

const depthLimit = 16

/** Whether JSON says all of it: other values are left out of it, or become like others. */
function isPlain(value: unknown, depth: number): boolean {
  if (depth > depthLimit) return false
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true
  if (typeof value === 'number') return Number.isFinite(value) && !Object.is(value, -0)
  if (typeof value !== 'object') return false
  if (Array.isArray(value)) return value.every(item => isPlain(item, depth + 1))
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) return false
  return !('toJSON' in value) && Object.values(value).every(item => isPlain(item, depth + 1))
}
