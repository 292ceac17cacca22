import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readdir, readFile, rename, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { type Database, openDatabase } from '../src/database.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../src/postgres/embedded-postgres.ts'
import { isServerOf } from '../src/postgres/process-identity.ts'
import { findUnprivilegedUser } from '../src/postgres/system-user.ts'
import { type StoreLog, silent } from '../src/store-log.ts'
import { endServer, isRoot, serverPid, temporaryFolder } from './support/directories.ts'
import { startWriter } from './support/programs.ts'

const start = async (directory: string, log: StoreLog = silent): Promise<EmbeddedPostgres> => {
  const server = await startEmbeddedPostgres({ directory, log })
  onTestFinished(() => server.stop())
  return server
}

const open = async (directory: string, log: StoreLog = silent): Promise<Database<object>> => {
  const database = await openDatabase<object>({ directory }, { log })
  onTestFinished(() => database.close())
  return database
}

const one = async (database: Database<object>, expression: string) =>
  (await sql.raw<{ value: unknown }>(`select ${expression} as value`).execute(database.kysely)).rows[0]?.value

const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8)

test('a new directory becomes a database that is durable, private and the same everywhere', async () => {
  const home = join(await temporaryFolder(), 'database')
  const database = await open(home)
  for (const [setting, value] of Object.entries({
    fsync: 'on',
    full_page_writes: 'on',
    synchronous_commit: 'on',
    data_checksums: 'on',
    listen_addresses: '',
    server_encoding: 'UTF8',
    jit: 'off',
    timezone: 'UTC',
    max_connections: '100',
    data_directory: join(home, 'data'),
  })) {
    expect([setting, await one(database, `current_setting('${setting}')`)]).toEqual([setting, value])
  }
  expect(await one(database, `'a' > 'B' and lower('Ä') = 'ä'`)).toBe(true)
  expect(await one(database, `(select string_agg(distinct auth_method, ',') from pg_hba_file_rules)`)).toBe(
    'scram-sha-256',
  )
  expect(await modeOf(join(home, 'data'))).toBe('700')
  expect(await modeOf(join(home, 'password'))).toBe('600')
  expect(await modeOf(join(home, 'hedron.lock'))).toBe('600')
  expect(await modeOf(home)).toBe(isRoot ? '711' : '700')
})

test('data is kept from one start to the next', async () => {
  const home = join(await temporaryFolder(), 'database')
  const first = await openDatabase({ directory: home })
  await sql`create table kept as select 42 as value`.execute(first.kysely)
  await first.close()
  expect(existsSync(join(home, 'data', 'postmaster.pid'))).toBe(false)
  expect(await one(await open(home), '(select value from kept)')).toBe(42)
})

test('a directory in use is refused, in this process and in another, and named with the pid', async () => {
  const home = join(await temporaryFolder(), 'database')
  const writer = startWriter(home)
  onTestFinished(() => endServer(home))
  await writer.wrote(1)
  const refused = { code: 'directory_in_use', message: expect.stringMatching(`${home} .* process ${writer.pid}\\.`) }
  await expect(startEmbeddedPostgres({ directory: home, log: silent })).rejects.toMatchObject(refused)
  await writer.wrote(writer.acknowledged.length + 10) // and not disturbed

  const own = join(await temporaryFolder(), 'database')
  await start(own)
  await expect(startEmbeddedPostgres({ directory: own, log: silent })).rejects.toMatchObject({
    code: 'directory_in_use',
    message: expect.stringContaining('already open in this process'),
  })
})

test('of two that start at once on a new directory one gets it', async () => {
  const home = join(await temporaryFolder(), 'database')
  onTestFinished(() => endServer(home))
  const writers = [startWriter(home), startWriter(home)]
  const outcomes = await Promise.allSettled(writers.map(writer => writer.opened))
  expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  expect(String(outcomes.find(outcome => outcome.status === 'rejected')?.reason)).toContain('directory_in_use')
  for (const writer of writers) writer.kill()
  await Promise.all(writers.map(writer => writer.ended))
})

test('Ctrl-C reaches Hedron alone: the server stays until Hedron is done', async () => {
  const home = join(await temporaryFolder(), 'database')
  onTestFinished(() => endServer(home))
  const writer = startWriter(home)
  await writer.wrote(1)
  writer.interruptGroup()
  const { event, log } = await writer.ended
  expect(event).toBe('closed')
  expect(log).toEqual([expect.stringContaining('Making a new database')]) // and nothing of a server that went
})

test('a server that is killed comes back and the pool with it', async () => {
  const home = join(await temporaryFolder(), 'database')
  const said: string[] = []
  const database = await open(home, (level, message) => said.push(`${level}: ${message}`))
  await sql`create table kept as select 42 as value`.execute(database.kysely)
  for (let round = 0; round < 2; round++) {
    const before = await serverPid(home)
    process.kill(before, 'SIGKILL')
    await expect.poll(() => isServerOf(before, join(home, 'data'))).toBe(false)
    // A connection may outlive its server by a moment, and answer in it.
    const running = () => serverPid(home).catch(() => before)
    await expect.poll(running, { timeout: 20_000 }).not.toBe(before)
    // Whoever asks on one that is gone is told so, and asks again.
    const ask = () => one(database, '(select value from kept)').catch((error: unknown) => String(error))
    await expect.poll(ask, { timeout: 20_000 }).toBe(42)
    // One that goes while it is still being started is told of in other words.
    await expect
      .poll(() => said.filter(line => line.includes('runs again')), { timeout: 20_000 })
      .toHaveLength(round + 1)
  }
  expect(
    said.filter(line => line.startsWith('error: The embedded PostgreSQL is gone: it was ended by SIGKILL')),
  ).toHaveLength(2)
})

test('stopping while the server is being started again ends both', async () => {
  const home = join(await temporaryFolder(), 'database')
  const server = await start(home)
  const before = await serverPid(home)
  process.kill(before, 'SIGKILL')
  await sleep(20)
  await server.stop()
  await sleep(300)
  const after = await serverPid(home).catch(() => undefined)
  expect(after === undefined || after === before || !(await isServerOf(after, join(home, 'data')))).toBe(true)
  await start(home)
})

test('a process that exits without closing takes its server with it', async () => {
  const home = join(await temporaryFolder(), 'database')
  onTestFinished(() => endServer(home))
  const database = new URL('../src/database.ts', import.meta.url).href
  const code = `const { openDatabase } = await import('${database}'); await openDatabase({ directory: '${home}' }); process.exit(3)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: 'inherit' })
  const { promise: exited, resolve } = Promise.withResolvers<number | null>()
  child.once('exit', resolve)
  expect(await exited).toBe(3)
  await expect.poll(() => existsSync(join(home, 'data', 'postmaster.pid')), { timeout: 10_000 }).toBe(false)
})

test.each([
  {
    name: 'a stranger that took over the pid',
    content: (pid: number, text: string) => text.replace(/^\d+/, String(pid)),
  },
  { name: 'nothing, as after a power loss', content: () => '' },
  { name: 'zeros, as after a power loss', content: () => '\0'.repeat(64) },
  { name: 'a pid that nobody has', content: (_: number, text: string) => text.replace(/^\d+/, '4194303') },
])('a pid file that names $name does not keep the server from starting', async ({ content }) => {
  const home = join(await temporaryFolder(), 'database')
  const first = await start(home)
  const file = join(home, 'data', 'postmaster.pid')
  const text = await readFile(file, 'utf8')
  const { uid, gid } = await stat(file)
  await first.stop()

  const stranger = spawn('sleep', ['60'], { uid, gid, cwd: '/' })
  onTestFinished(() => void stranger.kill())
  await writeFile(file, content(stranger.pid ?? 0, text), { mode: 0o600 })
  await import('node:fs/promises').then(({ chown }) => chown(file, uid, gid))
  expect((await start(home)).home).toBe(home)
  expect(stranger.exitCode).toBe(null)
})

test('a server of the same directory that this process can not see is not joined by a second one', async () => {
  const folder = await temporaryFolder()
  const home = join(folder, 'database')
  const first = await start(home)
  const file = join(home, 'data', 'postmaster.pid')
  const lines = (await readFile(file, 'utf8')).split('\n')
  await first.stop()
  const elsewhere = createServer().listen(join(folder, '.s.PGSQL.5432'))
  onTestFinished(() => void elsewhere.close())
  await writeFile(file, ['4194303', ...lines.slice(1, 4), folder, ...lines.slice(5)].join('\n'))
  await expect(startEmbeddedPostgres({ directory: home, log: silent })).rejects.toMatchObject({
    code: 'server_elsewhere',
  })
})

test('paths that are long, or have spaces, quotes and commas', async () => {
  const folder = await temporaryFolder()
  for (const name of ['x'.repeat(120), `it's "a", ümläut`]) {
    const database = await openDatabase<object>({ directory: join(folder, name) })
    expect(await one(database, `current_setting('data_directory')`)).toBe(join(folder, name, 'data'))
    expect(Buffer.byteLength(`${database.where.split(' on ')[1]}/.s.PGSQL.5432`)).toBeLessThanOrEqual(107)
    await database.close()
  }
})

test('a directory that was moved keeps its data', async () => {
  const folder = await temporaryFolder()
  const first = await openDatabase<object>({ directory: join(folder, 'a') })
  await sql`create table kept as select 42 as value`.execute(first.kysely)
  await first.close()
  await rename(join(folder, 'a'), join(folder, 'b'))
  expect(await one(await open(join(folder, 'b')), '(select value from kept)')).toBe(42)
})

test('what can not be used is refused with what to do, and left as it is', async () => {
  const home = join(await temporaryFolder(), 'database')
  await (await start(home)).stop()
  const attempt = () => startEmbeddedPostgres({ directory: home, log: silent })

  await writeFile(join(home, 'data', 'PG_VERSION'), '17\n')
  await expect(attempt()).rejects.toMatchObject({
    code: 'version_mismatch',
    message: expect.stringMatching(/17.*carries.*18.*pg_upgrade/),
  })
  await rm(join(home, 'data', 'PG_VERSION'))
  await expect(attempt()).rejects.toMatchObject({ code: 'data_damaged' })
  await writeFile(join(home, 'data', 'PG_VERSION'), '18\n')

  const password = await readFile(join(home, 'password'), 'utf8')
  await rm(join(home, 'password'))
  await expect(attempt()).rejects.toMatchObject({ code: 'password_missing' })
  await writeFile(join(home, 'password'), 'wrong\n')
  await expect(attempt()).rejects.toMatchObject({ code: 'password_refused' })
  await writeFile(join(home, 'password'), password)

  const control = join(home, 'data', 'global', 'pg_control')
  const { size } = await stat(control)
  const bytes = await readFile(control)
  await truncate(control, 10)
  const error = await attempt().catch((thrown: unknown) => thrown)
  expect(error).toMatchObject({ code: 'start_failed', message: expect.stringContaining('pg_control') })
  await writeFile(control, bytes)
  expect((await stat(control)).size).toBe(size)
  await start(home)
})

test('no interrupted initdb is left, nor taken for a database', async () => {
  const home = join(await temporaryFolder(), 'database')
  onTestFinished(() => endServer(home))
  for (const milliseconds of [0, 60, 150, 300]) {
    const writer = startWriter(home)
    await expect
      .poll(async () => (await readdir(home).catch(() => [])).some(name => name.startsWith('initializing-')), {
        interval: 2,
        timeout: 10_000,
      })
      .toBe(true)
    await sleep(milliseconds)
    writer.kill()
    await writer.ended
    if (existsSync(join(home, 'data'))) await rm(join(home, 'data'), { recursive: true, force: true })
  }
  const database = await open(home)
  expect(await one(database, '1')).toBe(1)
  expect((await readdir(home)).filter(name => name.startsWith('initializing-'))).toEqual([])
})

test('the log is bounded while the server writes to it', async () => {
  const { boundServerLog } = await import('../src/postgres/server-log.ts')
  const home = join(await temporaryFolder(), 'database')
  const database = await open(home)
  const log = join(home, 'postgres.log')
  await truncate(log, 9 * 1024 * 1024)
  await boundServerLog(log)
  await sql`select pg_reload_conf()`.execute(database.kysely)
  await expect.poll(() => readFile(log, 'utf8')).toMatch(/^\d{4}-.*SIGHUP/)
  expect((await stat(`${log}.1`)).size).toBe(9 * 1024 * 1024)
})

test.runIf(isRoot)('root: the server runs as somebody else, who owns the data and nothing more', async () => {
  const home = join(await temporaryFolder(), 'database')
  const database = await open(home)
  const user = findUnprivilegedUser(await readFile('/etc/passwd', 'utf8'))
  expect((await stat(`/proc/${await serverPid(home)}`)).uid).toBe(user?.uid)
  expect((await stat(join(home, 'data'))).uid).toBe(user?.uid)
  expect((await stat(join(home, 'password'))).uid).toBe(0)
  expect(database.note).toBeUndefined()
})
