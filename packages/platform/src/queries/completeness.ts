import type { NormalizedQuery } from '@hedron/semantic'

/** Whether an answer holds every row of its query, and how to go on where it does not. */
export interface Completeness {
  readonly complete: boolean
  /** The `offset` of the rows that follow; absent where they can't be asked for in that way, which a limit of 0 is. */
  readonly nextOffset?: number
}

type Page = Pick<NormalizedQuery, 'limit' | 'offset'>

/**
 * Says what an answer would otherwise leave to guess: ten thousand rows and the first ten thousand of a million look alike
 * (USERS.md row 9).
 *
 * @param found how many rows there were when one more than the limit was asked for
 */
export function completenessOf(found: number, { limit, offset = 0 }: Page): Completeness {
  if (found <= limit) return { complete: true }
  return limit === 0 ? { complete: false } : { complete: false, nextOffset: offset + limit }
}

/** The rows without the one that was asked for beyond the limit. They are shared, so they stay as they are. */
export const withinLimit = <T>(rows: readonly T[], { limit }: Page): readonly T[] =>
  rows.length > limit ? rows.slice(0, limit) : rows
