import type { Cell } from '../values/encode-value.ts'

/** The rows of a running statement, taken in portions. */
export interface RowSource {
  /** @param most rows wanted; fewer may come although there are more. */
  read(most: number): Promise<{ readonly rows: readonly (readonly Cell[])[]; readonly done: boolean }>
  /** Ends the statement wherever it is. */
  close(): Promise<void>
}

/** Rows that come in chunks. */
export function streamedRows(chunks: AsyncIterable<readonly (readonly Cell[])[]>): RowSource {
  const iterator = chunks[Symbol.asyncIterator]()
  let left: readonly (readonly Cell[])[] = []
  let done = false
  return {
    async read(most) {
      while (left.length === 0 && !done) {
        const next = await iterator.next()
        if (next.done) done = true
        else left = next.value
      }
      const rows = left.slice(0, most)
      left = left.slice(rows.length)
      // Whether more come is only known when they were asked for.
      if (left.length === 0 && !done) {
        const next = await iterator.next()
        if (next.done) done = true
        else left = next.value
      }
      return { rows, done: done && left.length === 0 }
    },
    async close() {
      done = true
      left = []
      await iterator.return?.()
    },
  }
}

export function knownRows(rows: readonly (readonly Cell[])[]): RowSource {
  let at = 0
  return {
    async read(most) {
      // Others are served between portions.
      if (at > 0) await new Promise(resolve => setImmediate(resolve))
      const portion = rows.slice(at, at + most)
      at += portion.length
      return { rows: portion, done: at >= rows.length }
    },
    async close() {
      at = rows.length
    },
  }
}
