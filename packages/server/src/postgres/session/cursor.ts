import type { WireColumn } from '../protocol/backend-messages.ts'
import { PgError } from '../protocol/pg-error.ts'
import type { Cell } from '../values/encode-value.ts'
import type { RowSource } from './row-source.ts'

/** Rows that were declared as a cursor, fetched in portions. */
export interface Cursor {
  readonly columns: readonly WireColumn[]
  /** It outlives its transaction. */
  readonly hold: boolean
  readonly binary: boolean
  /** @param count null: all that are left. */
  fetch(count: number | null): RowSource
  close(): Promise<void>
}

export function createCursor(
  columns: readonly WireColumn[],
  rows: RowSource,
  { hold, binary }: { readonly hold: boolean; readonly binary: boolean },
  stop: () => void,
): Cursor {
  return {
    columns,
    hold,
    binary,
    fetch(count) {
      let left = count ?? Number.POSITIVE_INFINITY
      return {
        async read(most) {
          const wanted = Math.min(most, left)
          if (wanted <= 0) return { rows: [] as readonly (readonly Cell[])[], done: true }
          const portion = await rows.read(wanted)
          left -= portion.rows.length
          return { rows: portion.rows, done: portion.done || left <= 0 }
        },
        // A fetch that is left goes on with the next.
        async close() {},
      }
    },
    async close() {
      stop()
      await rows.close()
    },
  }
}

/** @throws {PgError} 34000 */
export const noCursor = (name: string) => new PgError('34000', `cursor "${name}" does not exist`)
