import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createEngines, createQueryService, createRollupFiles, type QueryService, readDataSources } from '@hedron/query'
import { compileModel, type Model } from '@hedron/semantic'
import { accounts, deployments, openStore, rollups, type Store } from '@hedron/store'
import { createTestDatabase } from '@hedron/store/testing'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { defineRollup } from '../../src/rollups/definition.ts'
import { createRollupKeeper, type RollupKeeper } from '../../src/rollups/rollup-keeper.ts'

const day = 86_400_000
const megabyte = 2 ** 20
const whole = [null, null] as const

let directory: string
let database: Awaited<ReturnType<typeof createTestDatabase>>
let store: Store
const engines = createEngines()
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'hedron-keeper-'))
  database = await createTestDatabase()
  store = await openStore({ url: database.url })
})
afterAll(async () => {
  await engines.close()
  await store.close()
  await database.close()
  await rm(directory, { recursive: true, force: true })
})

interface World {
  readonly deploymentId: number
  /** Moves the clock of all nodes. */
  pass(milliseconds: number): void
  /** What the source says from now on: a row for each time. */
  write(times: readonly string[]): Promise<void>
  define(name: string): ReturnType<typeof defineRollup>
  node(name: string, limits?: { readonly diskBytes?: number }): Promise<Node>
}

interface Node {
  readonly keeper: RollupKeeper
  readonly reported: unknown[]
  /** Names of files by the partition they hold. */
  files(name: string): ReadonlyMap<string, string>
  /** Asks for a rollup until its tables answer. */
  untilKept(name: string): Promise<void>
}

/** Which builds run now, on whichever node, and the most that ran at once of one partition. */
interface Watch {
  readonly running: Map<string, number>
  most: number
  count: number
}

const modelWith = (preAggregations: string): Model => {
  const { model, problems } = compileModel([
    {
      path: 'model/orders.yml',
      content: `cubes:
  - name: orders
    sql: SELECT CAST(placed AS TIMESTAMP) AS placed, number FROM read_csv('orders.csv', header = true, all_varchar = true)
    dimensions:
      - { name: number, sql: number, type: string }
      - { name: at, sql: placed, type: time }
    measures:
      - { name: count, type: count }
    pre_aggregations:
${preAggregations}`,
    },
  ])
  if (!model) throw new Error(problems.map(({ message }) => message).join('\n'))
  return model
}

async function createWorld(preAggregations: string, watch?: Watch): Promise<World> {
  const model = modelWith(preAggregations)
  const account = await accounts.ensureAccount(store.kysely, 'acme')
  const deployment = await deployments.insertDeployment(store.kysely, {
    accountId: account.id,
    name: `rollups ${randomBytes(6).toString('hex')}`,
    cloudProvider: 'local',
    creationStep: 'ready',
    deployMode: 'cli',
    isManaged: false,
    region: 'local',
    releaseChannelVersion: 'stable',
    targetPlatform: 'cube',
  })
  if (!deployment) throw new Error('A deployment of that name is there already')
  const deploymentId = deployment.id
  const folder = join(directory, 'data', String(deploymentId))
  await mkdir(folder, { recursive: true })
  const sources = readDataSources({}, { dataDirectory: folder })
  const place = { accountId: account.id, deploymentId, sourceOf: (name: string) => sources.get(name) }
  let now = Date.parse('2024-05-10T12:00:00Z')
  const define: World['define'] = name => defineRollup(model, { cube: 'orders', name }, 'UTC', place)

  return {
    deploymentId,
    define,
    pass(milliseconds) {
      now += milliseconds
    },
    async write(times) {
      const lines = times.map((time, position) => `${time},number ${position}`)
      await writeFile(join(folder, 'new'), `placed,number\n${lines.join('\n')}\n`)
      await rename(join(folder, 'new'), join(folder, 'orders.csv'))
    },
    async node(name, { diskBytes = 100 * megabyte } = {}) {
      const reported: unknown[] = []
      const effects = { now: () => new Date(now), randomBytes: (count: number) => randomBytes(count) }
      const queryService = createQueryService({ now: Date.now })
      const keeper = createRollupKeeper({
        store,
        effects,
        queryService: watch ? watched(queryService, watch) : queryService,
        files: createRollupFiles(join(directory, 'files', name), engines),
        node: name,
        poolName: id => `deployment ${id}`,
        sourceOf: async (_, of) => sources.get(of),
        report: error => reported.push(error),
        limits: { diskBytes, unusedMs: day },
      })
      await keeper.start()
      onTestFinished(async () => {
        await keeper.close()
        await queryService.close()
      })
      const find = (rollup: string) => keeper.find(define(rollup), whole, { isStrict: true, builds: true })
      return {
        keeper,
        reported,
        files: rollup => new Map([...find(rollup).state.tables].map(([partition, { file }]) => [partition, file])),
        async untilKept(rollup) {
          await expect
            .poll(
              () => {
                const found = find(rollup)
                // What somebody else builds is looked at again after a while.
                if ('missing' in found) now += 200
                return 'missing' in found ? (found.failure ?? found.missing) : 'kept'
              },
              { timeout: 30_000, interval: 50 },
            )
            .toBe('kept')
        },
      }
    },
  }
}

/** The same service, whose builds are counted while they run. */
function watched(queryService: QueryService, watch: Watch): QueryService {
  return {
    ...queryService,
    async stream(query, signal) {
      const key = query.requestId
      const stream = await queryService.stream(query, signal)
      watch.count += 1
      watch.running.set(key, (watch.running.get(key) ?? 0) + 1)
      watch.most = Math.max(watch.most, watch.running.get(key) ?? 0)
      return {
        columns: stream.columns,
        [Symbol.asyncIterator]: () => stream[Symbol.asyncIterator](),
        close() {
          watch.running.set(key, (watch.running.get(key) ?? 1) - 1)
          stream.close()
        },
      }
    },
  }
}

const byMonth = (more: string) => `      - name: by_day
        measures: [count]
        time_dimension: at
        granularity: day
        partition_granularity: month
        ${more}
`
const spring = ['2024-02-10T01:00:00', '2024-03-10T01:00:00', '2024-04-30T01:00:00', '2024-05-09T01:00:00']

describe('an incremental refresh', () => {
  test('builds the partitions again whose time, and that for late rows, is not over; the others are left alone', async () => {
    const world = await createWorld(byMonth('refresh_key: { every: 1 day, incremental: true, update_window: 14 days }'))
    await world.write(spring)
    const node = await world.node('incremental')
    await node.untilKept('by_day')
    const before = node.files('by_day')
    expect([...before.keys()].map(key => key.slice(0, 7)).toSorted()).toEqual([
      '2024-03',
      '2024-04',
      '2024-05',
      '~2024-0',
    ])
    // Rows come late in every month.
    await world.write([...spring, ...spring])
    world.pass(day)
    await node.untilKept('by_day')
    const after = node.files('by_day')
    const isSame = Object.fromEntries([...before].map(([key, file]) => [key.slice(0, 7), after.get(key) === file]))
    // April ended ten days ago, and gets rows for fourteen.
    expect(isSame).toEqual({ '~2024-0': true, '2024-03': true, '2024-04': false, '2024-05': false })
    world.pass(5 * day)
    await node.untilKept('by_day')
    const closing = node.files('by_day')
    expect(closing.get([...before.keys()].find(key => key.startsWith('2024-04')) ?? '')).toBeDefined()
    const last = new Map(closing)
    world.pass(day)
    await node.untilKept('by_day')
    const april = [...last.keys()].find(key => key.startsWith('2024-04')) ?? ''
    const may = [...last.keys()].find(key => key.startsWith('2024-05')) ?? ''
    expect(node.files('by_day').get(april)).toBe(last.get(april))
    expect(node.files('by_day').get(may)).not.toBe(last.get(may))
  })

  test('that is not incremental builds every partition again', async () => {
    const world = await createWorld(byMonth('refresh_key: { every: 1 day }'))
    await world.write(spring)
    const node = await world.node('whole')
    await node.untilKept('by_day')
    const before = node.files('by_day')
    world.pass(day)
    await node.untilKept('by_day')
    for (const [key, file] of node.files('by_day')) expect(before.get(key)).not.toBe(file)
  })
})

describe('two nodes on one database', () => {
  test('never build the same at once, and both have it in the end', async () => {
    const watch: Watch = { running: new Map(), most: 0, count: 0 }
    const world = await createWorld(byMonth('refresh_key: { every: 30 days }'), watch)
    await world.write(spring)
    const nodes = [await world.node('left'), await world.node('right')]
    await Promise.all(nodes.map(node => node.untilKept('by_day')))
    expect(watch.most).toBe(1)
    expect(watch.count).toBe(8)
    for (const node of nodes) expect(node.reported).toEqual([])
  })

  test('one waits for what another has claimed, and takes it over when nothing is heard of that', async () => {
    const world = await createWorld(`      - { name: numbers, measures: [count], refresh_key: { every: 30 days } }\n`)
    await world.write(spring)
    const definition = world.define('numbers')
    const key = { accountId: definition.accountId, deploymentId: world.deploymentId, definition: definition.hash }
    const usedAt = new Date('2024-05-10T12:00:00Z')
    // As a node leaves it that dies in the middle of a build.
    const dead = { ...key, node: 'dead' }
    const { name, timezone } = definition
    await rollups.putRollup(store.kysely, { ...dead, name, timezone, layout: null, surveyedAt: usedAt, usedAt })
    const claim = { now: usedAt, abandonedBefore: new Date(0) }
    expect(await store.transaction(on => rollups.claimTable(on, { ...dead, partition: '' }, claim))).toBe(true)
    const node = await world.node('alive')
    const asked = () => node.keeper.find(definition, whole, { isStrict: true, builds: true })
    asked()
    for (let second = 0; second < 40; second += 4) {
      world.pass(4_000)
      await new Promise(resolve => setTimeout(resolve, 60))
      expect(asked()).toMatchObject({ missing: 'it is not built yet' })
    }
    world.pass(6_000)
    await node.untilKept('numbers')
  })
})

describe('the disk of a node', () => {
  const many = (name: string) =>
    `      - { name: ${name}, measures: [count], dimensions: [number], refresh_key: { every: 30 days } }\n`
  const times = Array.from({ length: 20_000 }, (_, minute) =>
    new Date(Date.parse('2024-01-01') + minute * 60_000).toISOString().slice(0, 19),
  )

  test('is made free of what was not used for longest, not of what is used', async () => {
    const world = await createWorld(many('first') + many('second') + many('third').replace('[number]', '[number, at]'))
    await world.write(times)
    const probe = await world.node('roomy')
    await probe.untilKept('first')
    const [table] = [...probe.keeper.find(world.define('first'), whole, { isStrict: true, builds: false }).state.tables]
    const bytes = table?.[1].bytes ?? 0
    expect(bytes).toBeGreaterThan(10_000)
    // `first` and `second` are one and the same by their rows, and share a table.
    const node = await world.node('narrow', { diskBytes: Math.round(bytes * 1.05) })
    await node.untilKept('first')
    const [old] = node.files('first').values()
    const full = () => node.keeper.find(world.define('third'), whole, { isStrict: true, builds: true })
    await expect.poll(() => JSON.stringify({ ...full(), state: undefined }), { timeout: 20_000 }).toMatch(/may take/)
    expect([...node.files('first').values()]).toEqual([old])
    world.pass(20 * 60_000)
    await expect.poll(() => full() && node.keeper.look(world.deploymentId, world.define('first').hash)).toBeUndefined()
    // Queries that began before may still read the file.
    expect(await readdir(join(directory, 'files', 'narrow', String(world.deploymentId)))).toContain(old)
  })
})
