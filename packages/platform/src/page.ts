import { CodedError, Id, type OffsetPagination, type PageInfo, type PageQuery } from '@hedron/contract'
import * as z from 'zod'

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

const text = z.string().regex(/^[^\0]*$/)
const byId = z.tuple([Id])
const byText = z.tuple([text])
const byTextAndId = z.tuple([text, Id])
const byTimeAndId = z.tuple([z.iso.datetime(), Id])
const byTime = z.tuple([z.iso.datetime(), text])

/** How a workspace is sorted. */
const order = z.string().regex(/^(updated_at|created_at|name) (ASC|DESC)$/)
const placed = z.enum(['WORKBOOK', 'REPORT'])
/** A time that PostgreSQL reads. */
const moment = z.iso.datetime().regex(/^[12]/)

/** Every list with the key that its cursors hold. Cursors come back from clients, so a forged one must not reach a query. */
const cursorKeys = {
  'agent-skills': byText,
  agents: byText,
  'api-keys': byTime,
  branches: byId,
  'chat-threads': z.tuple([moment, text]),
  'comment-threads': byId,
  'dbt-files': byText,
  'dbt-syncs': byId,
  deployments: byId,
  'embed-attributes': byId,
  'embed-group-members': byTimeAndId,
  'embed-groups': byId,
  'embed-tenants': byText,
  'embed-tenant-workbooks': byId,
  'embed-users': byTextAndId,
  'environment-tokens': byTime,
  environments: byText,
  'evaluation-results': z.tuple([z.int().min(0).max(1_000_000)]),
  files: byText,
  'mentionable-users': byTextAndId,
  folders: z.tuple([z.int().min(0).max(1_000_000), text, Id]),
  pods: byText,
  regions: byText,
  roles: byId,
  'shareable-groups': byTextAndId,
  'shareable-users': byTextAndId,
  reports: z.union([
    z.tuple([z.templateLiteral(['name ', z.enum(['asc', 'desc'])]), text, Id]),
    z.tuple([z.templateLiteral([z.enum(['createdAt ', 'updatedAt ']), z.enum(['asc', 'desc'])]), z.iso.datetime(), Id]),
  ]),
  'user-attributes': byId,
  'user-group-members': z.tuple([z.iso.datetime(), Id]),
  'user-groups': byId,
  users: byId,
  variables: byText,
  versions: byText,
  workbooks: byId,
  workspace: z.union([
    z.tuple([order, z.literal('FOLDER'), z.int().min(0).max(1_000_000), text, Id]),
    z.tuple([z.enum(['name ASC', 'name DESC']), placed, z.literal(0), text, Id]),
    z.tuple([order.refine(marker => !marker.startsWith('name')), placed, z.literal(0), moment, Id]),
  ]),
} as const
export type List = keyof typeof cursorKeys

/** Items on a page at most, and when `first` is left out. */
const largest = 1000

/**
 * Cursor paging over rows in the order of a key that never changes, so pages stay right while rows come and go.
 *
 * @param list names the list in its cursors, so that one of another list is refused.
 */
export async function page<R, T, K extends readonly (string | number)[]>(
  list: List,
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

/** Pages a list that is in memory, in the order of the keys; an item that a cursor names may be gone since. */
export function pageOf<T>(list: List, query: PageQuery, all: readonly T[], key: (item: T) => string): Promise<Page<T>> {
  return page<T, T, readonly [string]>(
    list,
    query,
    async window => readFrom(all, key, window),
    item => [key(item)],
    item => item,
  )
}

/** The rows of a window out of a list that is in memory, in the order of the keys. */
export function readFrom<T>(
  all: readonly T[],
  key: (item: T) => string,
  { after, limit, offset = 0 }: Window<readonly [string]> & { readonly offset?: number | undefined },
): T[] {
  const rest = after === undefined ? [...all] : all.filter(item => key(item) > after[0])
  return rest.sort((a, b) => (key(a) < key(b) ? -1 : 1)).slice(offset, offset + limit)
}

/** A window of rows that an older client names by how many rows to leave out before it. */
export interface OffsetWindow<K> extends Window<K> {
  readonly offset: number | undefined
}

interface EitherQuery extends PageQuery {
  readonly offset?: number | undefined
  readonly limit?: number | undefined
}

/**
 * Cursor paging, or the offset paging of older clients where the query asks for that.
 *
 * @param total rows in the whole list.
 * @param defaultLimit rows on a page by offset where none is asked for.
 * @throws {CodedError} `invalid_request` where the query asks for both.
 */
export async function pageEitherWay<R, T, K extends readonly (string | number)[]>(
  list: List,
  query: EitherQuery,
  { total, defaultLimit }: { readonly total: number; readonly defaultLimit: number },
  read: (window: OffsetWindow<K>) => Promise<R[]>,
  key: (row: R) => K,
  show: (row: R) => T,
): Promise<Page<T> & { pagination: z.infer<typeof OffsetPagination> }> {
  if (query.offset === undefined && query.limit === undefined) {
    const shown = await page(list, query, (window: Window<K>) => read({ ...window, offset: undefined }), key, show)
    return { ...shown, pagination: { total, offset: 0, limit: Math.min(query.first ?? largest, largest) } }
  }
  if (query.first !== undefined || query.after) {
    throw new CodedError('invalid_request', { problems: 'offset and limit cannot be combined with first and after' })
  }
  const offset = query.offset ?? 0
  const limit = Math.min(query.limit ?? defaultLimit, largest)
  const rows = limit === 0 ? [] : await read({ limit, after: undefined, offset })
  const items = rows.map(show)
  const cursor = (row: R | undefined) => (row === undefined ? null : encodeCursor(list, key(row)))
  return {
    items,
    data: items,
    pageInfo: {
      hasNextPage: offset + rows.length < total,
      hasPreviousPage: offset > 0,
      startCursor: cursor(rows[0]),
      endCursor: cursor(rows.at(-1)),
    },
    pagination: { total, offset, limit },
  }
}

function encodeCursor(list: List, key: readonly (string | number)[]): string {
  return Buffer.from(JSON.stringify([list, ...key])).toString('base64url')
}

function decodeCursor<K extends readonly (string | number)[]>(list: List, cursor: string): K {
  const [name, ...key] = parseCursor(cursor)
  // A cursor whose list and key are right holds what the list's own key function put there.
  if (name === list && cursorKeys[list].safeParse(key).success) return key as unknown as K
  throw new CodedError('cursor_invalid', { cursor })
}

function parseCursor(cursor: string): unknown[] {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    return Array.isArray(parsed) ? parsed : []
  } catch {
    return []
  }
}
