import type { ColumnType, JSONColumnType } from 'kysely'

export type Json = Record<string, unknown>
export type JsonOf<T> = JSONColumnType<T & object>
/** Set by the database when a row is written without it. */
export type CreatedAt = ColumnType<Date, Date | undefined, never>
export type UpdatedAt = ColumnType<Date, Date | undefined, Date>
