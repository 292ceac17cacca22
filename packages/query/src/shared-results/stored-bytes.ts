import { promisify } from 'node:util'
import { zstdCompress, zstdDecompress } from 'node:zlib'
import type { Table } from '../shapes/query.ts'
import type { StoredResult } from '../stored-result.ts'

const compress = promisify(zstdCompress)
const decompress = promisify(zstdDecompress)

/** Compressed JSON of a result. */
export async function toBytes(stored: StoredResult): Promise<Buffer> {
  return await compress(JSON.stringify(stored))
}

/**
 * The result again, frozen as one that was just computed.
 *
 * Another node wrote it and nobody could change it since (`ResultSeal`), so its shape is that of the version in its name.
 *
 * @throws Error for what is no such text
 */
export async function fromBytes(bytes: Buffer): Promise<StoredResult> {
  const stored: StoredResult = JSON.parse((await decompress(bytes)).toString())
  freeze(stored.table)
  if (stored.refreshAnswer) freeze(stored.refreshAnswer)
  return stored
}

function freeze(table: Table): void {
  for (const column of table.columns) Object.freeze(column)
  for (const row of table.rows) Object.freeze(row)
  Object.freeze(table.columns)
  Object.freeze(table.rows)
  Object.freeze(table)
}
