import { formatLocal, parseIso } from '@hedron/semantic'
import { DataError } from './data-error.ts'

/**
 * Two ends as local times, days as whole days and moments as they are; both of UTC, as rollups are partitioned.
 *
 * @param what names the range in errors
 * @throws {DataError} 400
 */
export function readDateRange([from, to]: readonly [string, string], what: string): readonly [string, string] {
  const [first, last] = [readDate(from, what), readDate(to, what)]
  if (last.end >= first.start) return [formatLocal(first.start), formatLocal(last.end)]
  throw new DataError(400, `${what} ends on '${to}', before it begins on '${from}'`)
}

function readDate(text: string, what: string): { readonly start: number; readonly end: number } {
  const date = parseIso(text, 'UTC')
  if (!date) throw new DataError(400, `${what} '${text}' is no date`)
  return { start: date.local, end: date.isDate ? date.local + dayMs - 1 : date.local }
}

const dayMs = 24 * 3600 * 1000
