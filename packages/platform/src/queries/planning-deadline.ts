import type { Effects } from '../effects.ts'
import { DataError } from './data-error.ts'

/** Far above what any single query takes: a request of many adds up. */
const planningMs = 3_000

/**
 * Begins the time that planning one request may take. The steps of planning are bounded by the size of a query; this bounds their
 * sum, because nobody else is answered meanwhile.
 *
 * @returns to be called between steps. @throws {DataError} 400 when the time is over
 */
export function beginPlanning({ now }: Pick<Effects, 'now'>): () => void {
  const end = now().getTime() + planningMs
  return () => {
    if (now().getTime() <= end) return
    const message = `The request takes more than ${planningMs / 1000} s to plan. Ask for less in one request, or in several.`
    throw new DataError(400, message, { code: 'planning_timeout' })
  }
}
