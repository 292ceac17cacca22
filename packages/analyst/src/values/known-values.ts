/** Values of a dimension that were looked up for a question. */
export interface KnownValues {
  /** Full name of the dimension. */
  readonly member: string
  readonly values: readonly string[]
}
