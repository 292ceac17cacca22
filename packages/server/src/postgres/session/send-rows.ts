import { type Format, formatOf, type WireColumn, writeEmpty } from '../protocol/backend-messages.ts'
import type { MessageWriter } from '../protocol/message-writer.ts'
import { cellEncoder } from '../values/encode-value.ts'
import type { RowSource } from './row-source.ts'

/** Bytes that are collected before they are sent. */
const portionBytes = 65_536
const portionRows = 1000

/**
 * Sends rows as fast as the client takes them.
 *
 * @param most rows to send; 0: all.
 * @returns how many were sent, and whether there are no more.
 */
export async function sendRows(
  writer: MessageWriter,
  flush: () => Promise<void>,
  source: RowSource,
  columns: readonly WireColumn[],
  formats: readonly Format[],
  most: number,
): Promise<{ readonly count: number; readonly done: boolean }> {
  const encoders = columns.map(({ typeOid }, index) => cellEncoder(typeOid, formatOf(formats, index)))
  let count = 0
  for (;;) {
    const wanted = most === 0 ? portionRows : Math.min(portionRows, most - count)
    const { rows, done } = await source.read(wanted)
    for (const row of rows) {
      writer.begin('D').int16(encoders.length)
      encoders.forEach((encode, index) => {
        writer.value(encode(row[index] ?? null))
      })
      writer.finish()
      if (writer.size > portionBytes) await flush()
    }
    count += rows.length
    if (done) return { count, done: true }
    if (most > 0 && count >= most) {
      writeEmpty(writer, 's')
      return { count, done: false }
    }
  }
}
