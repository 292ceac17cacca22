import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Databases, openDatabases } from './databases.ts'
import { bag } from './rows.ts'

const folder = new URL('tools/', import.meta.url)

/** What BI tools ask when they show charts and tables, in the shapes that each writes. */
const statements = readdirSync(folder).flatMap(file =>
  readFileSync(new URL(file, folder), 'utf8')
    .split(/;\n/)
    .map(text => [file.replace('.sql', ''), text.trim()] as const),
)

let databases: Databases
beforeAll(async () => {
  databases = await openDatabases()
})
afterAll(() => databases.close())

test.each(statements)('%s: %s', async (_, text) => {
  const wanted = bag(await databases.asPostgres(text))
  expect(bag(await databases.throughPostgres(text))).toEqual(wanted)
  expect(bag(await databases.throughDuckDb(text))).toEqual(wanted)
})
