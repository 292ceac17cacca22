import type { Node } from 'libpg-query'

/** One statement of a session: what it reads, or what it changes of the session. */
export type SessionStatement =
  | { readonly kind: 'select'; readonly text: string; readonly tree: Node }
  | { readonly kind: 'explain'; readonly text: string; readonly tree: Node }
  | { readonly kind: 'set'; readonly name: string; readonly value: string | null; readonly local: boolean }
  | { readonly kind: 'setUser'; readonly user: string | null }
  | { readonly kind: 'resetAll' }
  | { readonly kind: 'show'; readonly name: string }
  | { readonly kind: 'begin' | 'commit' | 'rollback' | 'discard'; readonly chain: boolean }
  | { readonly kind: 'savepoint' | 'release' | 'rollbackTo'; readonly name: string }
  | { readonly kind: 'deallocate'; readonly name: string | null }
  | {
      readonly kind: 'prepare'
      readonly name: string
      /** Names of the types of its parameters that were declared, as the catalogs have them. */
      readonly types: readonly string[]
      /** What is prepared: one SELECT. */
      readonly text: string
    }
  | { readonly kind: 'execute'; readonly name: string; readonly values: readonly Node[] }
  | {
      readonly kind: 'declare'
      readonly name: string
      readonly hold: boolean
      readonly binary: boolean
      readonly text: string
      readonly tree: Node
    }
  | { readonly kind: 'fetch' | 'move'; readonly name: string; readonly count: number | null }
  | { readonly kind: 'close'; readonly name: string | null }
  | { readonly kind: 'nothing'; readonly tag: string }
