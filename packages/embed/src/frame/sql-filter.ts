/** A condition on a member of the model, around a statement (docs/sql-api.md). */
export interface SqlFilter {
  /** `cube.member` */
  readonly member: string
  readonly operator: string
  readonly values?: readonly string[]
}
