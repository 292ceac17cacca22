import { rm } from 'node:fs/promises'
import { afterAll, expect, onTestFailed, test } from 'vitest'
import { buildOf, createApi, createDeployment, load } from '../support/api.ts'
import { startPlatform, temporaryDirectory } from '../support/start-platform.ts'
import { createTestDatabase } from '../support/test-database.ts'
import { databaseServerOf, endOrphan } from './orphan.ts'
import { commitWriter, fileWriter, variableWriter } from './writers.ts'

const serverUrl = process.env.HEDRON_TEST_DATABASE_URL
const isEmbedded = !serverUrl
/** A server that somebody else runs is not killed along; what is left to prove there takes fewer. */
const rounds = isEmbedded ? 50 : 20

const dataDirectory = await temporaryDirectory()
const database = serverUrl ? await createTestDatabase(serverUrl) : null
afterAll(async () => {
  await endOrphan(dataDirectory)
  await database?.drop()
  await rm(dataDirectory, { recursive: true, force: true, maxRetries: 10 })
})

test(`killed ${rounds} times amid writes, it starts again and has lost none that it acknowledged`, {
  timeout: 600_000,
}, async () => {
  const key = `sk-${'durability'.repeat(4)}`
  const start = () => startPlatform({ dataDirectory, database, environment: { HEDRON_BOOTSTRAP_API_KEY: key } })
  let platform = await start()
  onTestFailed(() => platform.kill())
  let api = createApi(platform.baseUrl, key)
  const id = await createDeployment(api)
  const writers = [
    await fileWriter(api, id, 'first'),
    await fileWriter(api, id, 'second'),
    await commitWriter(api, id, 'committed'),
    variableWriter(id, 'variables'),
  ]
  let acknowledged = 0
  for (let round = 1; round <= rounds; round++) {
    // The first time long enough for every writer to get something through, a commit with its build too.
    const delay = round === 1 ? 4_000 : Math.floor(Math.random() ** 2 * 500)
    const running = api
    const writing = Promise.all(writers.map(writer => writer.run(running)))
    await new Promise(resolve => setTimeout(resolve, delay))
    await platform.kill()
    const counts = await writing
    acknowledged += counts.reduce((sum, count) => sum + count, 0)
    if (isEmbedded) expect(await databaseServerOf(dataDirectory), 'the database server lives on').not.toBeNull()

    platform = await start()
    api = createApi(platform.baseUrl, key)
    for (const writer of writers) {
      await writer.check(api).catch((error: Error) => {
        throw new Error(`round ${round}, killed after ${delay} ms: ${error.message}\n${platform.output()}`)
      })
    }
  }
  expect(acknowledged, 'the kills did meet writes').toBeGreaterThan(rounds)

  // Builds that were cut off have been taken up again, and production answers from what was committed last.
  expect(String((await buildOf(api, id)).body.status)).toBe('built')
  const answer = await load(api, id, { measures: ['version.number'] })
  const { body } = await api.get(`/build/api/v1/deployments/${id}/data-model/files?withContent=true&branchName=main`)
  const [, committed] = /SELECT (\d+) AS number/.exec(JSON.stringify(body)) ?? []
  expect([answer.status, answer.body.data]).toEqual([200, [{ 'version.number': committed }]])

  expect(await platform.stop()).toBe(0)
  if (isEmbedded) expect(await databaseServerOf(dataDirectory), 'nothing is left').toBeNull()
})
