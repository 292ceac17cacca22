import type { Bucket, Spans } from './model.ts'
import type { DimensionType, MeasureType } from './vocabulary.ts'
import type { Interval } from './window.ts'

/** What plan hands to sql: complete, free of names of the model and of any dialect. */
export interface Plan extends Page {
  readonly dataSource: string
  readonly cubes: readonly string[]
  readonly columns: readonly Column[]
  /** Computed first, each by those before it; the body reads them by name. */
  readonly stages: readonly Stage[]
  readonly body: Selection | Combination | Union
}

/** Which of the rows are asked for, and in which order. */
export interface Page {
  /** Positions of output columns, from 1. */
  readonly order: readonly { readonly position: number; readonly descending: boolean; readonly nullsFirst?: boolean }[]
  readonly limit: number | null
  readonly offset: number
}

/** A query under a name that no table has. */
export interface Stage {
  readonly name: string
  readonly body: StageBody
}

export type StageBody = Selection | KeyedSelection | Combination | Series | Appended

export interface Column {
  /** Name of the column in the SQL result. */
  readonly alias: string
  /** `cube.member` or `view.member`, as the query asked for it. */
  readonly member: string
  readonly kind: 'measure' | 'dimension' | 'timeDimension'
  readonly type: DimensionType | MeasureType
  readonly granularity?: string
}

export interface Output {
  readonly alias: string
  readonly expression: Expression
}

/** One SELECT over joined tables. `grain` is what it groups by; `grouped: false` returns source rows. */
export interface Selection {
  readonly kind: 'selection'
  readonly from: From
  readonly where: readonly Condition[]
  readonly grain: readonly Output[]
  readonly outputs: readonly Output[]
  readonly grouped: boolean
  readonly having: readonly Condition[]
}

/**
 * Aggregates of one cube whose rows the query's joins repeat: the distinct keys are found first, then each row of the
 * cube is read once. `grain` names the key query's columns.
 */
export interface KeyedSelection {
  readonly kind: 'keyed'
  readonly keys: Selection
  readonly keysAlias: string
  readonly from: From
  readonly match: readonly { readonly key: string; readonly expression: Expression }[]
  readonly grain: readonly Output[]
  readonly outputs: readonly Output[]
}

/** Parts that have the same groups, joined on them. `grain` and `outputs` refer to columns of the parts. */
export interface Combination {
  readonly kind: 'combination'
  readonly parts: readonly { readonly alias: string; readonly selection: Selection | KeyedSelection }[]
  readonly grain: readonly Output[]
  readonly outputs: readonly Output[]
  readonly where: readonly Condition[]
}

/**
 * Parts whose groups differ, such as facts that share dimensions: every group that any part has, with the outputs of all parts,
 * null where a part does not have it. `grain` refers to columns of `groupsAlias`, which holds the groups.
 */
export interface Union {
  readonly kind: 'union'
  readonly parts: readonly { readonly alias: string; readonly selection: Selection | Combination }[]
  readonly groupsAlias: string
  readonly grain: readonly Output[]
  readonly outputs: readonly Output[]
  readonly where: readonly Condition[]
}

/** `count` local times in a column: as many steps after `first` as `from` says, then each one more; all `shift` milliseconds later. */
export interface Series {
  readonly kind: 'series'
  readonly column: string
  /** `YYYY-MM-DDTHH:mm:ss.SSS` */
  readonly first: string
  readonly from: number
  readonly step: Interval
  readonly count: number
  readonly shift: number
}

/** Rows of several selections with the same columns: as often as they are there, or each once. */
export interface Appended {
  readonly kind: 'appended'
  readonly parts: readonly Selection[]
  readonly isDistinct: boolean
}

export interface From {
  readonly root: Relation
  readonly joins: readonly Join[]
}

/** Rows that match nothing stay. `on: null` joins every row with every row. */
export interface Join {
  readonly relation: Relation
  readonly on: Condition | null
}

/** A table under an alias: a table name, an author's query in need of parentheses, or a query planned here. */
export interface Relation {
  readonly alias: string
  readonly source: Expression | Selection | Combination | Appended
  readonly isQuery: boolean
}

/**
 * Rows of a cube's table, all of its columns: those that meet `where`, or those whose key is among the keys selected. The joins of
 * `from` only serve `where` and repeat no row.
 */
export interface RestrictedRows {
  readonly alias: string
  readonly from: From
  readonly where: readonly Condition[]
  /** Nothing around it is computed of other rows than these. */
  readonly isApart: boolean
  readonly among: {
    readonly alias: string
    readonly selection: Selection
    readonly match: readonly { readonly key: string; readonly expression: Expression }[]
  } | null
}

export type AggregateFunction = 'count' | 'countDistinct' | 'countDistinctApprox' | 'sum' | 'avg' | 'min' | 'max'

export type Expression =
  /** Text of the model's author around nested expressions. */
  | { readonly kind: 'sql'; readonly parts: readonly (string | Expression)[] }
  | { readonly kind: 'identifier'; readonly name: string }
  /** `name` is a column written by the model's author (`trusted`) or an alias made here. */
  | { readonly kind: 'column'; readonly table: string; readonly name: string; readonly trusted: boolean }
  | { readonly kind: 'bucket'; readonly time: Expression; readonly bucket: Bucket; readonly timezone: string }
  /** The start of the step after the one that holds a local time. */
  | { readonly kind: 'nextSpan'; readonly time: Expression; readonly bucket: Spans }
  | { readonly kind: 'shifted'; readonly time: Expression; readonly by: Interval }
  /** An aggregate over all rows that have the same `partition`, for each of them. */
  | {
      readonly kind: 'window'
      readonly function: AggregateFunction
      readonly input: Expression
      readonly partition: readonly Expression[]
    }
  | {
      readonly kind: 'rank'
      readonly partition: readonly Expression[]
      readonly order: readonly { readonly expression: Expression; readonly descending: boolean }[]
    }
  /** `input: null` counts rows. */
  | { readonly kind: 'aggregate'; readonly function: AggregateFunction; readonly input: Expression | null }
  | {
      readonly kind: 'case'
      readonly when: readonly { readonly condition: Condition; readonly result: Expression }[]
      readonly otherwise: Expression | null
    }
  /** Texts, and what is made text; null where one of them is. */
  | { readonly kind: 'concatenation'; readonly parts: readonly Expression[] }
  /** A time in UTC as the local time of a zone. */
  | { readonly kind: 'localTime'; readonly time: Expression; readonly timezone: string }
  | { readonly kind: 'condition'; readonly condition: Condition }
  | { readonly kind: 'list'; readonly items: readonly Expression[] }
  /** A number with all its digits. */
  | { readonly kind: 'numberText'; readonly input: Expression }
  /** Text in which characters that mean something in a URL's query are replaced. */
  | { readonly kind: 'urlEncoded'; readonly input: Expression }
  | { readonly kind: 'value'; readonly value: Value }
  | { readonly kind: 'one' }
  | { readonly kind: 'restricted'; readonly rows: RestrictedRows }

/** A value that travels as a parameter. `text` takes the type of what it stands beside. */
export interface Value {
  readonly type: 'text' | 'number' | 'boolean' | 'timestamp'
  readonly value: string
  /** Of a plan that other queries share: how it is made of the values that a query gives. */
  readonly origin?: Origin
}

/** The values that a query gives: those of each of its filters, then the ends of each of its date ranges. */
export type GivenValues = readonly (readonly (string | null)[])[]

/** A parameter, made of what a query gives. */
export type Origin = (given: GivenValues) => string

export type Condition =
  | { readonly kind: 'and' | 'or'; readonly conditions: readonly Condition[] }
  | { readonly kind: 'sql'; readonly expression: Expression }
  /** Holds for every row of one table beside every row of another; a column of each says which those are. */
  | { readonly kind: 'everyPair'; readonly left: Expression; readonly right: Expression }
  | { readonly kind: 'null'; readonly expression: Expression; readonly negated: boolean }
  | {
      readonly kind: 'in'
      readonly expression: Expression
      readonly values: readonly Value[]
      readonly negated: boolean
    }
  | {
      readonly kind: 'compare'
      readonly expression: Expression
      readonly operator: '<' | '<=' | '>' | '>='
      readonly value: Value
    }
  /** `same` is also true where both are null. */
  | {
      readonly kind: 'comparison'
      readonly left: Expression
      readonly operator: '=' | '<' | '>=' | 'same'
      readonly right: Expression
    }
  /** Case-insensitive; `pattern` is a LIKE pattern with backslash as its escape. */
  | { readonly kind: 'like'; readonly expression: Expression; readonly pattern: Value; readonly negated: boolean }
