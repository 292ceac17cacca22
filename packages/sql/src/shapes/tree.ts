/** A statement as PostgreSQL's grammar reads it, of exactly what is supported. `at` is a position in the text, in characters. */
export type Statement =
  | { readonly kind: 'select'; readonly query: Query }
  /** With `analyze` the statement is also run. */
  | { readonly kind: 'explain'; readonly analyze: boolean; readonly query: Query }

export interface Query {
  readonly with: readonly CommonTable[]
  readonly body: Body
  readonly order: readonly SortKey[]
  readonly limit: Expression | null
  readonly offset: Expression | null
  readonly at: number
}

export interface CommonTable {
  readonly name: string
  readonly columns: readonly string[]
  readonly query: Query
  readonly at: number
}

export type Body =
  | Select
  | { readonly kind: 'values'; readonly rows: readonly (readonly Expression[])[]; readonly at: number }
  | {
      readonly kind: 'union' | 'intersect' | 'except'
      readonly all: boolean
      readonly left: Query
      readonly right: Query
      readonly at: number
    }

export interface Select {
  readonly kind: 'select'
  /** `on`: as DISTINCT ON has it; empty for DISTINCT alone. */
  readonly distinct: { readonly on: readonly Expression[] } | null
  readonly targets: readonly Target[]
  readonly from: readonly FromItem[]
  readonly where: Expression | null
  readonly groupBy: readonly Expression[]
  /** ROLLUP, CUBE and GROUPING SETS as the keys of each set; null: `groupBy` says all. */
  readonly groupingSets: { readonly sets: readonly (readonly Expression[])[]; readonly isDistinct: boolean } | null
  readonly having: Expression | null
  readonly windows: readonly { readonly name: string; readonly window: Window }[]
  readonly at: number
}

export type Target =
  | { readonly kind: 'star'; readonly table: string | null; readonly at: number }
  | { readonly kind: 'value'; readonly name: string | null; readonly value: Expression; readonly at: number }

export type FromItem =
  | {
      readonly kind: 'table'
      readonly schema: string | null
      readonly name: string
      readonly alias: string | null
      readonly columns: readonly string[]
      readonly at: number
    }
  | {
      readonly kind: 'query'
      readonly query: Query
      readonly alias: string
      readonly columns: readonly string[]
      readonly lateral: boolean
      readonly at: number
    }
  | {
      readonly kind: 'function'
      readonly call: Call
      readonly alias: string | null
      readonly columns: readonly string[]
      readonly at: number
    }
  | {
      readonly kind: 'join'
      readonly type: 'inner' | 'left' | 'right' | 'full' | 'cross'
      readonly left: FromItem
      readonly right: FromItem
      readonly on: Expression | null
      readonly using: readonly string[]
      /** Joined by every name that both sides have. */
      readonly natural: boolean
      readonly at: number
    }

export interface SortKey {
  readonly value: Expression
  readonly descending: boolean
  /** As PostgreSQL has it: last ascending, first descending, unless said. */
  readonly nullsFirst: boolean
}

export interface Window {
  readonly name: string | null
  readonly partition: readonly Expression[]
  readonly order: readonly SortKey[]
  readonly frame: Frame | null
}

export interface Frame {
  readonly unit: 'rows' | 'range' | 'groups'
  readonly start: Bound
  readonly end: Bound
}

export type Bound =
  | { readonly kind: 'unboundedPreceding' | 'unboundedFollowing' | 'currentRow' }
  | { readonly kind: 'preceding' | 'following'; readonly offset: Expression }

export interface Call {
  readonly kind: 'call'
  readonly schema: string | null
  /** In lower case. */
  readonly name: string
  readonly arguments: readonly Expression[]
  readonly star: boolean
  readonly distinct: boolean
  readonly order: readonly SortKey[]
  readonly withinGroup: boolean
  readonly filter: Expression | null
  readonly over: Window | null
  readonly at: number
}

export type Expression =
  | { readonly kind: 'column'; readonly names: readonly string[]; readonly at: number }
  | { readonly kind: 'constant'; readonly value: Constant; readonly at: number }
  | { readonly kind: 'parameter'; readonly number: number; readonly at: number }
  | Call
  | {
      readonly kind: 'operator'
      readonly operator: string
      readonly left: Expression | null
      readonly right: Expression
      readonly at: number
    }
  | {
      readonly kind: 'logical'
      readonly operator: 'and' | 'or'
      readonly operands: readonly Expression[]
      readonly at: number
    }
  | { readonly kind: 'not'; readonly operand: Expression; readonly at: number }
  | { readonly kind: 'isNull'; readonly operand: Expression; readonly negated: boolean; readonly at: number }
  | {
      readonly kind: 'isTruth'
      readonly operand: Expression
      readonly truth: 'true' | 'false' | 'unknown'
      readonly negated: boolean
      readonly at: number
    }
  | {
      readonly kind: 'between'
      readonly operand: Expression
      readonly low: Expression
      readonly high: Expression
      readonly negated: boolean
      readonly at: number
    }
  | {
      readonly kind: 'in'
      readonly operand: Expression
      readonly items: readonly Expression[]
      readonly negated: boolean
      readonly at: number
    }
  | {
      readonly kind: 'inQuery'
      readonly operand: Expression
      readonly query: Query
      readonly negated: boolean
      readonly at: number
    }
  /** `operand = ANY (array)`, or ALL. */
  | {
      readonly kind: 'anyOf'
      readonly operator: string
      readonly all: boolean
      readonly operand: Expression
      readonly array: Expression
      readonly at: number
    }
  | { readonly kind: 'exists'; readonly query: Query; readonly at: number }
  | { readonly kind: 'scalarQuery'; readonly query: Query; readonly at: number }
  | {
      readonly kind: 'case'
      readonly operand: Expression | null
      readonly when: readonly { readonly condition: Expression; readonly result: Expression }[]
      readonly otherwise: Expression | null
      readonly at: number
    }
  | { readonly kind: 'cast'; readonly operand: Expression; readonly type: TypeName; readonly at: number }
  | { readonly kind: 'array'; readonly items: readonly Expression[]; readonly at: number }

export interface TypeName {
  /** As PostgreSQL names it inside: `int4`, `varchar`. */
  readonly name: string
  readonly modifiers: readonly number[]
  readonly isArray: boolean
}

/** Numbers are kept as their digits. */
export type Constant =
  | { readonly type: 'null' }
  | { readonly type: 'boolean'; readonly value: boolean }
  | { readonly type: 'integer' | 'decimal' | 'text'; readonly value: string }
