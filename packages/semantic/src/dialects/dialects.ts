import type { DialectName } from '../shapes/compiled.ts'
import type { Dialect } from './dialect.ts'
import { duckdb } from './duckdb.ts'
import { postgres } from './postgres.ts'

export const dialects: Readonly<Record<DialectName, Dialect>> = { duckdb, postgres }
