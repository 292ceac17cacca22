import { existsSync } from 'node:fs'
import { chmod, chown, cp, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '../src/database.ts'
import { completeLinks, locateBinaries, program } from '../src/postgres/binaries.ts'
import { startEmbeddedPostgres } from '../src/postgres/embedded-postgres.ts'
import { choosePlace } from '../src/postgres/place.ts'
import { runProgram } from '../src/postgres/run-program.ts'
import { canEnter, findUnprivilegedUser, findUserOf, readUsers } from '../src/postgres/system-user.ts'
import { silent } from '../src/store-log.ts'
import { endServer, isRoot, serverPid, temporaryFolder } from './support/directories.ts'
import { startWriter } from './support/programs.ts'

const nobody = { uid: 65534, gid: 65534 }

/** Whether the tests' own programs can be run as nobody from where this tree is. */
const nobodyCanRun =
  isRoot && (await canEnter(import.meta.dirname, nobody)) && (await canEnter(process.execPath, nobody))

describe.runIf(nobodyCanRun)('as a plain user', () => {
  test('the database is that user’s own, survives kill -9, and is stopped on the way out', async () => {
    const folder = await temporaryFolder()
    await chown(folder, nobody.uid, nobody.gid)
    const home = join(folder, 'database')
    onTestFinished(() => endServer(home))
    const first = startWriter(home, { user: nobody })
    expect((await first.opened).note).toBe(null)
    await first.wrote(20)
    expect((await stat(`/proc/${await serverPid(home)}`)).uid).toBe(nobody.uid)
    expect((await stat(home)).mode & 0o777).toBe(0o700)
    first.kill()
    await first.ended
    const second = startWriter(home, { user: nobody })
    const { ids, log } = await second.opened
    expect(ids).toEqual(expect.arrayContaining([...first.acknowledged]))
    expect(log.join()).toContain('that an earlier Hedron left')
    second.interruptGroup()
    expect(await second.ended).toMatchObject({ event: 'closed' })

    // The same directory used by root, and by its user again: nothing becomes root's on the way.
    const database = await openDatabase<object>({ directory: home })
    expect((await stat(`/proc/${await serverPid(home)}`)).uid).toBe(nobody.uid)
    await database.close()
    const third = startWriter(home, { user: nobody })
    expect((await third.opened).ids.length).toBeGreaterThanOrEqual(second.acknowledged.length)
    third.interruptGroup()
    expect(await third.ended).toMatchObject({ event: 'closed' })
  })

  test('root’s database is refused with what to do', async () => {
    const home = join(await temporaryFolder(), 'database')
    await (await startEmbeddedPostgres({ directory: home, log: silent })).stop()
    await expect(startWriter(home, { user: nobody }).opened).rejects.toThrow(
      `directory_of_another_user: The database of ${home}`,
    )
  })
})

const hasSetpriv = isRoot && existsSync('/usr/bin/setpriv')

describe.runIf(hasSetpriv)('as root with the powers of a container', () => {
  const container = ['chown', 'dac_override', 'fowner', 'fsetid', 'kill', 'setgid', 'setuid', 'setpcap']
  const withOnly = (powers: readonly string[]) => [
    '/usr/bin/setpriv',
    `--bounding-set=${['-all', ...powers.map(power => `+${power}`)].join(',')}`,
  ]

  test('an orphan is known though its working directory is hidden', async () => {
    const home = join(await temporaryFolder(), 'database')
    onTestFinished(() => endServer(home))
    const first = startWriter(home, { through: withOnly(container) })
    await first.wrote(10)
    first.kill()
    await first.ended
    const second = startWriter(home, { through: withOnly(container) })
    const { ids, log } = await second.opened
    expect(ids).toEqual(expect.arrayContaining([...first.acknowledged]))
    expect(log.join()).toContain('that an earlier Hedron left')
    second.interruptGroup()
    expect(await second.ended).toMatchObject({ event: 'closed' })
  })

  test('without the right to switch users the message says so', async () => {
    const home = join(await temporaryFolder(), 'database')
    await expect(startWriter(home, { through: withOnly([]) }).opened).rejects.toThrow('user_switch_refused')
  })
})

describe.runIf(isRoot)('as root, in a directory that the server’s user can’t enter', () => {
  const start = (directory: string, systemDirectory: string) =>
    startEmbeddedPostgres({ directory, systemDirectory, log: silent })

  test('the database goes to the system directory, says so, and is found again', async () => {
    const closed = await temporaryFolder(0o700)
    const systemDirectory = join(await temporaryFolder(), 'system')
    const directory = join(closed, 'database')
    const first = await start(directory, systemDirectory)
    expect(first.home.startsWith(`${systemDirectory}/`)).toBe(true)
    expect(first.note).toMatch(`the database of ${directory} is in ${first.home}`)
    await first.stop()

    const moved = join(closed, 'moved')
    await rename(directory, moved)
    const second = await start(moved, systemDirectory)
    expect(second.home).toBe(first.home)
    await expect(start(moved, systemDirectory)).rejects.toMatchObject({ code: 'directory_in_use' })
    await second.stop()

    // Removed and made again means a new beginning.
    await rename(moved, directory)
    await rm(directory, { recursive: true })
    const third = await start(directory, systemDirectory)
    await third.stop()
    expect(third.home).not.toBe(first.home)

    await rm(third.home, { recursive: true })
    await expect(start(directory, systemDirectory)).rejects.toMatchObject({
      code: 'database_moved',
      message: expect.stringContaining(third.home),
    })
  })

  test('a strict umask does not shut it out', async () => {
    const directory = join(await temporaryFolder(0o700), 'database')
    const systemDirectory = join(await temporaryFolder(), 'system')
    const before = process.umask(0o077)
    try {
      await (await start(directory, systemDirectory)).stop()
    } finally {
      process.umask(before)
    }
  })

  test('kill -9 there leaves nothing that the next start can not handle', async () => {
    const directory = join(await temporaryFolder(0o700), 'database')
    const systemDirectory = join(await temporaryFolder(), 'system')
    const first = startWriter(directory, { systemDirectory })
    const { note } = await first.opened
    await first.wrote(20)
    first.kill()
    await first.ended
    const second = startWriter(directory, { systemDirectory })
    const { ids, note: secondNote } = await second.opened
    expect(ids).toEqual(expect.arrayContaining([...first.acknowledged]))
    expect(secondNote).toBe(note)
    second.interruptGroup()
    expect(await second.ended).toMatchObject({ event: 'closed' })
  })

  test('a database whose folders were closed later is not replaced by an empty one', async () => {
    const parent = await temporaryFolder()
    const directory = join(parent, 'database')
    await (await start(directory, join(parent, 'system'))).stop()
    await chmod(parent, 0o700)
    await expect(start(directory, join(parent, 'system'))).rejects.toMatchObject({ code: 'directory_not_enterable' })
  })

  test('programs that can’t be entered are copied once, and run as that user', async () => {
    const closed = await temporaryFolder(0o700)
    const systemDirectory = join(await temporaryFolder(), 'system')
    const binaries = await locateBinaries()
    const hidden = { ...binaries, folder: join(closed, 'native') }
    await cp(binaries.folder, hidden.folder, { recursive: true, verbatimSymlinks: true })
    const [first, second] = await Promise.all([
      choosePlace(join(await temporaryFolder(), 'a'), hidden, systemDirectory),
      choosePlace(join(await temporaryFolder(), 'b'), hidden, systemDirectory),
    ])
    expect(first.native).toBe(join(systemDirectory, `postgresql-${binaries.version}`, 'native'))
    expect(second.native).toBe(first.native)
    expect(first.note).toContain(first.native)
    const limits = { cwd: '/', user: first.serverUser, milliseconds: 10_000 }
    const { code, output } = await runProgram(program(first.native, 'postgres'), ['--version'], limits)
    expect([code, output]).toEqual([0, expect.stringContaining(`PostgreSQL) ${binaries.major}.`)])
  })
})

test('links that npm was not allowed to make are made', async () => {
  const folder = join(await temporaryFolder(), 'native')
  await mkdir(join(folder, 'lib'), { recursive: true })
  await writeFile(join(folder, 'lib', 'libone.so.1.2'), 'content')
  const links = [{ source: 'native/lib/libone.so.1.2', target: 'native/lib/libone.so.1' }]
  await writeFile(join(folder, 'pg-symlinks.json'), JSON.stringify(links))
  expect(await completeLinks(folder)).toBe(true)
  expect(await completeLinks(folder)).toBe(true)
  expect(await readFile(join(folder, 'lib', 'libone.so.1'), 'utf8')).toBe('content')
})

test.each([
  ['sunos', 'x64', 'platform_unsupported'],
  ['linux', 's390x', 'platform_unsupported'],
  ['win32', 'x64', 'package_missing'],
])('a platform without PostgreSQL (%s, %s) is told about HEDRON_DATABASE_URL', async (platform, architecture, code) => {
  await expect(locateBinaries(platform, architecture)).rejects.toMatchObject({
    code,
    message: expect.stringContaining('Set HEDRON_DATABASE_URL'),
  })
})

test('a program for another C library is told from a missing one', async () => {
  const path = join(await temporaryFolder(), 'postgres')
  await writeFile(path, '#!/lib/ld-musl-nowhere.so.1\n', { mode: 0o755 })
  const limits = { cwd: '/', user: undefined, milliseconds: 1_000 }
  await expect(runProgram(path, [], limits)).rejects.toMatchObject({
    code: 'platform_unsupported',
    message: expect.stringContaining('no glibc'),
  })
  await expect(runProgram(`${path}-missing`, [], limits)).rejects.toMatchObject({ code: 'ENOENT' })
})

test('the user to run as is found by name, never root', () => {
  const passwd =
    'root:x:0:0::/root:/bin/sh\nnobody:x:65534:65533::/:\n# comment\npostgres:x:70:71::/var/lib/postgres:/bin/sh\n'
  expect(findUnprivilegedUser(passwd)).toEqual({ name: 'postgres', uid: 70, gid: 71 })
  expect(findUnprivilegedUser(passwd.replace('postgres:x:70', 'postgres:x:0'))?.name).toBe('nobody')
  expect(findUnprivilegedUser('root:x:0:0::/root:/bin/sh\nnobody:*:-2:-2::/:\n')).toBeUndefined()
  expect(findUserOf(passwd, { uid: 1000, gid: 1000 })).toEqual({ name: '1000', uid: 1000, gid: 1000 })
})

test('who may enter a folder follows owner, group and mode of all above it', async () => {
  const folder = await temporaryFolder(0o750)
  const { uid, gid } = await stat(folder)
  const inner = join(folder, 'inner')
  await mkdir(inner, { mode: 0o755 })
  expect(await canEnter(inner, { uid, gid: gid + 1 })).toBe(true)
  expect(await canEnter(inner, { uid: uid + 1, gid })).toBe(true)
  expect(await canEnter(inner, { uid: uid + 1, gid: gid + 1 })).toBe(false)
  await chmod(folder, 0o711)
  expect(await canEnter(inner, { uid: uid + 1, gid: gid + 1 })).toBe(true)
  expect(await readUsers()).toContain('root:')
})
