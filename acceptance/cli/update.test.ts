import { spawn } from 'node:child_process'
import { createPrivateKey, generateKeyPairSync, sign } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { chmod, copyFile, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { binaryName, buildBinary, buildCli, packageVersion, target } from './binary.ts'

const newVersion = '99.0.1'
const { privateKey } = generateKeyPairSync('ed25519')
const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()

let folder = ''
/** What the server of releases gives out. */
let release = ''
let server: Server
let address = ''
let version = ''
let requests: string[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hedron-release-'))
  release = join(folder, 'release')
  version = await packageVersion()
  server = createServer((request, response) => {
    requests.push(request.url ?? '')
    if (request.url?.startsWith('/moved/')) {
      response.writeHead(302, { location: request.url.replace('/moved/', '/') }).end()
      return
    }
    const file = createReadStream(join(release, basename(request.url ?? '')))
    file.on('error', () => response.writeHead(404).end('<html>nothing here</html>'))
    file.pipe(response)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  address = `http://127.0.0.1:${port}`
  const environment = { HEDRON_RELEASE_KEY: pem, HEDRON_RELEASE_URL: `${address}/moved` }
  await buildBinary(release, environment)
  await buildCli(['--publish', '--out', release], environment)
})
afterAll(async () => {
  await new Promise<void>(resolve => server.close(() => resolve()))
  await rm(folder, { recursive: true, force: true })
})

async function run(program: string, argv: readonly string[], environment: Readonly<Record<string, string>> = {}) {
  const home = join(folder, 'home')
  const child = spawn(program, [...argv], {
    env: { PATH: process.env.PATH, HOME: home, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const exited = new Promise<number | null>((resolve, reject) => child.once('close', resolve).once('error', reject))
  const [stdout, stderr, exitCode] = await Promise.all([text(child.stdout), text(child.stderr), exited])
  return { exitCode, stdout, stderr }
}

/** A copy of the binary in a folder of its own. */
async function installed(name: string): Promise<string> {
  const place = join(folder, name)
  await mkdir(place, { recursive: true })
  await copyFile(join(release, binaryName), join(place, 'hedron'))
  await chmod(join(place, 'hedron'), 0o755)
  return join(place, 'hedron')
}

/** A release of a later version, whose program is a script that names it; signed by `key`. */
async function nextRelease(change: (bytes: Buffer) => Buffer = bytes => bytes, key = privateKey): Promise<string> {
  const name = `hedron-${newVersion}-${target}.gz`
  const program = `#!/bin/sh\necho 'Hedron CLI ${newVersion}'\n`
  const bytes = gzipSync(program)
  const { createHash } = await import('node:crypto')
  const sums = `${createHash('sha256').update(bytes).digest('hex')}  ${name}\n`
  const place = await mkdtemp(join(folder, 'next-'))
  await writeFile(join(place, name), change(bytes))
  await writeFile(join(place, 'SHA256SUMS'), sums)
  await writeFile(join(place, 'SHA256SUMS.sig'), sign(null, Buffer.from(sums), key))
  return place
}

/** Serves another folder while `work` runs. */
async function serving<T>(other: string, work: () => Promise<T>): Promise<T> {
  const before = release
  release = other
  try {
    return await work()
  } finally {
    release = before
  }
}

describe('the binary', () => {
  test('is one file that names its version, and reads nothing of the folder it is run in', async () => {
    const program = await installed('alone')
    const hostile = join(folder, 'hostile')
    await mkdir(hostile, { recursive: true })
    await writeFile(join(hostile, 'evil.js'), 'console.log("EVIL")')
    await writeFile(join(hostile, 'bunfig.toml'), 'preload = ["./evil.js"]\n')
    await writeFile(join(hostile, '.env'), 'HEDRON_API_URL=http://evil\nHEDRON_API_KEY=evil\n')
    const child = spawn(program, ['whoami'], {
      cwd: hostile,
      env: { HOME: hostile },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
    expect(stdout).toBe('')
    expect(stderr).toContain('not logged in')
    expect(await run(program, ['--version'])).toEqual({ exitCode: 0, stdout: `Hedron CLI ${version}\n`, stderr: '' })
  })

  test('its release has archives, checksums, a signature and installers', async () => {
    const names = await readdir(release)
    const archive = `hedron-${version}-${target}.gz`
    expect(names).toEqual(
      expect.arrayContaining([archive, 'SHA256SUMS', 'SHA256SUMS.sig', 'install.sh', 'install.ps1']),
    )
    const unpacked = gunzipSync(await readFile(join(release, archive)))
    expect(unpacked.equals(await readFile(join(release, binaryName)))).toBe(true)
    expect(await readFile(join(release, 'install.ps1'), 'utf8')).not.toContain('@RELEASE')
  })
})

describe('update', () => {
  test('says that nothing is newer, and follows redirects of the address', async () => {
    const program = await installed('current')
    requests = []
    expect(await run(program, ['update'])).toEqual({
      exitCode: 0,
      stdout: `✓ hedron ${version} is up to date (latest release: ${version})\n`,
      stderr: '',
    })
    expect(requests).toContain('/moved/SHA256SUMS')
  })

  test('--check reports and changes nothing; update replaces the program in one step', async () => {
    const program = await installed('old')
    const link = join(folder, 'link')
    await symlink(program, link)
    await serving(await nextRelease(), async () => {
      const checked = await run(program, ['update', '--check'])
      expect(checked).toMatchObject({ exitCode: 0 })
      expect(checked.stdout).toBe(
        `Current version: ${version}\nLatest release:  ${newVersion}\nRun \`hedron update\` to install it.\n`,
      )
      expect((await run(program, ['--version'])).stdout).toContain(version)
      const updated = await run(link, ['update', '--json'])
      expect(JSON.parse(updated.stdout)).toMatchObject({ current: version, latest: newVersion, updated: true })
    })
    expect((await run(program, ['--version'])).stdout).toBe(`Hedron CLI ${newVersion}\n`)
    expect((await stat(program)).mode & 0o777).toBe(0o755)
    expect(await readdir(join(folder, 'old'))).toEqual(['hedron'])
  })

  test.each([
    ['signed by another key', () => nextRelease(bytes => bytes, generateKeyPairSync('ed25519').privateKey), 'signed'],
    ['with other bytes than it lists', () => nextRelease(bytes => Buffer.concat([bytes, bytes])), 'SHA256SUMS lists'],
    ['that is a web page', async () => folder, 'answered 404'],
  ])('a release %s is refused and the program stays as it is', async (_, make, reason) => {
    const program = await installed('careful')
    const before = await stat(program)
    const refused = await serving(await make(), () => run(program, ['update']))
    expect(refused.exitCode).toBe(1)
    expect(refused.stderr).toContain(reason)
    expect((await stat(program)).ino).toBe(before.ino)
    expect(await readdir(join(folder, 'careful'))).toEqual(['hedron'])
  })

  test('a build without a key does not update itself', async () => {
    const plain = await buildBinary(join(folder, 'plain'))
    const refused = await run(plain, ['update'], { HEDRON_UPDATE_URL: address })
    expect(refused.exitCode).toBe(1)
    expect(refused.stderr).toContain('without the key')
  })
})

describe('install.sh', () => {
  const install = (environment: Readonly<Record<string, string>>) =>
    run('sh', [join(folder, 'release', 'install.sh')], environment)

  test('puts the newest release into HEDRON_INSTALL_DIR and says what is missing on the PATH', async () => {
    const directory = join(folder, 'my programs')
    const done = await install({ HEDRON_INSTALL_DIR: directory })
    expect(done).toMatchObject({ exitCode: 0 })
    expect(done.stdout).toContain(`Installed Hedron CLI ${version} to ${directory}/hedron`)
    expect(done.stdout).toContain('NOTE:')
    expect(await readdir(directory)).toEqual(['hedron'])
  })

  test('takes the version of HEDRON_VERSION and no other', async () => {
    const directory = join(folder, 'pinned')
    expect(await install({ HEDRON_INSTALL_DIR: directory, HEDRON_VERSION: `v${version}` })).toMatchObject({
      exitCode: 0,
    })
    const other = await install({ HEDRON_INSTALL_DIR: directory, HEDRON_VERSION: '7.7.7' })
    expect(other.exitCode).toBe(1)
    expect(other.stderr).toContain('version 7.7.7 is not at')
  })

  test.each([
    [
      'signed by another key',
      () => nextRelease(bytes => bytes, generateKeyPairSync('ed25519').privateKey),
      'not signed',
    ],
    [
      'with other bytes than it lists',
      () => nextRelease(bytes => Buffer.concat([bytes, bytes])),
      'is not what SHA256SUMS',
    ],
  ])('a release %s is not installed', async (_, make, reason) => {
    const directory = join(folder, 'refused')
    const refused = await serving(await make(), () => install({ HEDRON_INSTALL_DIR: directory }))
    expect(refused.exitCode).toBe(1)
    expect(refused.stderr).toContain(reason)
    await expect(stat(join(directory, 'hedron'))).rejects.toThrow()
  })
})

test('the signing key must be one of Ed25519', async () => {
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ type: 'pkcs8', format: 'pem' })
  expect(createPrivateKey(rsa).asymmetricKeyType).toBe('rsa')
  await expect(buildCli(['--out', join(folder, 'rsa')], { HEDRON_RELEASE_KEY: rsa.toString() })).rejects.toThrow(
    'Ed25519',
  )
})
