import type { SecuredIndex } from '../access/secured-index.ts'
import type { Expression, Relation, RestrictedRows } from '../shapes/plan.ts'
import type { QueryFilter } from '../shapes/query.ts'
import type { Interval } from '../shapes/window.ts'
import type { JoinTree } from './join-tree.ts'

/** Turns members into expressions over the tables of one query. */
export interface Expander {
  readonly index: SecuredIndex
  readonly timezone: string
  readonly request: PlanRequest
  readonly restrictions: Restrictions
  tableAlias(cube: string): string
  /** The table of what a sub-query dimension aggregates, one row for each key of its cube. */
  subQuery(cube: string, dimension: string): SubQueryTable
  /** Cubes that the sub-queries planned so far read. */
  subQueryCubes(): readonly string[]
  readonly stages: StageValues
  /** How the tables are joined whose rows masks are shown on; null: as those masks say. */
  readonly tree: JoinTree | null
}

/** What a stage says of the rows that it reads. */
export interface StageValues {
  /** By how much later than its own time a row counts, where a query looks at that time dimension. */
  shiftsOf(cube: string, dimension: string): readonly Interval[]
  /** The value chosen for a switch dimension. */
  chosen(cube: string, dimension: string): string | undefined
  /** The column of a multi-stage dimension. */
  column(cube: string, dimension: string): Expression
}

/** Rows that are read as they are, with nothing chosen. */
export const noStages: StageValues = {
  shiftsOf: () => [],
  chosen: () => undefined,
  column: (cube, dimension) => {
    throw new Error(`The multi-stage dimension '${cube}.${dimension}' is asked of rows without stages`)
  },
}

/** What the SQL of a model may depend on beside the model. */
export interface PlanRequest {
  /** Filters that hold for every row which is looked for, joined by `and`. Most SQL asks for none. */
  readonly filters: () => readonly QueryFilter[]
  readonly securityContext: () => Readonly<Record<string, unknown>>
  /** The SQL is that of a table whose rows may be absent, because it is joined by an outer join. */
  readonly isOptional: boolean
}

/** Which rows of each cube may be read. */
export interface Restrictions {
  /** The rows of a cube that the caller may see; null: all of its table. */
  of(cube: string, expander: Expander): RestrictedRows | null
  /** Cubes that are read to tell which those are. */
  cubes(): readonly string[]
}

export interface SubQueryTable {
  readonly relation: Relation
  readonly on: Expression
  readonly column: MeasureReference
  /** Cubes whose rows it reads. */
  readonly cubes: readonly string[]
}

/** How a reference to a measure is replaced, which depends on where the measure is calculated. */
export type MeasureReference = (cube: string, measure: string) => Expression
