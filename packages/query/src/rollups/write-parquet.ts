import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { EngineHolder } from '../engine/engines.ts'
import type { Cell, Column } from '../shapes/query.ts'
import { type ParquetTarget, temporaryName, type WrittenFile } from './parquet-writer.ts'

/** Rows with their columns, read once. */
export interface IncomingRows {
  readonly columns: readonly Column[]
  readonly portions: AsyncIterable<readonly (readonly Cell[])[]> | Iterable<readonly (readonly Cell[])[]>
}

export interface WriteOptions extends Omit<ParquetTarget, 'columns'> {
  readonly signal: AbortSignal
}

/**
 * Writes rows into a Parquet file that is there complete or not at all.
 *
 * @param builders processes that write, one file at a time
 * @throws QueryServiceError `query_failed` for values that can't be kept as they are, `memory_exceeded`; what the rows or the signal throw
 */
export async function writeParquet(
  builders: EngineHolder,
  { columns, portions }: IncomingRows,
  { signal, ...target }: WriteOptions,
): Promise<WrittenFile> {
  const { folder, file } = target
  try {
    return await builders.use(signal, async engine => {
      let written: WrittenFile | undefined
      try {
        await engine.ask({ do: 'write', target: { columns, ...target } }, signal)
        for await (const rows of portions) await engine.ask({ do: 'append', rows }, signal)
        await engine.ask({ do: 'written' }, signal, {
          columns() {},
          async rows([row]) {
            written = JSON.parse(String(row?.[0]))
          },
        })
      } catch (error) {
        // What it holds of this file is nothing for the next.
        await engine.end()
        throw error
      }
      if (!written) throw new Error('A file was written, and nothing was said of it')
      return written
    })
  } catch (error) {
    // A process that was ended leaves what it had begun.
    for (const name of [temporaryName(file), file]) await rm(join(folder, name), { force: true })
    throw error
  }
}
