import { rm } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { createApi, load } from '../support/api.ts'
import { launchPlatform, startPlatform, temporaryDirectory } from '../support/start-platform.ts'
import { createTestDatabase } from '../support/test-database.ts'
import { databaseServerOf, endOrphan } from './orphan.ts'

const serverUrl = process.env.HEDRON_TEST_DATABASE_URL

/** Milliseconds into the start: the database is being made, migrated, seeded, or all is nearly done. */
const moments: readonly (readonly [from: number, to: number])[] = [
  [50, 300],
  [300, 700],
  [700, 1_200],
  [1_200, 2_000],
  [2_000, 3_000],
]

describe('a first start that is killed', () => {
  test.for(moments)('between %i and %i ms is made up for by the next', { timeout: 120_000 }, async ([from, to]) => {
    const dataDirectory = await temporaryDirectory()
    const database = serverUrl ? await createTestDatabase(serverUrl) : null
    try {
      const options = { dataDirectory, database, environment: { HEDRON_DEMO: '1' } }
      const delays: number[] = []
      for (let attempt = 0; attempt < 2; attempt++) {
        const delay = Math.floor(from + Math.random() * (to - from))
        delays.push(delay)
        const launched = await launchPlatform(options)
        await new Promise(resolve => setTimeout(resolve, delay))
        await launched.kill()
      }
      const platform = await startPlatform(options).catch((error: Error) => {
        throw new Error(`killed after ${delays.join(' and ')} ms: ${error.message}`)
      })
      const api = createApi(platform.baseUrl, platform.apiKey)
      const { body } = await api.get('/api/v1/deployments')
      const deployments: { id: number; name: string }[] = Object(body.items)
      expect(
        deployments.map(({ name }) => name),
        'one demo',
      ).toEqual(['flights'])
      const answer = await load(api, deployments[0]?.id ?? 0, { measures: ['flights.count'] })
      expect([answer.status, answer.body.data], `killed after ${delays}`).toEqual([
        200,
        [{ 'flights.count': '3000000' }],
      ])
      expect(await platform.stop()).toBe(0)
      expect(await databaseServerOf(dataDirectory)).toBeNull()
    } finally {
      await endOrphan(dataDirectory)
      await database?.drop()
      await rm(dataDirectory, { recursive: true, force: true, maxRetries: 10 })
    }
  })
})
