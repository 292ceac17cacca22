import type { Kysely } from 'kysely'
import type { Schema } from './schema.ts'

/** What runs a query: the database itself or a transaction on it. */
export type Executor = Kysely<Schema>
