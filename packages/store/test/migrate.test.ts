import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Migration, migrate } from '../src/migrate.ts'
import type { StoreLog } from '../src/store-log.ts'
import { createTestDatabase, type TestDatabase, type TestServer } from '../src/testing.ts'
import { runMigrator } from './support/programs.ts'
import { servers } from './support/servers.ts'

const notes: Migration = {
  name: '0001-notes',
  sql: 'create table notes (id bigint generated always as identity primary key, text text not null); create index on notes (text);',
}
const color: Migration = {
  name: '0002-color',
  up: async transaction => {
    await transaction.schema.alterTable('notes').addColumn('color', 'text').execute()
    await sql`insert into notes (text, color) values (${'first'}, ${'red'})`.execute(transaction)
  },
}

describe.each(servers)('migrate on $name', ({ start }) => {
  let server: TestServer
  let database: TestDatabase<object>
  const said: string[] = []
  const log: StoreLog = (level, message) => said.push(`${level}: ${message}`)

  beforeAll(async () => {
    server = await start()
  })
  afterAll(() => server?.stop())
  beforeEach(async () => {
    said.length = 0
    database = await createTestDatabase({ serverUrl: server.url })
  })
  afterEach(() => database.close())

  const read = async (table: string) => (await sql.raw(`select * from ${table}`).execute(database.kysely)).rows
  const exists = async (table: string) =>
    (await sql<{ found: boolean }>`select to_regclass(${table}) is not null as found`.execute(database.kysely)).rows[0]
      ?.found

  test('applies each step once, in order, and says which', async () => {
    expect(await migrate(database, [notes], { log })).toEqual(['0001-notes'])
    expect(await migrate(database, [notes, color], { log })).toEqual(['0002-color'])
    expect(await migrate(database, [notes, color], { log })).toEqual([])
    expect(await read('notes')).toEqual([{ id: 1, text: 'first', color: 'red' }])
    expect(said).toEqual([
      'info: Applied the database migration 0001-notes',
      'info: Applied the database migration 0002-color',
    ])
  })

  test('a step that fails leaves nothing behind, and those before it stay', async () => {
    const broken: Migration = { name: '0002-broken', sql: 'create table half (id int); create table notes (id int)' }
    await expect(migrate(database, [notes, broken])).rejects.toThrow(
      'Migration "0002-broken" failed and was rolled back: relation "notes" already exists',
    )
    expect(await exists('half')).toBe(false)
    expect(await migrate(database, [notes, color])).toEqual(['0002-color'])
  })

  test('a database of a newer version is left as it is', async () => {
    await migrate(database, [notes, color])
    expect(await migrate(database, [notes], { log })).toEqual([])
    expect(said).toEqual([
      'warn: The database is ahead of this version; it has 0002-color. Continuing with it as it is.',
    ])
  })

  test('a step that was edited after it was applied is reported, not run', async () => {
    await migrate(database, [notes])
    expect(await migrate(database, [{ name: notes.name, sql: 'drop table notes' }], { log })).toEqual([])
    expect(said.join()).toContain('Changed after the database had applied them: 0001-notes')
    expect(await exists('notes')).toBe(true)
  })

  test('names out of order are refused before anything is applied', async () => {
    await expect(migrate(database, [color, notes])).rejects.toThrow('Migration "0001-notes" stands after "0002-color"')
    await expect(migrate(database, [notes, notes])).rejects.toThrow('unique')
    expect(await exists('schema_migrations')).toBe(false)
  })

  test('three processes that start at once apply each step once', async () => {
    const applied = await Promise.all([runMigrator(database.url), runMigrator(database.url), runMigrator(database.url)])
    expect(applied.flat().sort()).toEqual(['0001-slow', '0002-insert'])
    expect(await read('slow')).toEqual([{ id: 1 }])
  })

  test('waiting for another node ends, and the message says so', async () => {
    const holder = await database.pool.connect()
    try {
      await holder.query("begin; select pg_advisory_xact_lock(x'686564726f6e6d69'::bigint)")
      await expect(migrate(database, [notes], { log, lockMilliseconds: 100 })).rejects.toMatchObject({
        code: 'migration_locked',
      })
      expect(said).toEqual(['info: Another node is migrating the database; waiting for it'])
    } finally {
      await holder.query('rollback')
      holder.release()
    }
    expect(await migrate(database, [notes])).toEqual(['0001-notes'])
  })

  test('a step lets the queries on a busy table pass and comes back', async () => {
    await migrate(database, [notes])
    const holder = await database.pool.connect()
    try {
      await holder.query('begin; lock table notes in share mode')
      const migrated = migrate(database, [notes, color], {
        log: (level, message) => {
          log(level, message)
          if (message.includes('waits for a table')) void holder.query('rollback')
        },
        tableLockMilliseconds: 50,
      })
      expect(await migrated).toEqual(['0002-color'])
      expect(said[0]).toBe('warn: The migration 0002-color waits for a table in use; trying again')
    } finally {
      holder.release()
    }
  })
})
