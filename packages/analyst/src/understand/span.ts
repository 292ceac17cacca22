import type { TimePhrase } from '../times/read-period.ts'
import type { ValueMatch } from '../values/match-values.ts'
import type { NamedMember } from '../vocabulary/vocabulary.ts'
import type { Mark } from './mark.ts'

/** A member that words can name. */
export interface NameMatch {
  readonly named: NamedMember
  /** 1: its full name. Less: a part of it, a near word, a close spelling. */
  readonly quality: number
  readonly isWhole: boolean
}

/** Words of a question that stand for something, and for what. */
export interface Span {
  readonly from: number
  /** The token after its last. */
  readonly to: number
  readonly score: number
  readonly meaning: Meaning
}

export type Meaning =
  | { readonly kind: 'members'; readonly candidates: readonly NameMatch[] }
  | { readonly kind: 'values'; readonly candidates: readonly ValueMatch[] }
  | { readonly kind: 'time'; readonly phrase: TimePhrase }
  | { readonly kind: 'mark'; readonly mark: Mark }
  | { readonly kind: 'number'; readonly value: number }
