import { readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { createDataClient } from '../data-api/data-client.ts'
import { createProject } from '../data-api/project.ts'
import { endOrphan } from '../durability/orphan.ts'
import { createApi, eventually } from '../support/api.ts'
import { startPlatform, temporaryDirectory } from '../support/start-platform.ts'
import { createTestDatabase } from '../support/test-database.ts'
import { orders, shopWith, writeOrders } from './shop.ts'

const serverUrl = process.env.HEDRON_TEST_DATABASE_URL
const dataDirectory = await temporaryDirectory()
const database = serverUrl ? await createTestDatabase(serverUrl) : null
afterAll(async () => {
  await endOrphan(dataDirectory)
  await database?.drop()
  await rm(dataDirectory, { recursive: true, force: true, maxRetries: 10 })
})

const rollups = `
      - name: by_day
        measures: [count, revenue]
        dimensions: [city]
        time_dimension: at
        granularity: day
        partition_granularity: week
        refresh_key: { every: 1 day }
`
const query = { measures: ['orders.count', 'orders.revenue'] }

test('killed while it builds, it starts again with what was complete, sweeps the rest and builds what lacks', {
  timeout: 400_000,
}, async () => {
  const key = `sk-${'rollups'.repeat(5)}`
  const start = () =>
    startPlatform({
      dataDirectory,
      database,
      environment: { HEDRON_BOOTSTRAP_API_KEY: key, HEDRON_DATA_RATE_LIMIT: '0' },
    })
  let platform = await start()
  const id = await createProject(createApi(platform.baseUrl, key), shopWith(rollups))
  await writeOrders(dataDirectory, id, orders)
  const folder = join(dataDirectory, 'rollups', String(id))
  const files = async () => (await readdir(folder).catch(() => [])).filter(name => name.endsWith('.parquet'))
  let before = 0
  for (let round = 0; round < 4; round++) {
    const data = await createDataClient(createApi(platform.baseUrl, key), id)
    expect(await data.rows(query)).toMatchObject([{ 'orders.count': '240' }])
    await eventually(files, names => names.length > before + 5, 90_000)
    before = (await files()).length
    await platform.kill()
    await writeFile(join(folder, 'half.parquet.tmp'), 'PAR1')
    await writeFile(join(folder, 'foreign.parquet'), 'PAR1')
    platform = await start()
    const after = await files()
    expect(await readdir(folder)).not.toContain('half.parquet.tmp')
    expect(after).not.toContain('foreign.parquet')
    // The one whose file was there before the database was told of it is built again.
    expect(after.length).toBeGreaterThanOrEqual(before - 1)
  }
  const data = await createDataClient(createApi(platform.baseUrl, key), id)
  const source = await data.load(query, { cache: 'no-cache' })
  const kept = await eventually(
    () => data.load(query),
    ({ body }) => String(body.external) === 'true',
    110_000,
  )
  expect(kept.body.data).toEqual(source.body.data)
  const built = await files()
  await platform.kill()
  platform = await start()
  // Nothing is built again that is there.
  const again = await createDataClient(createApi(platform.baseUrl, key), id)
  const first = await again.load(query)
  expect([String(first.body.external), first.body.data]).toEqual(['true', source.body.data])
  expect(await files()).toEqual(built)
  await platform.stop()
})
