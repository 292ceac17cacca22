import type { NamedMember } from './names.ts'

/** What one place of an answer's row holds. */
export type RowShape =
  | { readonly key: string; readonly constant: string }
  | { readonly key: string; readonly column: string; readonly type: NamedMember['type'] }
  | { readonly key: string; readonly fields: readonly RowShape[] }
