import { existsSync } from 'node:fs'
import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { createTestDatabase } from '../src/testing.ts'
import { setup } from '../src/testing-setup.ts'

const socketDirectory = (url: string) => new URL(url).searchParams.get('host') ?? ''

test('databases of one process share a server, which goes with the last of them', async () => {
  const [first, second] = await Promise.all([
    createTestDatabase<object>({ serverUrl: '' }),
    createTestDatabase<object>({ serverUrl: '' }),
  ])
  await sql`create table mine (id int)`.execute(first.kysely)
  await expect(sql`select * from mine`.execute(second.kysely)).rejects.toThrow('does not exist')
  const directory = socketDirectory(first.url)
  expect(socketDirectory(second.url)).toBe(directory)
  await first.close()
  expect(existsSync(directory)).toBe(true)
  await second.close()
  expect(existsSync(directory)).toBe(false)
})

test('a run has one server, named in the environment until the run is over', async () => {
  vi.stubEnv('HEDRON_TEST_DATABASE_URL', undefined)
  try {
    const teardown = await setup()
    const url = process.env.HEDRON_TEST_DATABASE_URL ?? ''
    const database = await createTestDatabase<object>()
    expect(socketDirectory(database.url)).toBe(socketDirectory(url))
    expect(await setup()).toBeUndefined() // one is named already
    await database.close()
    await teardown?.()
    expect(existsSync(socketDirectory(url))).toBe(false)
    expect(process.env.HEDRON_TEST_DATABASE_URL).toBeUndefined()
  } finally {
    vi.unstubAllEnvs()
  }
})
