import { describe, expect, onTestFinished, test } from 'vitest'
import { createApi, eventually } from '../support/api.ts'
import { hasRedis, startRedis } from '../support/redis.ts'
import { type RunningPlatform, startPlatform } from '../support/start-platform.ts'

/** Gives another number each time that its source is asked. */
const model = `cubes:
  - name: dice
    sql: SELECT random() AS value
    refresh_key:
      every: 1 hour
    measures:
      - name: thrown
        sql: value
        type: max
`

const query = { query: { measures: ['dice.thrown'] } }

async function figure({ baseUrl }: RunningPlatform, name: string): Promise<number> {
  const text = await (await fetch(`${baseUrl}/metrics`)).text()
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1])
}

const untilShared = (platform: RunningPlatform) =>
  eventually(
    () => figure(platform, 'hedron_query_shared_up'),
    up => up === 1,
  )

/** A deployment on that model. @returns where its data API is, and a token for it. */
async function makeDeployment({ baseUrl, apiKey }: RunningPlatform) {
  const api = createApi(baseUrl, apiKey)
  const { body: created } = await api.post('/build/api/v1/deployments', { name: 'dice' })
  const dev = await api.post(`/build/api/v1/deployments/${created.id}/dev-mode`, {})
  const { branchName } = dev.body
  const files = [{ path: 'model/dice.yml', content: model }]
  await api.put(`/build/api/v1/deployments/${created.id}/data-model/files`, { branchName, files })
  const { body } = await api.post(`/api/v1/deployments/${created.id}/token`)
  return {
    path: `/data/${created.id}/dev-mode/${branchName}/cubejs-api/v1/load`,
    authorization: String(body.cubeApiToken),
  }
}

describe.skipIf(!hasRedis)('results in Redis', () => {
  test('outlive a restart; what may not come from a cache is asked of the source; without Redis all is answered', async () => {
    const redis = await startRedis()
    onTestFinished(() => redis.close())
    const environment = { HEDRON_REDIS_URL: redis.url }
    const first = await startPlatform({ environment })
    onTestFinished(() => first.dispose())
    await untilShared(first)
    const { path, authorization } = await makeDeployment(first)
    const ask = async ({ baseUrl, apiKey }: RunningPlatform, changes: object = {}) => {
      const api = createApi(baseUrl, apiKey)
      const { status, body } = await api.request('POST', path, { ...query, ...changes }, { authorization })
      expect({ status, body }).toMatchObject({ status: 200, body: { data: [expect.anything()] } })
      return body.data?.[0]?.['dice.thrown']
    }
    const thrown = await ask(first)
    expect(await ask(first)).toBe(thrown)
    expect(await first.stop()).toBe(0)

    const { dataDirectory, database, apiKey } = first
    const second = await startPlatform({
      dataDirectory,
      database,
      environment: { ...environment, HEDRON_BOOTSTRAP_API_KEY: apiKey },
    })
    onTestFinished(async () => void (await second.stop()))
    await untilShared(second)
    expect(await ask(second)).toBe(thrown)
    expect(await figure(second, 'hedron_query_shared_hits_total')).toBe(1)
    expect(await figure(second, 'hedron_query_executed_total')).toBe(0)
    const again = await ask(second, { cache: 'no-cache' })
    expect(again).not.toBe(thrown)

    await redis.close()
    expect(await ask(second, { query: { ...query.query, limit: 7 } })).not.toBe(thrown)
    expect(second.output()).not.toContain(redis.url)
  })
})
