import { problems } from '../query-service-error.ts'
import type { RowSink } from '../shapes/driver.ts'
import type { Cell } from '../shapes/query.ts'
import { orAborted } from '../timers.ts'
import { type EngineAnswer, portionsAhead } from './messages.ts'

/** A sink whose rows go to the server. */
export interface PortionSender extends RowSink {
  /** The server's reader took a portion. */
  taken(): void
}

/** What a message may hold, roughly; the server holds two of them for each statement. */
const portionBytes = 8 * 2 ** 20
/** What a row may take, whatever the rest of the result. */
const rowBytes = 64 * 2 ** 20

/** @param signal no portion waits any longer */
export function createPortionSender(send: (answer: EngineAnswer) => void, signal: AbortSignal): PortionSender {
  let lying = 0
  let room = Promise.withResolvers<void>()

  async function sendPart(rows: Cell[][]): Promise<void> {
    if (lying >= portionsAhead) await orAborted(room.promise, signal)
    signal.throwIfAborted()
    lying += 1
    if (lying >= portionsAhead) room = Promise.withResolvers()
    send({ is: 'rows', rows })
  }

  return {
    columns: columns => send({ is: 'columns', columns }),
    async rows(rows) {
      for (const part of partsOf(rows)) await sendPart(part)
    },
    taken() {
      lying -= 1
      room.resolve()
    },
  }
}

/** Portions that a message can hold, in order. @throws QueryServiceError `result_too_large` for a row that none can hold */
function* partsOf(rows: Cell[][]): Generator<Cell[][]> {
  let start = 0
  let bytes = 0
  for (const [position, row] of rows.entries()) {
    let ofRow = 0
    for (const cell of row) if (typeof cell === 'string') ofRow += cell.length + 3
    if (ofRow > rowBytes) throw problems.resultTooLarge(rowBytes)
    if (bytes + ofRow > portionBytes && position > start) {
      yield rows.slice(start, position)
      start = position
      bytes = 0
    }
    bytes += ofRow
  }
  yield start === 0 ? rows : rows.slice(start)
}
