import type { Value } from './values/value.ts'

/** A column of a virtual table: its name and the name of its PostgreSQL type. */
export interface VirtualColumn {
  readonly name: string
  readonly type: string
}

/** A table whose rows are made from the model. */
export interface VirtualTable {
  readonly schema: string
  readonly name: string
  readonly oid: number
  readonly columns: readonly VirtualColumn[]
  /** Made when first asked for. @param spend is told of the work of making them before it is done */
  readonly rows: (spend?: (work: number) => void) => readonly (readonly Value[])[]
}

/** What a statement's session says about itself. */
export interface CatalogSession {
  readonly user: string
  readonly database: string
  /** As `version()` gives it. */
  readonly version: string
  readonly processId: number
  /** Milliseconds since 1970 when the transaction began. */
  readonly now: number
  /** Value of a run-time setting; undefined for an unknown one. */
  setting(name: string): string | undefined
  /** Changes a setting of the session, or of its transaction alone. @throws where it cannot be. */
  changeSetting(name: string, value: string, isLocal: boolean): string
}

/** A relation of the catalogs by oid or name. */
export interface KnownRelation {
  readonly oid: number
  readonly schema: string
  readonly name: string
}

/** The catalogs as one caller sees them. */
export interface CatalogView {
  readonly session: CatalogSession
  /** A virtual table of `pg_catalog` or `information_schema`. */
  table(schema: string | null, name: string): VirtualTable | undefined
  /** Schemas by name, and what they are known by. */
  readonly schemas: ReadonlyMap<string, number>
  relationByOid(oid: number): KnownRelation | undefined
  relationByName(schema: string | null, name: string): KnownRelation | undefined
  procedureByOid(oid: number): string | undefined
  procedureByName(name: string): number | undefined
  /** Comment on a relation (column 0) or one of its columns. */
  comment(relation: number, column: number): string | null
  constraintText(oid: number): string | null
  /** @param column 0: the whole definition. */
  indexText(oid: number, column: number): string | null
}
