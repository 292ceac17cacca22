import { afterAll, describe, expect, test } from 'vitest'
import { createDataClient } from '../data-api/data-client.ts'
import { createProject, enterDevMode, putFiles, setVariables } from '../data-api/project.ts'
import { signHmac } from '../data-api/tokens.ts'
import { createKey, eventually, sharedApi } from '../support/api.ts'

const model = (more = '', source = 'range(240) numbers(number)') => ({
  'model/sales.yml': `cubes:
  - name: sales
    sql: SELECT number AS id, ['new', 'paid', 'lost'][number % 3 + 1] AS status, TIMESTAMP '2024-01-01' + INTERVAL 1 DAY * (number % 90) AS at FROM ${source}
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true, public: true }
      - { name: status, sql: status, type: string }
      - { name: at, sql: at, type: time }
    measures: [{ name: count, type: count }]
    pre_aggregations:
      - { name: up_to_now, type: rollup_lambda, rollups: [by_month], union_with_source_data: true, measures: [count], dimensions: [status], time_dimension: at, granularity: day }
      - { name: by_month, measures: [count], dimensions: [status], time_dimension: at, granularity: day, partition_granularity: month, scheduled_refresh: false, refresh_key: { every: 1 day } }
      - { name: by_id, measures: [count], dimensions: [id], scheduled_refresh: false, refresh_key: { sql: SELECT 1, every: 1 hour } }
${more}`,
})

const secret = 'a-playground-secret-that-is-long-enough'
const variables = { CUBEJS_PLAYGROUND_AUTH_SECRET: secret, CUBEJS_API_SECRET: 'an-api-secret-that-is-long-enough-too' }
const token = signHmac({ exp: 4_000_000_000 }, secret)
const api = sharedApi()

const made: number[] = []
afterAll(async () => {
  for (const id of made) await api.delete(`/api/v1/deployments/${id}`)
})

interface SystemOptions {
  readonly authorization?: string | null
  readonly branch?: string
}

/** The system API of a new deployment, reached as the field's console reaches it. */
async function open(files = model(), own: Readonly<Record<string, string>> = variables) {
  const id = await createProject(api, files, own)
  made.push(id)
  async function ask(name: string, query?: unknown, { authorization = token, branch }: SystemOptions = {}) {
    const place = `${api.baseUrl}/data/${id}${branch === undefined ? '' : `/dev-mode/${branch}`}`
    const isPost = query !== undefined || /queue$/.test(name)
    const response = await fetch(`${place}/cubejs-system/v1/${name}`, {
      method: isPost ? 'POST' : 'GET',
      headers: {
        ...(authorization === null ? {} : { authorization }),
        ...(isPost ? { 'content-type': 'application/json' } : {}),
      },
      ...(isPost ? { body: JSON.stringify({ query }) } : {}),
    })
    return { status: response.status, body: JSON.parse(await response.text()) }
  }
  const partitionsOf = async (rollup: string, options: SystemOptions = {}): Promise<readonly Partition[]> => {
    const { body } = await ask('pre-aggregations/partitions', { preAggregations: [{ id: rollup }] }, options)
    return body.preAggregationPartitions[0].partitions
  }
  return { id, ask, partitionsOf, data: await createDataClient(api, id) }
}
type System = Awaited<ReturnType<typeof open>>

interface Partition {
  readonly tableName: string
  readonly buildRangeEnd: string | null
  readonly structureVersion: string
  readonly versionEntries: readonly { readonly last_updated_at: number }[]
}

const isBuilt = (partitions: readonly Partition[]) =>
  partitions.length > 0 && partitions.every(({ versionEntries }) => versionEntries.length === 1)

describe('/cubejs-system, for whoever has the playground secret', () => {
  test('is not there without the secret, and takes no token but those signed with it', async () => {
    const closed = await open(model(), { CUBEJS_API_SECRET: variables.CUBEJS_API_SECRET })
    expect(await closed.ask('context')).toEqual({
      status: 404,
      body: { error: expect.stringContaining('CUBEJS_PLAYGROUND_AUTH_SECRET') },
    })
    const { ask, data } = await open()
    expect(await ask('context')).toMatchObject({ status: 200, body: { basePath: '/cubejs-api' } })
    const refused = { status: 403, body: { error: 'Invalid token' } }
    for (const authorization of [
      data.token,
      signHmac({}, variables.CUBEJS_API_SECRET),
      signHmac({ exp: 1 }, secret),
      signHmac({}, `${secret}.`),
      signHmac({}, secret, { alg: 'HS512', typ: 'JWT' }),
      secret,
    ]) {
      for (const name of ['context', 'pre-aggregations', 'pre-aggregations/timezones', 'pre-aggregations/queue']) {
        expect(await ask(name, undefined, { authorization })).toEqual(refused)
      }
    }
    expect(await ask('pre-aggregations', undefined, { authorization: null })).toEqual({
      status: 403,
      body: { error: "Authorization header isn't set" },
    })
    expect((await ask('pre-aggregations/nothing')).status).toBe(404)
    expect((await ask('pre-aggregations/build')).status).toBe(404)
  })

  test('lists pre-aggregations, time zones and security contexts', async () => {
    const { ask } = await open(model(), { ...variables, CUBEJS_SCHEDULED_REFRESH_TIMEZONES: 'UTC,Asia/Tokyo' })
    const { body } = await ask('pre-aggregations')
    expect(body.preAggregations.map(({ id }: { id: string }) => id)).toEqual([
      'sales.up_to_now',
      'sales.by_month',
      'sales.by_id',
    ])
    expect(body.preAggregations[1]).toMatchObject({
      preAggregationName: 'by_month',
      cube: 'sales',
      preAggregation: { type: 'rollup', partitionGranularity: 'month', scheduledRefresh: false },
      references: {
        measures: ['sales.count'],
        dimensions: ['sales.status'],
        timeDimensions: [{ dimension: 'sales.at', granularity: 'day' }],
        rollups: [],
      },
    })
    expect(body.preAggregations[0].references.rollups).toEqual(['sales.by_month'])
    expect((await ask('pre-aggregations/timezones')).body).toEqual({ timezones: ['UTC', 'Asia/Tokyo'] })
    expect((await ask('pre-aggregations/security-contexts')).body).toEqual({ securityContexts: [] })
  })

  test('shows partitions, has them built, and shows their rows', async () => {
    const { ask, partitionsOf } = await open()
    const before = await partitionsOf('sales.by_month')
    expect(before).toHaveLength(3)
    expect(before.map(({ buildRangeEnd }) => buildRangeEnd)).toEqual([
      '2024-01-31T23:59:59.999',
      '2024-02-29T23:59:59.999',
      null,
    ])
    expect(before[1]).toMatchObject({
      preAggregationId: 'sales.by_month',
      dataSource: 'default',
      type: 'rollup',
      timezone: 'UTC',
      partitionGranularity: 'month',
      buildRangeStart: '2024-02-01T00:00:00.000',
      loadSql: [expect.stringContaining('range(240)'), expect.any(Array)],
      versionEntries: [],
    })
    const { tableName = '' } = before[1] ?? {}
    const preview = (table_name: string) => ({
      preAggregationId: 'sales.by_month',
      timezone: 'UTC',
      versionEntry: { table_name },
    })
    expect(await ask('pre-aggregations/preview', preview(tableName))).toMatchObject({
      status: 400,
      body: { error: expect.stringContaining('was not built yet') },
    })
    const build = { preAggregations: [{ id: 'sales.by_month', partitions: [tableName] }] }
    expect(await ask('pre-aggregations/build', build)).toEqual({ status: 200, body: { result: true } })
    const after = await eventually(() => partitionsOf('sales.by_month'), isBuilt, 60_000)
    const [entry] = after[1]?.versionEntries ?? []
    expect(entry).toMatchObject({ table_name: tableName, structure_version: after[1]?.structureVersion })
    expect(Date.now() - (entry?.last_updated_at ?? 0)).toBeLessThan(600_000)
    const shown = await ask('pre-aggregations/preview', { ...preview(tableName), versionEntry: entry })
    expect(shown.status, JSON.stringify(shown.body)).toBe(200)
    const counts = shown.body.preview.data.map((row: Readonly<Record<string, unknown>>) => Number(row.sales__count))
    // 29 days of February, each with two or three of the 240 numbers.
    const expected = Array.from({ length: 240 }, (_, number) => number % 90).filter(day => day >= 31 && day < 60).length
    expect(counts.reduce((sum: number, count: number) => sum + count, 0)).toBe(expected)
    expect(await ask('pre-aggregations/preview', preview(`${tableName}x`))).toMatchObject({ status: 400 })
  })

  test('builds again what is named, and nothing else', async () => {
    const { ask, partitionsOf } = await open()
    const times = async () =>
      (await partitionsOf('sales.by_month')).map(({ versionEntries }) => versionEntries[0]?.last_updated_at ?? 0)
    await ask('pre-aggregations/build', { preAggregations: [{ id: 'sales.by_month' }] })
    await eventually(() => partitionsOf('sales.by_month'), isBuilt, 60_000)
    const [january, february, march] = await times()
    await ask('pre-aggregations/build', {
      preAggregations: [{ id: 'sales.by_month', refreshRange: ['2024-02-10', '2024-02-20'] }],
    })
    await eventually(times, ([, second = 0]) => second > (february ?? 0), 60_000)
    const [first, , third] = await times()
    expect([first, third]).toEqual([january, march])
  })

  test('gives of partitions what is asked for', async () => {
    const { ask } = await open()
    const shown = async (query: object) =>
      (await ask('pre-aggregations/partitions', query)).body.preAggregationPartitions
    const [meta] = await shown({ preAggregations: [{ id: 'sales.by_id' }], expand: ['partitions.meta'] })
    expect(meta.partitions).toEqual([
      {
        dataSource: 'default',
        preAggregationId: 'sales.by_id',
        tableName: expect.stringMatching(/^sales_by_id/),
        type: 'rollup',
      },
    ])
    expect(meta.invalidateKeyQueries).toEqual([['SELECT 1', [], { renewalThreshold: 3600 }]])
    const [versions] = await shown({ preAggregations: [{ id: 'sales.by_id' }], expand: ['partitions.versions'] })
    expect(versions.partitions).toEqual([{ versionEntries: [], structureVersion: expect.any(String) }])
    const [only] = await shown({ preAggregations: [{ id: 'sales.by_id', metaOnly: true }] })
    expect(only).toMatchObject({ partitions: [], errors: [], preAggregation: { id: 'sales.by_id' } })
    const all = await shown({ timezone: 'UTC' })
    expect(all).toHaveLength(3)
    expect(all[0].partitions).toEqual([])
    const [waiting] = (
      await open(model(), variables).then(fresh =>
        fresh.ask('pre-aggregations/partitions', { preAggregations: [{ id: 'sales.by_month', cacheOnly: true }] }),
      )
    ).body.preAggregationPartitions
    expect(waiting).toMatchObject({ partitions: [], errors: ['Waiting for cache'] })
  })

  test('refuses what it cannot read, in the field’s words', async () => {
    const { ask } = await open()
    const error = async (name: string, query: unknown) => {
      const { status, body } = await ask(`pre-aggregations/${name}`, query)
      expect(status).toBe(400)
      return body.error
    }
    for (const name of ['partitions', 'preview', 'build', 'cancel']) {
      expect(await error(name, null)).toBe('Query param is required')
      expect(await error(name, '{')).toMatch(/^Unable to decode query param as JSON, error: /)
      expect(await error(name, { nothing: true })).toMatch(/^Invalid query format: /)
    }
    for (const name of ['partitions', 'build']) {
      expect(await error(name, { preAggregations: [{ id: 'sales.nothing' }] })).toContain('"sales.nothing"')
      expect(await error(name, { timezones: ['Asia/Tokyo'] })).toContain('CUBEJS_SCHEDULED_REFRESH_TIMEZONES')
    }
    expect(
      await error('build', { preAggregations: [{ id: 'sales.by_month', refreshRange: ['then', 'now'] }] }),
    ).toContain("'then' is no date")
  })

  test('answers for a branch from its own files', async () => {
    const { id, ask } = await open()
    const author = api.with(await createKey(api))
    const branch = await enterDevMode(author, id)
    await putFiles(
      author,
      id,
      branch,
      model('      - { name: of_branch, measures: [count], scheduled_refresh: false }\n'),
    )
    const ids = async (options: SystemOptions) =>
      (await ask('pre-aggregations', undefined, options)).body.preAggregations?.map(({ id }: { id: string }) => id)
    expect(
      await eventually(
        () => ids({ branch }),
        found => found?.length === 4,
        60_000,
      ),
    ).toContain('sales.of_branch')
    expect(await ids({})).not.toContain('sales.of_branch')
    expect((await ask('pre-aggregations', undefined, { branch: 'nothing' })).status).toBe(404)
  })

  test('another deployment’s secret opens nothing', async () => {
    const { ask } = await open(model(), { ...variables, CUBEJS_PLAYGROUND_AUTH_SECRET: `${secret}-of-another` })
    expect((await ask('pre-aggregations')).status).toBe(403)
  })
})

describe('the queue of builds', () => {
  const endless = 'range(1000000000) numbers(number), range(1000000000) others(another) WHERE hash(number, another) = 1'
  const keysOf = async ({ ask }: System) =>
    (await ask('pre-aggregations/queue')).body.result.map(({ queryKey }: { queryKey: string }) => queryKey)

  test('names what runs and what waits; what is cancelled ends, and is not begun again', async () => {
    const system = await open(model('', endless))
    const { ask, data } = system
    await ask('pre-aggregations/build', { preAggregations: [{ id: 'sales.by_id' }] })
    const result = await eventually(
      async () => (await ask('pre-aggregations/queue')).body.result,
      builds => builds.length === 1 && builds[0].status[0] === 'active',
      60_000,
    )
    expect(result).toEqual([
      {
        queryKey: expect.any(String),
        queryHandler: 'query',
        status: ['active'],
        query: { preAggregation: { preAggregationId: 'sales.by_id', dataSource: 'default', timezone: 'UTC' } },
      },
    ])
    const [{ queryKey }] = result
    const cancel = (query: object) => ask('pre-aggregations/cancel', query)
    expect((await cancel({ queryKeys: [queryKey], dataSource: 'other' })).body).toEqual({ result: [null] })
    expect((await cancel({ queryKeys: ['nothing', queryKey] })).body).toEqual({ result: [null, result[0]] })
    expect(
      await eventually(
        () => keysOf(system),
        keys => keys.length === 0,
        60_000,
      ),
    ).toEqual([])
    const { body } = await data.post('explain', { query: { measures: ['sales.count'], dimensions: ['sales.id'] } })
    expect(JSON.stringify(body)).toContain('cancelled')
    expect(await keysOf(system)).toEqual([])
    // Whoever wants it built has it begun again.
    await ask('pre-aggregations/build', { preAggregations: [{ id: 'sales.by_id' }] })
    await eventually(
      () => keysOf(system),
      keys => keys.includes(queryKey),
      60_000,
    )
    await cancel({ queryKeys: [queryKey] })
    await eventually(
      () => keysOf(system),
      keys => keys.length === 0,
      60_000,
    )
  })

  test('cancels nothing of another deployment', async () => {
    const [system, other] = [await open(model('', endless)), await open(model('', endless))]
    await system.ask('pre-aggregations/build', { preAggregations: [{ id: 'sales.by_id' }] })
    const keys = await eventually(
      () => keysOf(system),
      found => found.length === 1,
      60_000,
    )
    expect(await keysOf(other)).toEqual([])
    expect((await other.ask('pre-aggregations/cancel', { queryKeys: keys })).body).toEqual({ result: [null] })
    expect(await keysOf(system)).toEqual(keys)
    await system.ask('pre-aggregations/cancel', { queryKeys: keys })
    await eventually(
      () => keysOf(system),
      found => found.length === 0,
      60_000,
    )
  })
})

describe('a token that is signed with the playground secret', () => {
  test('is taken by the data API, whose answers say how they were found', async () => {
    const { data, id } = await open()
    const query = { measures: ['sales.count'] }
    const { status, body } = await data.load(query, {}, { authorization: token })
    expect([status, body.data]).toEqual([200, [{ 'sales.count': '240' }]])
    expect(body).toMatchObject({ requestId: expect.any(String), transformedQuery: { measures: ['sales.count'] } })
    expect((await data.load(query)).body).not.toHaveProperty('transformedQuery')
    const failed = await data.load({ measures: ['sales.nothing'] }, {}, { authorization: token })
    expect(failed.body).toMatchObject({ requestId: expect.any(String), type: 'UserError' })
    // Where the secret is taken off, so are its tokens.
    await setVariables(api, id, { CUBEJS_PLAYGROUND_AUTH_SECRET: '' })
    const refused = await eventually(
      () => data.load(query, {}, { authorization: token }),
      answer => answer.status === 403,
      20_000,
    )
    expect(refused.body.error).toBe('Invalid token')
  })
})
