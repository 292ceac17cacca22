import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { access, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type FixtureServer, startFixtureServer } from './support/fixture-server.ts'
import { deployment, page } from './support/fixtures.ts'

const launcher = fileURLToPath(new URL('../bin/hedron.js', import.meta.url))
const execute = promisify(execFile)
/** A Node that cannot read TypeScript, where this machine has one. */
const oldNode = await olderNode()

let server: FixtureServer
let folder = ''
beforeEach(async () => {
  server = await startFixtureServer()
  folder = await mkdtemp(join(tmpdir(), 'hedron-program-'))
})
afterEach(async () => {
  await server.close()
  await rm(folder, { recursive: true, force: true })
})

const environment = () => ({
  PATH: process.env.PATH ?? '',
  HOME: folder,
  HEDRON_API_URL: server.url,
  HEDRON_API_KEY: 'sk-x',
})
const start = (argv: readonly string[], node = process.execPath): ChildProcess =>
  spawn(node, [launcher, ...argv], { env: environment(), stdio: ['ignore', 'pipe', 'pipe'] })

describe('the program', () => {
  test('shows its version and leaves nothing behind', async () => {
    const { stdout, stderr } = await execute(process.execPath, [launcher, '--version'], { env: environment() })
    expect({ stdout, stderr }).toEqual({ stdout: 'Hedron CLI 0.1.0\n', stderr: '' })
  })

  test('ends with the exit code of the command and prints no warnings', async () => {
    const run = execute(process.execPath, [launcher, 'deployments', 'get', 'x'], { env: environment() })
    await expect(run).rejects.toMatchObject({ code: 2, stderr: expect.stringMatching(/^error: <deployment>/) })
    server.on('GET /api/v1/deployments', { body: page([deployment(1, 'Flights')]) })
    const { stdout, stderr } = await execute(process.execPath, [launcher, 'deployments', 'list'], {
      env: environment(),
    })
    expect(stdout).toContain('Flights')
    expect(stderr).toBe('')
  })

  test.skipIf(oldNode === null)('hands over to the pinned Node where it must', async () => {
    server.on('GET /api/v1/deployments', { body: page([deployment(1, 'Flights')]) })
    const argv = [launcher, 'deployments', 'list', '--json']
    const { stdout, stderr } = await execute(oldNode ?? '', argv, { env: environment() })
    expect(JSON.parse(stdout)).toMatchObject({ items: [{ name: 'Flights' }] })
    expect(stderr).toBe('')
    await expect(execute(oldNode ?? '', [launcher, 'bogus'], { env: environment() })).rejects.toMatchObject({ code: 2 })
  })

  test('is quiet when its reader leaves', async () => {
    const many = Array.from({ length: 20_000 }, (_, index) => deployment(index + 1, `Deployment ${index}`))
    server.on('GET /api/v1/deployments', { body: page(many) })
    const { stdout, stderr } = await execute(
      'bash',
      ['-c', `"$0" "$1" deployments list --json | head -n 1; echo "\${PIPESTATUS[0]}"`, process.execPath, launcher],
      { env: environment() },
    )
    expect({ stdout, stderr }).toEqual({ stdout: '{\n141\n', stderr: '' })
  })

  test.each([
    ['this Node', process.execPath] as const,
    ...(oldNode === null ? [] : [['an older Node', oldNode] as const]),
  ])(
    'is interrupted by Ctrl-C on %s',
    async (_, node) => {
      server.on('GET /api/v1/users/me', { hang: true })
      const child = start(['whoami'], node)
      await expect.poll(() => server.requests.length, { timeout: 10_000 }).toBe(1)
      const stderr = collect(child)
      // A terminal sends the signal to the program and to the one it handed over to.
      const { stdout: children } = await execute('bash', [
        '-c',
        `cat /proc/${child.pid}/task/*/children 2>/dev/null || true`,
      ])
      for (const pid of [child.pid, ...children.split(' ').filter(Boolean).map(Number)])
        if (pid) process.kill(pid, 'SIGINT')
      expect((await once(child, 'close'))[0]).toBe(130)
      expect(await stderr).toBe('error: interrupted\n')
    },
    20_000,
  )
})

async function collect(child: ChildProcess): Promise<string> {
  let text = ''
  for await (const chunk of child.stderr ?? []) text += String(chunk)
  return text
}

async function olderNode(): Promise<string | null> {
  for (const candidate of ['/usr/bin/node', '/usr/local/bin/node']) {
    try {
      await access(candidate)
      const { stdout } = await execute(candidate, ['-p', 'process.features.typescript ?? false'])
      if (stdout.trim() === 'false') return candidate
    } catch {
      // Not there, or not runnable: the next one.
    }
  }
  return null
}
