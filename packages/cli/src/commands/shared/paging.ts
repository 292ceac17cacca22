import type { Context } from '../../framework/command.ts'
import { Failure } from '../../framework/failure.ts'
import { fieldOf, isRecord, rowsOf } from '../../framework/json.ts'
import { flag, integer, optional, text } from '../../framework/parameter.ts'
import type { Column } from '../../framework/table.ts'
import { shellQuote } from '../../framework/text.ts'

/** Options of every list that is read page by page. */
export const pagingOptions = {
  first: optional(integer('n'), 'items on the page'),
  after: optional(text('cursor'), 'continue after this cursor, the pageInfo.endCursor of the page before'),
  all: flag('follow the pages to the end'),
}

export const pagingExclusive = [
  ['all', 'first'],
  ['all', 'after'],
] as const

/** The deprecated way of paging that a few older lists take beside it. */
export const offsetOptions = {
  offset: optional(integer('n'), 'deprecated: skip that many items'),
  limit: optional(integer('n'), 'deprecated: items on the page'),
}

interface Paging {
  readonly first: number | undefined
  readonly after: string | undefined
  readonly all: boolean
}

/** Which page of a list is asked for. */
export interface Page {
  readonly first?: number
  readonly after?: string
}

/** Items asked for at a time when all pages are followed; the server gives no more. */
const largestPage = 1_000
/** Pages followed at most, so that a server whose cursor never ends cannot hold the program. */
const mostPages = 10_000

/** @throws {Failure} `paging_mixed` when both ways of paging are asked for. */
export function refuseMixedPaging({
  first,
  after,
  all,
  offset,
  limit,
}: Paging & { readonly offset: number | undefined; readonly limit: number | undefined }): void {
  const cursor = first !== undefined || after !== undefined || all
  if (cursor && (offset !== undefined || limit !== undefined)) throw new Failure('paging_mixed')
}

/** Prints one page of a list, or with `--all` the whole list; says on the standard error when there is more. */
export async function printList(
  { output, effects }: Context,
  { first, after, all }: Paging,
  columns: readonly Column[],
  readPage: (page: Page) => Promise<unknown>,
): Promise<void> {
  const page = { ...(first === undefined ? {} : { first }), ...(after === undefined ? {} : { after }) }
  const document = all ? await readAllPages(readPage) : await readPage(page)
  output.result(document, () => output.table(columns, rowsOf(document)))
  const next = nextCursor(document)
  if (next !== null) output.progress(`more: --after ${shellQuote(next, effects.platform)}`, 'dim')
}

/** One document in the form of a page that holds the items of all pages. */
async function readAllPages(readPage: (page: Page) => Promise<unknown>): Promise<unknown> {
  const items: unknown[] = []
  let after: string | undefined
  for (let count = 0; count < mostPages; count += 1) {
    const document = await readPage({ first: largestPage, ...(after === undefined ? {} : { after }) })
    items.push(...rowsOf(document))
    const next = nextCursor(document)
    if (next === null || next === after) {
      const pageInfo = fieldOf(document, 'pageInfo')
      return isRecord(pageInfo)
        ? { items, pageInfo: { ...pageInfo, hasNextPage: false, hasPreviousPage: false } }
        : { items }
    }
    after = next
  }
  throw new Failure('unexpected_answer', { message: `the list did not end after ${mostPages} pages` })
}

function nextCursor(document: unknown): string | null {
  const cursor = fieldOf(document, 'pageInfo.endCursor')
  return fieldOf(document, 'pageInfo.hasNextPage') === true && typeof cursor === 'string' ? cursor : null
}
