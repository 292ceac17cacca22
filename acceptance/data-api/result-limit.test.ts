import { afterAll, beforeAll, expect, test } from 'vitest'
import { createApi } from '../support/api.ts'
import { type RunningPlatform, startPlatform } from '../support/start-platform.ts'
import { createDataClient, type DataClient } from './data-client.ts'
import { createProject } from './project.ts'

const model = {
  'model/cubes/documents.yml': `
cubes:
  - name: documents
    sql: SELECT n, repeat('x', 1000) || n AS text FROM range(3000) AS numbers(n)
    dimensions:
      - { name: n, sql: n, type: number, primary_key: true, public: true }
      - { name: text, sql: text, type: string }
`,
}

let platform: RunningPlatform
let data: DataClient
beforeAll(async () => {
  platform = await startPlatform({ environment: { HEDRON_QUERY_CACHE_MB: '1', HEDRON_QUERY_RESULT_MB: '1' } })
  const api = createApi(platform.baseUrl, platform.apiKey)
  data = await createDataClient(api, await createProject(api, model))
})
afterAll(() => platform?.dispose())

test('a result larger than the operator allows is an error, and a smaller one is whole', async () => {
  const ask = (limit: number) => data.post('load', { query: { dimensions: ['documents.text'], limit } })
  const large = await ask(3000)
  expect(large.status).toBe(400)
  expect(JSON.stringify(large.body)).toContain('more than 1 MB of memory')
  const small = await ask(500)
  expect(small.status).toBe(200)
  expect(small.body).toMatchObject({ data: expect.objectContaining({ length: 500 }) })
})
