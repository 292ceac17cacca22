/** A table as the caller sees it: a cube or view of the model. */
export interface CatalogRelation {
  readonly name: string
  readonly comment: string | null
  readonly columns: readonly CatalogColumn[]
}

export interface CatalogColumn {
  readonly name: string
  /** Name of its PostgreSQL type, such as `float8`. */
  readonly type: string
  readonly comment: string | null
  readonly isPrimaryKey: boolean
}
