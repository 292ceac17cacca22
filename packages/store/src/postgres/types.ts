import { types } from 'pg'
import { storeErrors } from '../store-error.ts'

/** @throws {StoreError} `number_too_large` beyond 2^53 - 1 */
export function parseInt8(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw storeErrors.numberTooLarge(text)
  return value
}

function parseInt8Array(text: string): (number | null)[] {
  // Numbers have no quotes, escapes or commas, so splitting is parsing. Nothing of the schema nests them.
  const inner = text.slice(1, -1)
  if (inner === '') return []
  return inner.split(',').map(element => (element === 'NULL' ? null : parseInt8(element)))
}

/** By the oid of the type (PostgreSQL, pg_type.dat). */
const parsers = new Map<number, (text: string) => unknown>([
  [20, parseInt8],
  [1016, parseInt8Array],
  [1082, String],
  [1114, String],
])

/**
 * How values come out of the database: as `pg` reads them, but int8 as number (ids), and date and timestamp without time
 * zone as their text, since `pg` would read them in this machine's time zone. timestamptz is a Date, bytea a Buffer, numeric a
 * string.
 */
export const storeTypes = {
  getTypeParser(...[id, format]: Parameters<typeof types.getTypeParser>) {
    return (format === 'binary' ? undefined : parsers.get(id)) ?? types.getTypeParser(id, format)
  },
}
