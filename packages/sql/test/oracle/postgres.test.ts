import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Databases, openDatabases } from './databases.ts'
import { bag } from './rows.ts'
import { statements } from './statements.ts'

let databases: Databases
beforeAll(async () => {
  databases = await openDatabases()
})
afterAll(() => databases.close())

type Outcome = { readonly rows: string[] } | { readonly error: string }

async function outcome(ask: () => Promise<readonly (readonly unknown[])[]>): Promise<Outcome> {
  try {
    return { rows: bag(await ask()) }
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) }
  }
}

test('statements over a cube give what PostgreSQL gives over its table', async () => {
  await fc.assert(
    fc.asyncProperty(statements, async text => {
      const wanted = await outcome(() => databases.asPostgres(text))
      fc.pre('rows' in wanted)
      expect({ text, ...(await outcome(() => databases.throughPostgres(text))) }).toEqual({ text, ...wanted })
      expect({ text, ...(await outcome(() => databases.throughDuckDb(text))) }).toEqual({ text, ...wanted })
    }),
    { numRuns: Number(process.env.HEDRON_SQL_ORACLE_RUNS ?? 300), maxSkipsPerRun: 50, endOnFailure: true },
  )
})
