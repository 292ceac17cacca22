import type { Duplex } from 'node:stream'
import type { Cell } from '../shapes/query.ts'
import { readRowsText, writeRowsText } from './rows-text.ts'

const headerBytes = 4
/** What the text of rows begins with; JSON of a message begins with a brace. */
const rowsMark = 'R'

/**
 * Messages over a connection between two processes of ours: the length in four bytes, then JSON, or rows as text.
 *
 * @param received what a message of rows is, on this side
 * @param receive called with each message, in order. It is what the other side sent: both sides are of one release.
 */
export function createFrames<Sent extends object, Received>(
  connection: Duplex,
  received: (rows: Cell[][]) => Received,
  receive: (message: Received) => void,
): { send(message: Sent): void; sendRows(rows: readonly (readonly Cell[])[], otherwise: Sent): void } {
  let parts: Buffer[] = []
  let held = 0
  let needed = headerBytes
  let isHeader = true

  connection.on('data', (part: Buffer) => {
    parts.push(part)
    held += part.length
    while (held >= needed) {
      const whole = parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts, held)
      const frame = whole.subarray(0, needed)
      const rest = whole.subarray(needed)
      parts = rest.length > 0 ? [rest] : []
      held = rest.length
      if (isHeader) {
        needed = frame.readUInt32LE()
        isHeader = false
      } else {
        needed = headerBytes
        isHeader = true
        const text = frame.toString('utf8')
        receive(text.startsWith(rowsMark) ? received(readRowsText(text, rowsMark.length)) : JSON.parse(text))
      }
    }
  })

  function sendText(text: string): void {
    if (!connection.writable) return
    const length = Buffer.byteLength(text)
    const frame = Buffer.allocUnsafe(headerBytes + length)
    frame.writeUInt32LE(length)
    frame.write(text, headerBytes)
    connection.write(frame)
  }

  return {
    send: message => sendText(JSON.stringify(message)),
    sendRows(rows, otherwise) {
      const text = writeRowsText(rows)
      sendText(text === undefined ? JSON.stringify(otherwise) : rowsMark + text)
    },
  }
}
