import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { migrate } from '../src/migrate.ts'
import { createTestDatabase, type TestDatabase } from '../src/testing.ts'

let database: TestDatabase<object>

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.close())

const countRows = async () =>
  (await sql<{ count: number }>`select count(*) as count from notes`.execute(database.kysely)).rows[0]?.count

const create = {
  name: '0001-notes',
  up: async (transaction: Parameters<Parameters<typeof migrate>[1][number]['up']>[0]) => {
    await transaction.schema.createTable('notes').addColumn('text', 'text').execute()
  },
}

test('steps are applied once, in order', async () => {
  expect(await migrate(database, [create])).toEqual(['0001-notes'])
  expect(await migrate(database, [create])).toEqual([])
  expect(await countRows()).toBe(0)
})
