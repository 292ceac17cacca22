// Opens the database of a directory, prints which rows it holds, then adds rows and prints the id of each acknowledged one,
// until it is killed or interrupted. One line of JSON for each event.
import { sql } from 'kysely'
import { openDatabase } from '../../src/database.ts'
import { reasonOf, StoreError } from '../../src/store-error.ts'

const [directory, systemDirectory] = process.argv.slice(2)
if (directory === undefined) throw new Error('usage: writer.ts <directory> [<system directory>]')

const print = (event: Record<string, unknown>) => process.stdout.write(`${JSON.stringify(event)}\n`)

let interrupted = false
process.on('SIGINT', () => {
  interrupted = true
})

try {
  const log: string[] = []
  const database = await openDatabase<object>(
    { directory },
    {
      log: (_, message) => log.push(message),
      ...(systemDirectory === undefined ? {} : { systemDirectory }),
    },
  )
  const { kysely } = database
  await sql`create table if not exists rows (id bigint generated always as identity primary key, text text)`.execute(
    kysely,
  )
  const { rows } = await sql<{ id: number }>`select id from rows order by id`.execute(kysely)
  print({ event: 'open', ids: rows.map(row => row.id), log, note: database.note ?? null })

  const insert = async () => {
    const result = await sql<{ id: number }>`
      insert into rows (text) values (repeat('x', 200)) returning id`.execute(kysely)
    print({ event: 'acknowledged', id: result.rows[0]?.id })
  }
  const write = async () => {
    while (!interrupted) await insert()
  }
  await Promise.all([write(), write(), write()])
  await insert() // the server outlives the interrupt for as long as its Hedron wants
  await database.close()
  print({ event: 'closed', log })
} catch (error) {
  print({ event: 'failed', code: error instanceof StoreError ? error.code : null, message: reasonOf(error) })
  process.exit(1)
}
