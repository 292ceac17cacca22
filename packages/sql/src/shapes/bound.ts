import type { ListedMember, ListedSource } from '@hedron/semantic'
import type { SqlType } from './types.ts'

/** A query with its names bound and its types decided: nothing is left that has to be looked up. */
export interface BoundQuery {
  readonly columns: readonly BoundColumn[]
  readonly with: readonly BoundCommonTable[]
  readonly body: BoundBody
  /** Keys of set operations are positions of columns. */
  readonly order: readonly BoundSortKey[]
  readonly limit: Bound | null
  readonly offset: Bound | null
}

export interface BoundColumn {
  readonly name: string
  readonly type: SqlType
}

export interface BoundCommonTable {
  /** Unique in the statement. */
  readonly id: string
  readonly query: BoundQuery
}

export type BoundBody =
  | BoundSelect
  | { readonly kind: 'values'; readonly rows: readonly (readonly Bound[])[] }
  | {
      readonly kind: 'set'
      readonly operation: 'union' | 'intersect' | 'except'
      readonly all: boolean
      readonly left: BoundQuery
      readonly right: BoundQuery
    }

export interface BoundSelect {
  readonly kind: 'select'
  readonly distinct: { readonly on: readonly Bound[] } | null
  readonly targets: readonly { readonly name: string; readonly value: Bound }[]
  readonly from: BoundFrom | null
  readonly where: readonly Bound[]
  readonly groupBy: readonly Bound[]
  readonly having: readonly Bound[]
  /** It groups, or aggregates all rows to one. */
  readonly isAggregated: boolean
  /** Its tables are of the model and joined as the model says, so that it is a question to the model. */
  readonly model: readonly ModelRelation[] | null
  readonly at: number
}

/** Its columns are referred to by `id`, which is unique in the statement. */
export type Relation =
  | ModelRelation
  | { readonly kind: 'query'; readonly id: string; readonly query: BoundQuery; readonly lateral: boolean }
  | { readonly kind: 'common'; readonly id: string; readonly table: string; readonly columns: readonly BoundColumn[] }
  | { readonly kind: 'function'; readonly id: string; readonly call: Bound; readonly column: BoundColumn }
  /** What a part of the statement gave. */
  | { readonly kind: 'part'; readonly id: string; readonly part: string }

export interface ModelRelation {
  readonly kind: 'model'
  readonly id: string
  readonly source: ListedSource
  readonly at: number
}

export type BoundFrom =
  | Relation
  | {
      readonly kind: 'join'
      readonly type: 'inner' | 'left' | 'right' | 'full' | 'cross'
      readonly left: BoundFrom
      readonly right: BoundFrom
      readonly on: Bound | null
    }

export interface BoundSortKey {
  readonly value: Bound
  readonly descending: boolean
  readonly nullsFirst: boolean
}

export interface BoundWindow {
  readonly partition: readonly Bound[]
  readonly order: readonly BoundSortKey[]
  readonly frame: BoundFrame | null
}

export interface BoundFrame {
  readonly unit: 'rows' | 'range' | 'groups'
  readonly start: BoundFrameEnd
  readonly end: BoundFrameEnd
}

export type BoundFrameEnd =
  | { readonly kind: 'unboundedPreceding' | 'unboundedFollowing' | 'currentRow' }
  | { readonly kind: 'preceding' | 'following'; readonly offset: Bound }

/** An expression with its type. `at` is where it stands in the text. */
export type Bound = { readonly type: SqlType; readonly at: number } & (
  | { readonly kind: 'column'; readonly relation: string; readonly name: string; readonly member: ListedMember | null }
  /** A measure aggregated over the rows of a group. */
  | { readonly kind: 'measure'; readonly relation: string; readonly member: ListedMember }
  /** A value, as text; null without one. */
  | { readonly kind: 'constant'; readonly value: string | null; readonly parameter?: number }
  | { readonly kind: 'call'; readonly call: string; readonly arguments: readonly Bound[] }
  | {
      readonly kind: 'aggregate'
      readonly call: string
      readonly arguments: readonly Bound[]
      readonly distinct: boolean
      readonly order: readonly BoundSortKey[]
      readonly withinGroup: boolean
      readonly filter: Bound | null
    }
  | {
      readonly kind: 'window'
      readonly call: string
      readonly arguments: readonly Bound[]
      readonly filter: Bound | null
      readonly window: BoundWindow
    }
  | { readonly kind: 'logical'; readonly operator: 'and' | 'or'; readonly operands: readonly Bound[] }
  | { readonly kind: 'not'; readonly operand: Bound }
  | { readonly kind: 'isNull'; readonly operand: Bound; readonly negated: boolean }
  | {
      readonly kind: 'isTruth'
      readonly operand: Bound
      readonly truth: 'true' | 'false' | 'unknown'
      readonly negated: boolean
    }
  | {
      readonly kind: 'between'
      readonly operand: Bound
      readonly low: Bound
      readonly high: Bound
      readonly negated: boolean
    }
  | {
      readonly kind: 'in'
      readonly operand: Bound
      readonly items: readonly Bound[]
      readonly negated: boolean
      /** The parameter whose elements the items will be, when its value is not known yet. */
      readonly array?: { readonly parameter: number; readonly type: SqlType }
    }
  | { readonly kind: 'inQuery'; readonly operand: Bound; readonly query: BoundQuery; readonly negated: boolean }
  | { readonly kind: 'exists'; readonly query: BoundQuery }
  | { readonly kind: 'scalarQuery'; readonly query: BoundQuery }
  | {
      readonly kind: 'case'
      readonly when: readonly { readonly condition: Bound; readonly result: Bound }[]
      readonly otherwise: Bound | null
    }
  | { readonly kind: 'cast'; readonly operand: Bound; readonly modifiers: readonly number[] }
  | { readonly kind: 'array'; readonly items: readonly Bound[] }
)
