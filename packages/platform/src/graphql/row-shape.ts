import type { NamedMember } from './names.ts'

/** A `period` begins at a local time of the query's zone; a `time` is a moment of UTC whatever the zone, as in rows of the data API. */
export type CellType = NamedMember['type'] | 'period'

/** What one place of an answer's row holds. */
export type RowShape =
  | { readonly key: string; readonly constant: string }
  | { readonly key: string; readonly column: string; readonly type: CellType }
  | { readonly key: string; readonly fields: readonly RowShape[] }
