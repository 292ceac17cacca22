import { expect } from 'vitest'
import { createQueryService } from '../../src/query-service.ts'
import type { DataSource } from '../../src/shapes/data-source.ts'
import { neededBytes } from './heap.ts'
import { requestOf } from './service.ts'

/**
 * Streams a million rows of two columns, the first of which counts from 1, through the whole service.
 * Says by how many bytes the memory grew at most; as a table they would take 150 MB.
 */
export async function streamMillion(source: DataSource, sql: string): Promise<number> {
  const service = createQueryService({ now: Date.now })
  try {
    const { maximumRows: _, ...request } = requestOf({ source, sql })
    const before = neededBytes()
    let most = 0
    let count = 0
    let measured = 0
    for await (const rows of await service.stream(request)) {
      for (const [number] of rows) {
        count += 1
        if (number !== String(count)) throw new Error(`row ${count} is ${number}`)
      }
      if (count - measured < 100_000) continue
      measured = count
      most = Math.max(most, neededBytes() - before)
    }
    expect(count).toBe(1_000_000)
    expect(service.statistics()).toMatchObject({ cachedResults: 0, cachedBytes: 0 })
    return most
  } finally {
    await service.close()
  }
}
