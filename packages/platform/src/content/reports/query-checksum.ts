import { createHash } from 'node:crypto'
import type { PivotItems } from '@hedron/contract'

/** What a report asks. */
export interface Asked {
  readonly jsonQuery: string | null
  readonly sqlQuery: string | null
  readonly pivotItems: PivotItems | null
}

/** Digest of what a report asks, by which a client sees whether the rows that it shows are still those of the report. */
export function queryChecksum({ jsonQuery, sqlQuery, pivotItems }: Asked): string {
  // The database keeps no order of keys.
  const pivot = pivotItems && Object.entries(pivotItems).sort(([a], [b]) => (a < b ? -1 : 1))
  return createHash('sha256')
    .update(JSON.stringify([jsonQuery, sqlQuery, pivot]))
    .digest('hex')
}
