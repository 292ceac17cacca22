import { typeByName } from '@hedron/sql'
import type { WireColumn } from '../protocol/backend-messages.ts'
import type { RowSource } from './row-source.ts'

/** A statement that is ready to run with values. */
export interface Executable {
  /** Null: it gives no rows. */
  readonly columns: readonly WireColumn[] | null
  /** Types of `$1`, `$2`, …. */
  readonly parameters: readonly number[]
  /** @param values texts of the parameters. */
  run(values: readonly (string | null)[], signal: AbortSignal): Promise<Outcome>
}

/** What a statement came to: rows, or what was done. */
export type Outcome =
  | { readonly rows: RowSource; readonly tag: (count: number) => string }
  | { readonly rows: null; readonly tag: string }

/** A column of a type by its PostgreSQL name; what is unknown is text. */
export function wireColumn(name: string, type: string): WireColumn {
  const known = typeByName(type.endsWith('[]') ? `_${type.slice(0, -2)}` : type) ?? typeByName('text')
  return { name, typeOid: known?.oid ?? 25, typeLength: known?.length ?? -1 }
}

/** Something that a session does, without parameters and rows. */
export const doing = (tag: string, work: () => void | Promise<void>): Executable => ({
  columns: null,
  parameters: [],
  run: async () => {
    await work()
    return { rows: null, tag }
  },
})
