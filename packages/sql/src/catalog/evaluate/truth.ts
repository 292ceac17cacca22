import type { Value } from '../values/value.ts'

/** Truth of three values: what is unknown stays so. */
export const negate = (value: Value): Value => (value === null ? null : !value)

/** AND (`all`) and OR, no further than needed. */
export function lazily<T>(parts: readonly T[], all: boolean, test: (part: T) => Value): Value {
  let unknown = false
  for (const part of parts) {
    const truth = test(part)
    if (truth === null) unknown = true
    else if (truth !== all) return !all
  }
  return unknown ? null : all
}
