import type { Table } from './shapes/query.ts'

/** A finished query: what it gave and what it takes to know whether that still holds. */
export interface StoredResult {
  readonly pool: string
  readonly table: Table
  /** When the source began to compute it. */
  readonly startedAt: number
  /** When it was there. Its age counts from here, or a query slower than its refresh time would never be current. */
  readonly finishedAt: number
  /** When it was there, or when its refresh query last gave the same answer. */
  readonly validatedAt: number
  /** The refresh query and its answer before this query ran; undefined when it was not asked. */
  readonly refreshToken: string | undefined
  /** That answer. */
  readonly refreshAnswer: Table | undefined
  readonly bytes: number
}
