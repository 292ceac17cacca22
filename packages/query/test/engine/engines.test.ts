import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { readDataSources } from '../../src/data-sources.ts'
import { createDuckDbDriver } from '../../src/drivers/duckdb/duckdb.ts'
import { createEngines } from '../../src/engine/engines.ts'
import { uncountedBytes } from '../../src/engine/messages.ts'
import type { OpenSource } from '../../src/shapes/driver.ts'
import { createDataFolder } from '../support/data-folder.ts'
import { engineProcesses, isAlive } from '../support/engine-processes.ts'
import { runWhole } from '../support/run-whole.ts'

const memoryBytes = 128 * 2 ** 20
const engines = createEngines({ memoryBytes, computeBytes: memoryBytes })
afterAll(() => engines.close())

async function open(): Promise<OpenSource> {
  const { data } = createDataFolder()
  const source = readDataSources({}, { dataDirectory: data }).get('default')
  const opened = await createDuckDbDriver({ memoryBytes, threads: 2 }, engines).open(source)
  onTestFinished(() => opened.close())
  return opened
}

const endless = 'SELECT count(*) FROM range(1000000000) a, range(1000000) b'

/** Each takes gigabytes that DuckDB does not count, or counts late. */
const hostile = [
  "SELECT sum(length(repeat('x', 100000000 + range::INTEGER))) FROM range(60)",
  "SELECT length(replace(repeat('x', 50000000), 'x', repeat('y', 60)))",
  "SELECT length(string_agg(repeat('x', 100000), ',')) FROM range(30000)",
  "SELECT max(length(list_reduce(list_transform(range(32), i -> 'x'), (a, b) -> a || a || b)))",
  "SELECT length(rpad('x', 1500000000, 'y')) + length(lpad('x', 1500000000, 'y'))",
  "SELECT list_transform(range(40), i -> repeat('x', 100000000 + i::INTEGER))",
  "SELECT length(repeat('x', 2000000000))",
  'SELECT array_to_string(range(200000000), chr(44))',
  "SELECT repeat('x', 90000000) FROM range(30)",
]

describe('a statement that takes more memory than it may', () => {
  test.each(hostile)('ends with an error, and the next one runs: %s', async sql => {
    const opened = await open()
    const [first] = engineProcesses()
    let peak = 0
    const watching = setInterval(() => {
      peak = Math.max(peak, ...engineProcesses().map(({ residentBytes }) => residentBytes))
    }, 10)
    const outcome = await runWhole(opened, { sql }).then(
      () => 'an answer',
      error => error.message,
    )
    clearInterval(watching)
    expect(outcome).toMatch(/needs more than the 128 MB of memory|exceeds|too large|The result takes more than/i)
    // What was taken between two looks at it is beyond the limit; gigabytes are not.
    expect(peak).toBeLessThan(memoryBytes + uncountedBytes + 512 * 2 ** 20)
    expect(first).toBeDefined()
    expect((await runWhole(opened, { sql: 'SELECT 42' })).rows).toEqual([['42']])
  })
})

describe('the process of a statement', () => {
  test('that is killed takes nothing else with it', async () => {
    const opened = await open()
    const other = await open()
    const before = new Set(engineProcesses().map(({ pid }) => pid))
    const lost = runWhole(opened, { sql: endless }).catch(error => error)
    const [busy] = await busiest()
    const going = runWhole(other, { sql: 'SELECT count(*) FROM range(10000000) a, range(8) b' })
    process.kill(busy, 'SIGKILL')
    expect(await lost).toMatchObject({
      code: 'query_failed',
      message:
        'The process that computed the statement ended unexpectedly (SIGKILL). Nothing else was lost: ask again.',
    })
    expect((await going).rows).toEqual([['80000000']])
    expect((await runWhole(opened, { sql: 'SELECT 42' })).rows).toEqual([['42']])
    expect(before.has(busy)).toBe(true)
  })

  test('ends when it hears no more', async () => {
    const opened = await open()
    const gone = new AbortController()
    const stopped = runWhole(opened, { sql: endless }, gone.signal)
    const [busy] = await busiest()
    process.kill(busy, 'SIGSTOP')
    gone.abort(new Error('gone'))
    await expect(stopped).rejects.toThrow('gone')
    expect(isAlive(busy)).toBe(false)
    expect((await runWhole(opened, { sql: 'SELECT 42' })).rows).toEqual([['42']])
  })

  test('knows nothing of the environment of the server', async () => {
    process.env.HEDRON_TEST_SECRET = 'hunter2'
    await open()
    const [first] = engineProcesses()
    const known = readFileSync(`/proc/${first?.pid}/environ`, 'utf8').split('\0').filter(Boolean)
    // Which folder it runs in is what the shell adds.
    expect(known.filter(variable => variable !== 'PWD=/').sort()).toEqual(['TZ=UTC', 'UV_THREADPOOL_SIZE=4'])
  })

  test('is used again, and one more is kept ready', async () => {
    const opened = await open()
    const pids = () => engineProcesses().map(({ pid }) => pid)
    const before = pids()
    for (let count = 0; count < 5; count++) await runWhole(opened, { sql: 'SELECT 1' })
    expect(before.every(pid => pids().includes(pid))).toBe(true)
    expect(pids().length).toBeLessThanOrEqual(before.length + 1)
  })

  test('that is kept ready stays, and those of a source do not', async () => {
    const { data } = createDataFolder()
    const own = createEngines({ memoryBytes, idleMs: 100 })
    onTestFinished(() => own.close())
    own.warm()
    own.warm()
    expect(own.count()).toBe(1)
    await new Promise(resolve => setTimeout(resolve, 300))
    expect(own.count()).toBe(1)
    const source = readDataSources({}, { dataDirectory: data }).get('default')
    await createDuckDbDriver({ memoryBytes }, own).open(source)
    // Another one in its place, which stays.
    await expect.poll(() => own.count(), { timeout: 10_000 }).toBe(1)
    await new Promise(resolve => setTimeout(resolve, 1_000))
    expect(own.count()).toBe(1)
  })

  test('ends when all is closed', async () => {
    const { data } = createDataFolder()
    const own = createEngines({ memoryBytes })
    const source = readDataSources({}, { dataDirectory: data }).get('default')
    const opened = await createDuckDbDriver({ memoryBytes }, own).open(source)
    expect(own.count()).toBeGreaterThan(0)
    await opened.close()
    await own.close()
    expect(own.count()).toBe(0)
    await expect(createDuckDbDriver({ memoryBytes }, own).open(source)).rejects.toMatchObject({
      code: 'service_closed',
    })
  })

  test('ends when the server is killed, whatever it computes', async () => {
    const { data } = createDataFolder()
    const source = join(import.meta.dirname, '../../src')
    const script = `
      const { createDrivers, readDataSources } = await import(${JSON.stringify(join(source, 'index.ts'))})
      const [driver] = createDrivers()
      const opened = await driver.open(readDataSources({}, { dataDirectory: ${JSON.stringify(data)} }).get('default'))
      opened.stream({ sql: ${JSON.stringify(endless)}, parameters: [] }, { columns() {}, rows() {} }, new AbortController().signal)
      console.log('running')
    `
    const server = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    await once(server.stdout, 'data')
    const started = engineProcesses(server.pid)
    expect(started.length).toBeGreaterThan(0)
    server.kill('SIGKILL')
    await expect.poll(() => started.filter(({ pid }) => isAlive(pid)), { timeout: 10_000 }).toEqual([])
  })
})

/** The engine that computes most, once one has for a tenth of a second. */
async function busiest(): Promise<readonly [number]> {
  const ticks = (pid: number) => {
    const [, user = '0', system = '0'] =
      /\) \S (?:\S+ ){10}(\S+) (\S+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? []
    return Number(user) + Number(system)
  }
  const before = new Map(engineProcesses().map(({ pid }) => [pid, ticks(pid)]))
  for (;;) {
    await new Promise(resolve => setTimeout(resolve, 50))
    const busy = engineProcesses().find(({ pid }) => ticks(pid) - (before.get(pid) ?? 0) > 10)
    if (busy) return [busy.pid]
  }
}
