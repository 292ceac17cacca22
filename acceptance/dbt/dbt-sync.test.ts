import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Api, buildOf, createApi, createDeployment, createKey, eventually, load } from '../support/api.ts'
import { createModeler } from '../support/project.ts'
import { type RunningPlatform, startPlatform } from '../support/start-platform.ts'

let platform: RunningPlatform
let api: Api
let deploymentId: number
let manifest: Record<string, unknown>

beforeAll(async () => {
  platform = await startPlatform()
  api = createApi(platform.baseUrl, platform.apiKey)
  manifest = JSON.parse(await readFile(new URL('fixtures/shop-manifest.json', import.meta.url), 'utf8'))
  deploymentId = await createShop()
})
afterAll(() => platform?.dispose())

/** A deployment whose database holds the tables that dbt would have made. */
async function createShop(): Promise<number> {
  const id = await createDeployment(api)
  const file = join(platform.dataDirectory, 'deployments', String(id), 'data', 'shop.duckdb')
  const database = await DuckDBInstance.create(file)
  const connection = await database.connect()
  await connection.run(`
    create schema analytics;
    create table analytics.customers as
      select * from (values (1, 'Ada', true), (2, 'Grace', true), (3, 'Edsger', false)) t(customer_id, name, is_active);
    alter table analytics.customers add column email varchar; alter table analytics.customers add column created_at timestamp;
    create table analytics.orders as
      select * from (values (1, 1, 'paid', 10.50, date '2026-04-01'), (2, 1, 'open', 5.00, date '2026-04-02'),
        (3, 2, 'paid', 20.25, date '2026-05-01'), (4, 3, 'paid', 7.00, date '2026-05-02')) t(order_id, customer_id, status, amount, ordered_at);
    create table analytics.order_items as
      select * from (values (1, 1, 'pen', 4.00), (1, 2, 'ink', 6.50), (2, 1, 'pen', 5.00), (3, 1, 'desk', 20.25), (4, 1, 'pen', 7.00))
        t(order_id, line, product, unit_price);
    create table analytics.daily_revenue as select date '2026-04-01' ordered_at, 10.5 total_amount;
    create table analytics.stg_customers as select 1 customer_id;`)
  connection.closeSync()
  database.closeSync()
  await setVariables(id, { CUBEJS_DB_TYPE: 'duckdb', CUBEJS_DB_DUCKDB_DATABASE_PATH: 'shop.duckdb' })
  return id
}

async function setVariables(id: number, values: Record<string, string>): Promise<void> {
  const variables = Object.entries(values).map(([name, value]) => ({ name, value }))
  const { status, body } = await api.put(`/api/v1/deployments/${id}/env-vars`, { env_variables: variables })
  if (status !== 200) throw new Error(`variables were not set: ${JSON.stringify(body)}`)
}

const place = (id = deploymentId) => `/api/v1/deployments/${id}/dbt-sync`

async function start(body: object, id = deploymentId): Promise<{ syncJobId: string; branchName: string }> {
  const { status, body: started } = await api.post(place(id), body)
  if (status !== 200) throw new Error(`no sync was started: ${JSON.stringify(started)}`)
  return { syncJobId: String(started.syncJobId), branchName: String(started.branchName) }
}

const ended = (syncJobId: string, id = deploymentId) =>
  eventually(
    async () => (await api.get(`${place(id)}/${syncJobId}`)).body,
    ({ status }) => ['COMPLETED', 'FAILED'].includes(String(status)),
    60_000,
  )

const rows = (body: unknown) => (body as { items: Record<string, unknown>[] }).items

describe('a manifest that dbt made', () => {
  test('becomes cubes on a new branch, which compile and answer', async () => {
    const { syncJobId, branchName } = await start({ source: 'manifest', manifest })
    expect(branchName).toMatch(/^dbt-sync\/shop-\d{14}-[0-9a-f]{8}$/)
    const [newest] = rows((await api.get(`${place()}?first=100`)).body)
    expect(newest).toMatchObject({ syncJobId, source: 'manifest', trigger: 'api', branchName })

    expect(await ended(syncJobId)).toMatchObject({
      status: 'COMPLETED',
      progress: { percentComplete: 100 },
      error: null,
    })
    const result = (await api.get(`${place()}/${syncJobId}/result`)).body
    expect(result).toMatchObject({ syncJobId, cubeCount: 5, manifestStats: { models: 5, sources: 0, macros: 3 } })
    expect(result.generatedFiles).toContainEqual({ path: 'model/cubes/dbt/dbt_orders.yml' })

    expect((await buildOf(api, deploymentId, branchName)).body).toMatchObject({ status: 'built' })
    const answer = await load(
      api,
      deploymentId,
      {
        measures: ['dbt_orders.count', 'dbt_orders.total_amount'],
        dimensions: ['dbt_customers.name'],
        order: { 'dbt_customers.name': 'asc' },
      },
      { branch: branchName },
    )
    expect(answer.body.data).toEqual([
      { 'dbt_customers.name': 'Ada', 'dbt_orders.count': '2', 'dbt_orders.total_amount': '15.50' },
      { 'dbt_customers.name': 'Edsger', 'dbt_orders.count': '1', 'dbt_orders.total_amount': '7.00' },
      { 'dbt_customers.name': 'Grace', 'dbt_orders.count': '1', 'dbt_orders.total_amount': '20.25' },
    ])
    // Orders are counted once, however many items they have.
    const joined = await load(
      api,
      deploymentId,
      { measures: ['dbt_orders.total_amount', 'dbt_order_items.count'] },
      { branch: branchName },
    )
    expect(joined.body.data).toEqual([{ 'dbt_orders.total_amount': '42.75', 'dbt_order_items.count': '5' }])
  })

  test('is logged, and the history is read page by page, newest first', async () => {
    const { syncJobId } = await start({ source: 'manifest', manifest, output: 'files' })
    await ended(syncJobId)
    const log = rows((await api.get(`${place()}/${syncJobId}/logs`)).body)
    expect(log.map(({ phase }) => phase)).toContain('convert')
    expect(log.at(-1)).toMatchObject({ level: 'info', stream: 'system', message: 'Completed' })
    const first = (await api.get(`${place()}?first=1`)).body as unknown as {
      items: { syncJobId: string }[]
      pageInfo: { endCursor: string; hasNextPage: boolean }
    }
    expect(first.items[0]?.syncJobId).toBe(syncJobId)
    expect(first.pageInfo.hasNextPage).toBe(true)
    const second = rows((await api.get(`${place()}?first=1&after=${first.pageInfo.endCursor}`)).body)
    expect(second[0]?.syncJobId).not.toBe(syncJobId)
    expect(rows((await api.get(`${place()}?status=FAILED`)).body)).toEqual([])
    expect((await api.get(`${place()}?status=completed`)).status).toBe(400)
    expect((await api.get(`${place()}?trigger=API`)).status).toBe(400)
    expect(rows((await api.get(`${place()}?first=500`)).body).length).toBeLessThanOrEqual(100)
  })

  test('as files writes no branch, and gives every file with its content', async () => {
    const { syncJobId, branchName } = await start({ source: 'manifest', manifest, output: 'files' })
    expect(branchName).toBe('')
    await ended(syncJobId)
    const files = rows((await api.get(`${place()}/${syncJobId}/generated-files`)).body)
    expect(files).toHaveLength(5)
    for (const { path, content } of files) {
      expect(String(path)).toMatch(/^model\/cubes\/dbt\/dbt_\w+\.yml$/)
      expect(String(content)).toContain('cubes:')
    }
    const other = await start({ source: 'manifest', manifest })
    await ended(other.syncJobId)
    expect((await api.get(`${place()}/${other.syncJobId}/generated-files`)).status).toBe(404)
  })

  test('replaces what an earlier one wrote on the branch: models that are gone go, and what people wrote stays', async () => {
    const branchName = 'cubes-of-dbt'
    await ended((await start({ source: 'manifest', manifest, branchName })).syncJobId)
    const nodes = { ...(manifest.nodes as Record<string, unknown>) }
    delete nodes['model.shop.revenue']
    await ended((await start({ source: 'manifest', manifest: { ...manifest, nodes }, branchName })).syncJobId)
    const hashes = await api.get(
      `/build/api/v1/deployments/${deploymentId}/data-model/file-hashes?branchName=${branchName}`,
    )
    const paths = Object.keys(hashes.body)
    expect(paths).toContain('model/cubes/dbt/dbt_orders.yml')
    expect(paths).not.toContain('model/cubes/dbt/dbt_revenue.yml')
    expect((await buildOf(api, deploymentId, branchName)).body).toMatchObject({ status: 'built' })
  })
})

describe('what cannot be', () => {
  test.each([
    ['no repository', {}, /HEDRON_DBT_REPOSITORY/],
    ['a manifest without saying so', { manifest: {} }, /source is not manifest/],
    ['no manifest', { source: 'manifest' }, /manifest: is required/],
    ['another document', { source: 'manifest', manifest: { a: 1 } }, /metadata/],
    [
      'an old manifest',
      {
        source: 'manifest',
        manifest: { nodes: {}, metadata: { dbt_schema_version: 'https://schemas.getdbt.com/dbt/manifest/v4.json' } },
      },
      /version 4/,
    ],
    ['an unknown source', { source: 'svn' }, /source/],
    ['an unknown output', { output: 'zip' }, /output/],
    ['the deploy branch', { source: 'manifest', branchName: 'main' }, /production/],
    ['a personal branch', { source: 'manifest', branchName: 'dev-ada-12345678' }, /dev- is reserved/],
    ['a branch of files', { source: 'manifest', output: 'files', branchName: 'x' }, /output are files/],
  ])('%s is refused at once', async (_, body, message) => {
    const given = 'source' in body && !('manifest' in body) && 'branchName' in body ? { ...body, manifest } : body
    const answer = await api.post(place(), given)
    expect({ status: answer.status, message: String(answer.body.message) }).toEqual({
      status: 400,
      message: expect.stringMatching(message),
    })
  })

  test('a manifest without models fails with a reason', async () => {
    const { syncJobId } = await start({ source: 'manifest', manifest: { ...manifest, nodes: {} } })
    expect(await ended(syncJobId)).toMatchObject({
      status: 'FAILED',
      error: expect.stringContaining('no dbt models matched'),
    })
    expect((await api.get(`${place()}/${syncJobId}/result`)).status).toBe(404)
    const [run] = rows((await api.get(`${place()}?status=FAILED&first=1`)).body)
    expect(run).toMatchObject({ syncJobId, failedPhase: 'convert', phases: [{ phase: 'convert', outcome: 'failed' }] })
  })

  test('a key that only reads starts and cancels nothing; another deployment has none of it', async () => {
    const { syncJobId } = await start({ source: 'manifest', manifest, output: 'files' })
    const policies = [{ resourceType: 'Deployment', actions: ['SchemaRead'], resources: [String(deploymentId)] }]
    const reader = api.with(await createKey(api, { policies }))
    expect((await reader.get(`${place()}/${syncJobId}`)).status).toBe(200)
    expect((await reader.post(place(), { source: 'manifest', manifest })).status).toBe(403)
    expect((await reader.delete(`${place()}/${syncJobId}`)).status).toBe(403)
    const other = await createDeployment(api)
    expect((await api.get(`${place(other)}/${syncJobId}`)).status).toBe(404)
    expect((await api.get(`${place()}/no-such-sync`)).body.message).toContain('no dbt sync')
  })
})

describe('a repository', () => {
  /** A dbt project with its manifest in a deployment of this platform, which serves it to git. */
  async function createRepository(): Promise<{ url: string; id: number }> {
    const id = await createDeployment(api)
    const modeler = await createModeler(api, id)
    await modeler.enter('main')
    await modeler.write({
      'shop/dbt_project.yml': 'name: shop\nversion: "1.0.0"\n',
      'shop/target/manifest.json': JSON.stringify(manifest),
    })
    await modeler.commit('A project')
    const { host } = new URL(platform.baseUrl)
    return { url: `http://x:${platform.apiKey}@${host}/git/${id}`, id }
  }

  test('is cloned at its branch; without dbt its own manifest is used, and the log says so', async () => {
    const id = await createShop()
    const { url } = await createRepository()
    await setVariables(id, { HEDRON_DBT_REPOSITORY: url, HEDRON_DBT_FOLDER: 'shop' })
    const { syncJobId, branchName } = await start({ ref: 'main' }, id)
    expect(branchName).toMatch(/^dbt-sync\/main-/)
    expect(await ended(syncJobId, id)).toMatchObject({ status: 'COMPLETED', error: null })
    const log = rows((await api.get(`${place(id)}/${syncJobId}/logs`)).body).map(({ message }) => String(message))
    expect(log.join('\n')).toContain('the manifest that the repository holds is used')
    expect((await buildOf(api, id, branchName)).body).toMatchObject({ status: 'built' })

    const missing = await start({ ref: 'no-such-branch' }, id)
    const failed = await ended(missing.syncJobId, id)
    expect(failed).toMatchObject({ status: 'FAILED', error: expect.stringContaining('could not be cloned') })
    expect(JSON.stringify(failed)).not.toContain(platform.apiKey)
  })

  test.each([['a'.repeat(40)], [''], ['--upload-pack=x'], ['a b'], ['a..b']])('the ref %j is refused', async ref => {
    const id = await createDeployment(api)
    await setVariables(id, { HEDRON_DBT_REPOSITORY: 'https://git.example/shop.git' })
    const { status, body } = await api.post(place(id), { ref })
    expect({ status, code: body.code }).toEqual({ status: 400, code: 'dbt_ref_invalid' })
  })

  test.each(['file:///etc', 'ssh://git@host/x', '/etc', 'ext::sh -c id'])('the address %j is refused', async url => {
    const id = await createDeployment(api)
    await setVariables(id, { HEDRON_DBT_REPOSITORY: url })
    expect((await api.post(place(id), {})).body.code).toBe('dbt_option_invalid')
  })
})

describe('a sync that runs', () => {
  /** Its repository takes the connection and never answers. */
  async function startStalled(id: number): Promise<{ syncJobId: string; branchName: string; end(): void }> {
    const { createServer } = await import('node:net')
    const server = createServer(() => {})
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    if (address === null || typeof address === 'string') throw new Error('it listens nowhere')
    await setVariables(id, { HEDRON_DBT_REPOSITORY: `http://127.0.0.1:${address.port}/shop.git` })
    const started = await start({}, id)
    await eventually(
      async () => (await api.get(`${place(id)}/${started.syncJobId}`)).body.status,
      status => String(status) === 'UPLOADING_PROJECT',
    )
    return { ...started, end: () => server.close() }
  }

  test('is cancelled: CANCELLED in the history, a failure with its reason to who waits, and nothing is written', async () => {
    const id = await createDeployment(api)
    const { syncJobId, branchName, end } = await startStalled(id)
    try {
      const [first, second] = await Promise.all([1, 2].map(() => api.delete(`${place(id)}/${syncJobId}`)))
      expect([first?.status, second?.status].sort()).toEqual([200, 409])
      expect((await api.get(`${place(id)}/${syncJobId}`)).body).toMatchObject({
        status: 'FAILED',
        error: expect.stringContaining('cancelled'),
      })
      expect(rows((await api.get(`${place(id)}?status=CANCELLED`)).body)).toMatchObject([
        { syncJobId, status: 'CANCELLED' },
      ])
      const branches = rows((await api.get(`/build/api/v1/deployments/${id}/branches`)).body)
      expect(branches.map(({ name }) => name)).not.toContain(branchName)
      expect((await api.get(`${place(id)}/${syncJobId}/result`)).status).toBe(404)
    } finally {
      end()
    }
  })

  test('goes on after a restart of the server', async () => {
    const id = await createDeployment(api)
    const { syncJobId, end } = await startStalled(id)
    await platform.stop()
    end()
    platform = await startPlatform({
      dataDirectory: platform.dataDirectory,
      database: platform.database,
      environment: { HEDRON_BOOTSTRAP_API_KEY: platform.apiKey },
    })
    api = createApi(platform.baseUrl, platform.apiKey)
    // The repository is gone by now, which the second try finds out.
    expect(await ended(syncJobId, id)).toMatchObject({
      status: 'FAILED',
      error: expect.stringContaining('could not be cloned'),
    })
  })
})
