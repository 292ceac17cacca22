import type { FilterOperator } from './vocabulary.ts'

/** Who may see what of a cube or view, after resolve (contract/behaviour/data-model.md, section 8). */
export interface AccessPolicy {
  /** Callers in any of these groups; `*` is everybody. */
  readonly groups: readonly string[]
  /** All must hold. */
  readonly conditions: readonly ContextExpression[]
  /** Members that are shown as they are; null: all. */
  readonly shown: MemberList | null
  /** Members that are shown masked, unless they are shown as they are. */
  readonly masked: MemberList | null
  /** Null: all rows. */
  readonly rows: PolicyFilter | null
}

export interface MemberList {
  readonly includes: '*' | readonly string[]
  readonly excludes: '*' | readonly string[]
}

/** `member` is a dimension, or with `measureFilter` a measure, of the cube or view that the policy is of. */
export type PolicyFilter =
  | {
      readonly kind: 'member'
      readonly member: string
      readonly operator: FilterOperator
      readonly values: readonly PolicyValue[]
    }
  | { readonly kind: 'and' | 'or'; readonly filters: readonly PolicyFilter[] }

/** One value as it was written, or text with expressions in it; an expression alone may also give a list of values. */
export type PolicyValue =
  | { readonly kind: 'literal'; readonly value: string | null }
  | { readonly kind: 'template'; readonly parts: readonly (string | ContextExpression)[] }

export const comparisons = ['==', '!=', '<', '<=', '>', '>=', 'in', 'not in'] as const
export type Comparison = (typeof comparisons)[number]

/** What expressions can call on text and lists. */
export const contextMethods = [
  'includes',
  'startsWith',
  'endsWith',
  'toLowerCase',
  'toUpperCase',
  'trim',
  'toString',
  'join',
] as const
export type ContextMethod = (typeof contextMethods)[number]

/** An expression over the caller's context, written in a subset of Python and evaluated when a query is planned. */
export type ContextExpression =
  | { readonly kind: 'literal'; readonly value: string | number | boolean | null }
  | { readonly kind: 'list'; readonly items: readonly ContextExpression[] }
  | { readonly kind: 'context'; readonly root: 'securityContext' | 'userAttributes' | 'groups' }
  | { readonly kind: 'property'; readonly of: ContextExpression; readonly name: string }
  | { readonly kind: 'item'; readonly of: ContextExpression; readonly key: ContextExpression }
  | { readonly kind: 'not'; readonly operand: ContextExpression }
  | { readonly kind: 'and' | 'or'; readonly left: ContextExpression; readonly right: ContextExpression }
  | {
      readonly kind: 'compare'
      readonly operator: Comparison
      readonly left: ContextExpression
      readonly right: ContextExpression
    }
  | {
      readonly kind: 'choice'
      readonly condition: ContextExpression
      readonly value: ContextExpression
      readonly otherwise: ContextExpression
    }
  | {
      readonly kind: 'call'
      readonly of: ContextExpression
      readonly method: ContextMethod
      readonly arguments: readonly ContextExpression[]
    }

/**
 * Which rows a caller may see: a policy's filter with the caller's values in it, about members of cubes. No filters joined by `or`
 * let no row pass, none joined by `and` all.
 */
export type RowRule =
  | {
      readonly kind: 'member'
      readonly cube: string
      readonly member: string
      /** From the view's root to the cube; the cube alone for its own member. */
      readonly joinPath: readonly string[]
      readonly operator: FilterOperator
      readonly values: readonly (string | null)[]
      /** It is a view's default filter on what the caller is not shown as it is: stages change it as they change filters of a query. */
      readonly isDefaultFilter?: true
    }
  | { readonly kind: 'and' | 'or'; readonly rules: readonly RowRule[] }
