import type { CatalogRelation, CatalogSession, CatalogTree, SettingRow } from '@hedron/sql'

/** What a statement's session says about itself, as data. */
export interface CatalogSessionFacts extends Omit<CatalogSession, 'setting' | 'changeSetting'> {
  /** Values of settings by their names in lower case. */
  readonly values: ReadonlyMap<string, string>
  readonly settings: readonly SettingRow[]
}

/** A statement that the thread of catalogs is to answer. */
export interface CatalogTask {
  readonly model: number
  readonly tree: CatalogTree
  readonly parameterTypes: readonly (string | undefined)[]
  readonly values: readonly (string | null)[]
  readonly session: CatalogSessionFacts
}

/** What the thread of catalogs is told. Models come in pieces, so that none keeps the sender busy for long. */
export type ToCatalogThread =
  | { readonly kind: 'relations'; readonly model: number; readonly relations: readonly CatalogRelation[] }
  | { readonly kind: 'forget'; readonly model: number }
  | { readonly kind: 'ask'; readonly task: CatalogTask }
  /** The rows that were sent have arrived. */
  | { readonly kind: 'more' }

/** What it answers. */
export type FromCatalogThread =
  | { readonly rows: readonly (readonly (string | null)[])[]; readonly done: boolean }
  | { readonly refusal: { readonly code: string; readonly message: string; readonly position: number | undefined } }
  | { readonly fault: unknown }

/** What the thread is made with. */
export interface CatalogThreadData {
  /** Not zero: whoever waits no longer does. */
  readonly stop: Int32Array
  /** How long a statement may take, in milliseconds. */
  readonly busyMs: number
}
