import { CamelCasePlugin } from 'kysely'
import { type Database, type DatabaseOptions, type DatabaseTarget, openDatabase } from './database.ts'
import { migrate } from './migrate.ts'
import { migrations } from './migrations/index.ts'
import type { Schema } from './schema.ts'

/** The metadata database with today's schema. */
export type Store = Database<Schema>

/** Columns are snake_case in the database and camelCase here; keys inside JSON are left as they are. */
export const namingPlugin = () => new CamelCasePlugin({ maintainNestedObjectKeys: true })

/** Connects, starting the embedded server where a directory is given, and brings the schema up to date. */
export async function openStore(target: DatabaseTarget, options: DatabaseOptions = {}): Promise<Store> {
  const store = await openDatabase<Schema>(target, {
    ...options,
    plugins: [namingPlugin(), ...(options.plugins ?? [])],
  })
  try {
    await migrate(store, migrations, options.log === undefined ? {} : { log: options.log })
    return store
  } catch (error) {
    await store.close()
    throw error
  }
}
