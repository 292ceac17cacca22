import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Api, createApi, createKey } from '../support/api.ts'
import { type RunningPlatform, startPlatform } from '../support/start-platform.ts'
import { createGraphqlClient, type GraphqlClient } from './graphql-client.ts'
import { liveModel, writeWords } from './live-data.ts'
import { createProject, enterDevMode, putFiles } from './project.ts'

let platform: RunningPlatform
let client: GraphqlClient
let api: Api
let deploymentId = 0
beforeAll(async () => {
  platform = await startPlatform({ environment: { HEDRON_CONTINUE_WAIT_SECONDS: '0.1', HEDRON_DATA_RATE_LIMIT: '0' } })
  api = createApi(platform.baseUrl, platform.apiKey)
  deploymentId = await createProject(api, liveModel)
  await writeWords(platform, deploymentId, 'a', 'b')
  client = await createGraphqlClient(api, deploymentId)
})
afterAll(() => platform?.dispose())

test('a slow document answers Continue wait with 200, and the same document its result in the end', async () => {
  const document = '{ first: cube { slow { most } } }'
  const { status, body } = await client.post(document)
  expect([status, body]).toEqual([
    200,
    { data: null, errors: [{ message: 'Continue wait', path: ['first'], extensions: { status: 200 } }] },
  ])
  for (let waits = 0; ; waits++) {
    const { body } = await client.post(document)
    if (body.data) {
      expect(body.data).toEqual({ first: [{ slow: { most: expect.any(Number) } }] })
      break
    }
    expect([body.errors?.[0]?.message, waits < 500]).toEqual(['Continue wait', true])
  }
})

test('a model that does not compile is told in GraphQL’s form, on its branch alone', async () => {
  const author = api.with(await createKey(api))
  const branch = await enterDevMode(author, deploymentId)
  await putFiles(author, deploymentId, branch, { 'model/broken.yml': 'cubes: [{ name: broken, measures: 1 }]' })
  const { status, body } = await client.post('{ cube { live { count } } }', {}, { branch })
  expect([status, body]).toEqual([
    500,
    {
      errors: [
        {
          message: expect.stringContaining('Compile errors:\nmodel/broken.yml Errors:'),
          extensions: expect.anything(),
        },
      ],
    },
  ])
  expect(await client.rows('{ cube { live { count } } }')).toEqual([{ live: { count: 2 } }])
})

test('hostile documents hold nobody up', { timeout: 60_000 }, async () => {
  const fields = Array.from({ length: 1000 }, (_, index) => `f${index}: count`).join(' ')
  const hostile = [
    `{ cube { live { ${fields} } } }`,
    `{ cube { live { ${'count '.repeat(990)} } } }`,
    `{ cube(where: ${'{ AND: '.repeat(60)}{ live: { count: { gt: 1 } } }${' }'.repeat(60)}) { live { count } } }`,
    `{ ${Array.from({ length: 900 }, (_, index) => `nope${index}`).join(' ')} }`,
    `query (${Array.from({ length: 1500 }, (_, index) => `$v${index}: Int`).join(' ')}) { cube { live { count } } }`,
    `{ cube { live { ${Array.from({ length: 99 }, (_, index) => `...f${index}`).join(' ')} } } } ${Array.from({ length: 99 }, (_, index) => `fragment f${index} on LiveMembers { count word }`).join(' ')}`,
    '{ __schema { types { fields { type { ofType { ofType { ofType { name } } } } } } } }',
    `"${'\\u0041'.repeat(40_000)}"`,
    `{ cube { live(where: { word: { in: [${'"x",'.repeat(9000)}] } }) { count } } }`,
  ]
  const delays: number[] = []
  let going = true
  const watching = (async () => {
    while (going) {
      const start = performance.now()
      await fetch(`${platform.baseUrl}/livez`)
      delays.push(performance.now() - start)
    }
  })()
  for (let round = 0; round < 3; round++) {
    const statuses = await Promise.all(hostile.map(async document => (await client.post(document)).status))
    expect(statuses.every(status => status === 200 || status === 400)).toBe(true)
  }
  going = false
  await watching
  expect(Math.max(...delays), `of ${delays.length} looks`).toBeLessThan(3000)
})
