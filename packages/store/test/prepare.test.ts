import { type Generated, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase, type TestServer } from '../src/testing.ts'
import { servers } from './support/servers.ts'

interface Schema {
  things: { id: Generated<number>; name: string }
}

describe.each(servers)('statements that come again, on $name', ({ start }) => {
  let server: TestServer
  let database: TestDatabase<Schema>

  beforeAll(async () => {
    server = await start()
  })
  afterAll(async () => {
    await server?.stop()
  })

  /** One connection, so that a test knows which it asks. */
  async function withDatabase(work: () => Promise<void>): Promise<void> {
    database = await createTestDatabase<Schema>({ serverUrl: server.url, poolSize: 1 })
    try {
      await sql`create table things (id bigint generated always as identity primary key, name text not null)`.execute(
        database.kysely,
      )
      await database.kysely.insertInto('things').values({ name: 'one' }).execute()
      await work()
    } finally {
      await database.close()
    }
  }
  const read = (executor = database.kysely) =>
    executor.selectFrom('things').selectAll().where('name', '=', 'one').execute()
  const prepared = async () =>
    (await sql<{ statement: string }>`select statement from pg_prepared_statements`.execute(database.kysely)).rows

  test('are prepared when they come the second time', () =>
    withDatabase(async () => {
      await read()
      expect(await prepared()).toEqual([])
      await read()
      await read()
      expect(await prepared()).toEqual([{ statement: expect.stringContaining('from "things"') }])
    }))

  test('are answered when the table has changed since, alone and in a transaction', () =>
    withDatabase(async () => {
      for (let round = 0; round < 3; round++) await read()
      await sql`alter table things add column colour text`.execute(database.kysely)
      expect(await read()).toEqual([{ id: 1, name: 'one', colour: null }])
      for (let round = 0; round < 3; round++) await read()
      await sql`alter table things drop column colour`.execute(database.kysely)
      const rows = await database.transaction(async transaction => {
        await transaction.insertInto('things').values({ name: 'two' }).execute()
        return read(transaction)
      })
      expect(rows).toEqual([{ id: 1, name: 'one' }])
      const count = await database.kysely.selectFrom('things').select(sql<number>`count(*)`.as('many')).execute()
      expect(count).toEqual([{ many: 2 }])
    }))

  test('are answered, and prepared no more, where the server does not keep them', () =>
    withDatabase(async () => {
      for (let round = 0; round < 3; round++) await read()
      await sql`deallocate all`.execute(database.kysely)
      expect(await read()).toEqual([{ id: 1, name: 'one' }])
      for (let round = 0; round < 3; round++) await read()
      expect(await prepared()).toEqual([])
    }))

  test('do not fill the server, however many texts there are', () =>
    withDatabase(async () => {
      for (let text = 0; text < 500; text++) {
        for (let round = 0; round < 2; round++) {
          await sql`select id as ${sql.id(`name_${text}`)} from things where name = ${'one'}`.execute(database.kysely)
        }
      }
      expect((await prepared()).length).toBeLessThan(400)
      expect(await read()).toEqual([{ id: 1, name: 'one' }])
    }))
})
