// Runs one migration that takes a moment, and prints what was applied.
import { sql } from 'kysely'
import { openDatabase } from '../../src/database.ts'
import { migrate } from '../../src/migrate.ts'

const [url] = process.argv.slice(2)
if (url === undefined) throw new Error('usage: migrator.ts <url>')

const database = await openDatabase<object>({ url })
const applied = await migrate(database, [
  { name: '0001-slow', sql: 'create table slow (id int); select pg_sleep(0.3);' },
  {
    name: '0002-insert',
    up: async transaction => {
      await sql`insert into slow values (1)`.execute(transaction)
    },
  },
])
process.stdout.write(JSON.stringify(applied))
await database.close()
