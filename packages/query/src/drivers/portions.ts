import type { RowSink } from '../shapes/driver.ts'
import type { Cell } from '../shapes/query.ts'

/** Rows of one portion, and what they take: enough to be fast, few enough that other work comes between. */
const mostRows = 2_000
const mostCharacters = 2 ** 20

/** Collects the rows of a client that gives them one by one, and puts them into the sink in portions. */
export interface Portions {
  /** Settles when there is room for more. */
  add(row: Cell[]): Promise<void> | undefined
  /** Puts what is left. */
  end(): Promise<void>
}

export function createPortions(sink: RowSink): Portions {
  let rows: Cell[][] = []
  let characters = 0
  const put = () => {
    const portion = rows
    rows = []
    characters = 0
    return sink.rows(portion)
  }
  return {
    add(row) {
      rows.push(row)
      for (const cell of row) if (typeof cell === 'string') characters += cell.length
      return rows.length >= mostRows || characters >= mostCharacters ? put() : undefined
    },
    async end() {
      if (rows.length > 0) await put()
    },
  }
}
