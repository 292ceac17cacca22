import type { StoredResult } from '../stored-result.ts'

/**
 * Results that several nodes share, beside the cache that each has of its own. It may be away: then nothing is found and nothing kept,
 * and queries go to their sources.
 */
export interface SharedResults {
  /** Whether it would be asked now. */
  isUsable(): boolean
  /** What some node keeps under this key of `keyOf`; undefined where none does or it is not said in time. Never rejects. */
  read(key: string, pool: string): Promise<StoredResult | undefined>
  /** Keeps a result for others, in its own time. Large ones are not shared. */
  write(key: string, stored: StoredResult, forMs: number): void
  /** Drops what is kept of a pool. Never rejects. */
  forget(pool: string): Promise<void>
  /** What is being written is written, for a moment. */
  close(): Promise<void>
}

/** Where there is one node, or each keeps its own. */
export const noSharedResults: SharedResults = {
  isUsable: () => false,
  read: async () => undefined,
  write: () => {},
  forget: async () => {},
  close: async () => {},
}
