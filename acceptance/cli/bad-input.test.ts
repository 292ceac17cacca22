import { spawn } from 'node:child_process'
import { chmod, mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createDeployment, createKey, sharedApi } from '../support/api.ts'
import { createHedron, type Hedron, programOf } from './hedron.ts'

const api = sharedApi()
let hedron: Hedron
let apiKey = ''
let id = ''
beforeAll(async () => {
  apiKey = await createKey(api)
  hedron = await createHedron({ baseUrl: api.baseUrl, apiKey })
  id = String(await createDeployment(api, { deployMode: 'cli' }))
})
afterAll(() => hedron.dispose())

const environment = (url: string) => ({
  PATH: process.env.PATH,
  HOME: hedron.folder,
  HEDRON_API_URL: url,
  HEDRON_API_KEY: apiKey,
})

/** Passes requests on to the platform; `seen` may hold one up, for good. */
async function startProxy(seen: (path: string) => boolean): Promise<{ url: string; server: Server }> {
  const server = createServer((incoming, outgoing) => {
    if (seen(incoming.url ?? '')) return
    const { method, headers, url } = incoming
    const target = new URL(url ?? '/', api.baseUrl)
    const sending = request(target, { method, headers }, (answer: IncomingMessage) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
    })
    sending.on('error', () => outgoing.destroy())
    incoming.pipe(sending)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, server }
}

describe('a project as it should not be', () => {
  test('names with blanks, Unicode, quotes and percent signs arrive as they are; control characters are refused', async () => {
    const project = join(hedron.folder, 'odd names')
    await mkdir(join(project, 'model'), { recursive: true })
    const names = ['a b.yml', 'größe ☃.yml', 'say "hi".yml', '100%25.yml']
    for (const name of names) await writeFile(join(project, 'model', name), 'cubes: []\n')
    await symlink(project, join(project, 'model', 'loop'))
    await hedron.succeed('deploy', id, '--directory', project)
    const listed = await hedron.succeed('data-model', 'list', id, '--branch', 'main')
    for (const name of names) expect(listed).toContain(`/model/${name}\n`)

    await writeFile(join(project, 'model', 'two\nlines\u001b[31m.yml'), 'cubes: []\n')
    const refused = await hedron.run('deploy', id, '--directory', project)
    expect(refused.exitCode).toBe(1)
    expect(refused.stderr).not.toContain('\u001b[31m')
    expect(await hedron.succeed('data-model', 'list', id, '--branch', 'main')).toBe(listed)
  })

  test('a folder that cannot be written to is deployed, and it says what it cannot keep', async () => {
    const project = join(hedron.folder, 'read-only')
    await mkdir(join(project, 'model'), { recursive: true })
    await writeFile(join(project, 'model', 'a.yml'), 'cubes: []\n')
    // A file in the way of the folder stops root too.
    await writeFile(join(project, '.hedron'), '')
    const done = await hedron.run('deploy', id, '--directory', project)
    expect(done.exitCode).toBe(0)
    expect(done.stderr).toContain('warning: ')
  })

  test('a file that is no text is not put as one', async () => {
    const path = join(hedron.folder, 'latin1.yml')
    await writeFile(path, Buffer.from([0x63, 0xe9, 0x0a]))
    const refused = await hedron.run('data-model', 'put', id, 'model/x.yml', '--file', path)
    expect(refused).toMatchObject({ exitCode: 1, stdout: '' })
    expect(refused.stderr).toContain(`failed to read ${path}`)
  })
})

describe('Ctrl-C during a deploy leaves the branch as it was, and the next deploy works', () => {
  test.each(['upload/start', 'file-hashes', 'upload/file', 'upload/finish'])('while %s is under way', async step => {
    const project = join(hedron.folder, step.replace('/', '-'))
    await mkdir(join(project, 'model'), { recursive: true })
    await writeFile(join(project, 'model', 'a.yml'), `cubes: [] # ${step}\n`)
    const before = await hedron.succeed('data-model', 'file-hashes', id, '--branch', 'main')
    let reached = () => {}
    const there = new Promise<void>(resolve => {
      reached = resolve
    })
    const { url, server } = await startProxy(path => {
      if (!path.includes(step)) return false
      reached()
      return true
    })
    try {
      const [program, ...leading] = programOf()
      const child = spawn(program, [...leading, 'deploy', id, '--directory', project], {
        env: environment(url),
        stdio: 'ignore',
      })
      const exited = new Promise<number | null>(resolve => child.once('close', resolve))
      await there
      child.kill('SIGINT')
      expect(await exited).toBe(130)
    } finally {
      server.closeAllConnections()
      server.close()
    }
    expect(await hedron.succeed('data-model', 'file-hashes', id, '--branch', 'main')).toBe(before)
    await hedron.succeed('deploy', id, '--directory', project)
    expect(await hedron.succeed('data-model', 'get', id, 'model/a.yml', '--branch', 'main')).toContain(step)
  })
})

describe('a server that is none', () => {
  const answers: [
    string,
    (url: string) => { status: number; headers: Record<string, string>; body: string },
    string,
  ][] = [
    ['a web page', () => ({ status: 200, headers: {}, body: '<!doctype html><p>\u001b[2J' }), 'returned a web page'],
    ['half a document', () => ({ status: 200, headers: { 'content-length': '500' }, body: '{"id":' }), 'failed:'],
    ['another address', url => ({ status: 302, headers: { location: `${url}/x` }, body: '' }), 'redirects'],
    ['a title that steers', () => ({ status: 500, headers: {}, body: '{"message":"\\u001b[2J no"}' }), '[2J no'],
  ]
  test.each(answers)('answers %s', async (_, answer, text) => {
    const server = createServer((incoming, outgoing) => {
      const { status, headers, body } = answer(`http://${incoming.headers.host}`)
      outgoing.writeHead(status, headers)
      outgoing.write(body, () => (headers['content-length'] === undefined ? outgoing.end() : outgoing.destroy()))
    })
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const refused = await hedron.run('--api-url', `http://127.0.0.1:${port}`, 'whoami', '--json')
    server.close()
    expect(refused.exitCode).toBe(1)
    expect(refused.stdout).toBe('')
    expect(refused.stderr).toContain(text)
    expect(refused.stderr).not.toContain('\u001b')
    expect(JSON.parse(refused.stderr.trimEnd().split('\n').at(-1) ?? '')).toHaveProperty('error.code')
  })
})

test('a config directory that cannot be written to fails with its name and keeps what was there', async () => {
  const home = join(hedron.folder, 'config-home')
  await mkdir(home)
  await writeFile(join(home, '.config'), 'not a folder')
  const [program, ...leading] = programOf()
  const child = spawn(program, [...leading, 'login', '--url', api.baseUrl, '--api-key', apiKey], {
    env: { PATH: process.env.PATH, HOME: home },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let stderr = ''
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString()
  })
  expect(await new Promise(resolve => child.once('close', resolve))).toBe(1)
  expect(stderr).toContain('.config')
  expect(await readFile(join(home, '.config'), 'utf8')).toBe('not a folder')
  await chmod(home, 0o700)
})
