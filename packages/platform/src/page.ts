import { CodedError, type PageInfo, type PageQuery } from '@hedron/contract'

/** A window of rows in key order, as the store reads it. */
export interface Window<K> {
  /** Rows to read: one more than the page, so that a next page shows. */
  readonly limit: number
  readonly after: K | undefined
}

export interface Page<T> {
  readonly items: T[]
  readonly data: T[]
  readonly pageInfo: PageInfo
}

/** Items on a page at most, and when `first` is left out. */
const largest = 1000

/**
 * Cursor paging over rows in the order of a key that never changes, so pages stay right while rows come and go.
 *
 * @param list names the list in its cursors, so that one of another list is refused.
 */
export async function page<R, T, K extends readonly (string | number)[]>(
  list: string,
  query: PageQuery,
  read: (window: Window<K>) => Promise<R[]>,
  key: (row: R) => K,
  show: (row: R) => T,
): Promise<Page<T>> {
  const first = Math.min(query.first ?? largest, largest)
  const after = query.after ? decodeCursor<K>(list, query.after) : undefined
  const rows = await read({ limit: first + 1, after })
  const shown = rows.slice(0, first)
  const items = shown.map(show)
  const cursor = (row: R | undefined) => (row === undefined ? null : encodeCursor(list, key(row)))
  return {
    items,
    data: items,
    pageInfo: {
      hasNextPage: rows.length > shown.length,
      hasPreviousPage: after !== undefined,
      startCursor: cursor(shown[0]),
      endCursor: cursor(shown.at(-1)),
    },
  }
}

/** Pages a short list that is in memory. */
export function pageOf<T>(
  list: string,
  query: PageQuery,
  all: readonly T[],
  key: (item: T) => string,
): Promise<Page<T>> {
  return page<T, T, readonly [string]>(
    list,
    query,
    async ({ limit, after }) => {
      if (after === undefined) return all.slice(0, limit)
      const last = all.findIndex(item => key(item) === after[0])
      if (last < 0) throw new CodedError('cursor_invalid', { cursor: query.after ?? '' })
      return all.slice(last + 1, last + 1 + limit)
    },
    item => [key(item)],
    item => item,
  )
}

function encodeCursor(list: string, key: readonly (string | number)[]): string {
  return Buffer.from(JSON.stringify([list, ...key])).toString('base64url')
}

function decodeCursor<K extends readonly (string | number)[]>(list: string, cursor: string): K {
  try {
    const [name, ...key]: unknown[] = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    const scalar = key.every(part => typeof part === 'string' || typeof part === 'number')
    // The list's name is inside the cursor, so a key of the right list has the right shape.
    if (name === list && scalar && key.length > 0) return key as unknown as K
  } catch {
    // Falls through: whatever was wrong, it is not a cursor of ours.
  }
  throw new CodedError('cursor_invalid', { cursor })
}
