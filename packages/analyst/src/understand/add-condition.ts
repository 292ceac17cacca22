import type { Parts } from './parts.ts'
import type { Pending } from './place.ts'

/** A condition, of the part alone where a share is asked for and it stands behind the verb. */
export function addCondition(parts: Parts, pending: Pending, filter: Parts['filters'][number]): void {
  const list = parts.share && pending.isPredicate ? parts.partFilters : parts.filters
  list.push(filter)
  if (list === parts.filters && parts.share && parts.dimensions.length === 0) parts.sharedFilters.push(filter)
  if (pending.counting) {
    parts.countsRows = true
    pending.counting = false
  }
  pending.not = false
}
