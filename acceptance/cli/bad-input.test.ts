import { spawn } from 'node:child_process'
import { chmod, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
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

/** A server that answers as it is told, on an address of its own. */
async function answering(
  handle: (incoming: IncomingMessage, outgoing: ServerResponse) => void,
  use: (url: string) => Promise<void>,
): Promise<void> {
  const server = createServer(handle)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  try {
    await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

describe('a server that', () => {
  test('says nothing is given up when the wait is over, and at once on Ctrl-C', async () => {
    await answering(
      () => {},
      async url => {
        const start = Date.now()
        const waited = await hedron.run(
          '--api-url',
          url,
          'deployments',
          'build-status',
          '1',
          '--wait',
          '--timeout',
          '1s',
        )
        expect(waited.exitCode).toBe(1)
        expect(waited.stderr).toContain('timed out after 1s waiting for build')
        expect(Date.now() - start).toBeLessThan(15_000)
        const [program, ...leading] = programOf()
        const child = spawn(program, [...leading, '--api-url', url, 'whoami'], {
          env: environment(url),
          stdio: 'ignore',
        })
        const exited = new Promise<number | null>(resolve => child.once('close', resolve))
        setTimeout(() => child.kill('SIGINT'), 500)
        expect(await exited).toBe(130)
      },
    )
  })

  test('is older and does not know an operation says so, whether in JSON or with its page', async () => {
    await answering(
      (incoming, outgoing) => {
        const isPage = incoming.url?.includes('dbt-sync') ?? false
        outgoing.writeHead(isPage ? 200 : 404, { 'content-type': isPage ? 'text/html' : 'application/json' })
        outgoing.end(
          isPage ? '<!doctype html><html></html>' : '{"statusCode":404,"message":"Cannot GET it","error":"Not Found"}',
        )
      },
      async url => {
        const page = await hedron.run('--api-url', url, 'dbt', 'history', '1')
        expect(page).toMatchObject({ exitCode: 1, stdout: '' })
        expect(page.stderr).toContain('older version')
        const refused = await hedron.run('--api-url', url, 'reports', 'list', '1')
        expect(refused.stderr).toContain('error: not found (404): GET /api/v1/deployments/1/reports. Cannot GET it')
      },
    )
  })

  test('answers an error with an empty body, with text, with a list of reasons', async () => {
    const bodies = [
      '',
      'Bad Gateway',
      '{"message":["ref is unknown"],"error":"x"}',
      '{"message":null,"error":"x"}',
      '{}',
    ]
    const said: string[] = []
    await answering(
      (_, outgoing) => outgoing.writeHead(502).end(bodies[said.length]),
      async url => {
        for (const _ of bodies) said.push((await hedron.run('--api-url', url, 'whoami')).stderr.trimEnd())
      },
    )
    const head = 'error: GET /api/v1/users/me failed with 502 Bad Gateway'
    expect(said).toEqual([head, `${head}: Bad Gateway`, `${head}: ["ref is unknown"]`, `${head}: x`, head])
  })

  test('gets the method that was named, also one that nobody knows', async () => {
    const methods: string[] = []
    const readers = createTcpServer(socket => {
      socket.once('data', (head: Buffer) => {
        methods.push(head.toString().split(' ')[0] ?? '')
        socket.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{}')
      })
    })
    await new Promise<void>(resolve => readers.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(readers.address() as AddressInfo).port}`
    for (const method of ['get', 'PATCH', 'DELTE', 'PURGE']) await hedron.succeed('--api-url', url, 'api', method, '/x')
    readers.close()
    expect(methods).toEqual(['GET', 'PATCH', 'DELTE', 'PURGE'])
  })

  test('sends files with paths that lead elsewhere: none of them is written', async () => {
    const manifest = join(hedron.folder, 'manifest.json')
    await writeFile(manifest, '{}')
    for (const path of ['../outside.yml', '/etc/outside.yml', 'model/a\u001b[2J.yml', '']) {
      const out = join(hedron.folder, 'generated')
      await answering(
        (incoming, outgoing) => {
          const url = incoming.url ?? ''
          incoming.resume()
          const files = [
            { path: 'model/good.yml', content: 'cubes: []' },
            { path, content: 'x' },
          ]
          const answer = url.endsWith('generated-files')
            ? { items: files }
            : incoming.method === 'POST'
              ? { syncJobId: 'j', branchName: '', workflowId: 'w' }
              : url.includes('first=')
                ? { items: [{ syncJobId: 'j', source: 'manifest' }] }
                : { syncJobId: 'j', status: 'COMPLETED', progress: {}, error: null }
          outgoing.end(JSON.stringify(answer))
        },
        async url => {
          const refused = await hedron.run(
            '--api-url',
            url,
            'dbt',
            'generate',
            '1',
            '--manifest',
            manifest,
            '--out',
            out,
          )
          expect(refused.exitCode).toBe(1)
          expect(refused.stderr).toMatch(/refusing to write|empty file path/)
          expect(refused.stderr).not.toContain('\u001b')
        },
      )
      await expect(readFile(join(out, 'model/good.yml'))).rejects.toThrow('ENOENT')
    }
  })
})

describe('a disk that takes nothing more', () => {
  /** Runs it where no file can grow, as on a full disk: writing fails, reading does not. */
  async function runWithoutSpace(home: string, environment: Record<string, string>, ...argv: readonly string[]) {
    const child = spawn('/bin/sh', ['-c', 'trap \'\' XFSZ; ulimit -f 0; exec "$@"', 'sh', ...programOf(), ...argv], {
      env: { PATH: process.env.PATH, HOME: home, ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const exited = new Promise<number | null>(resolve => child.once('close', resolve))
    const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
    return { exitCode: await exited, stdout, stderr }
  }

  test('a login that cannot be saved says so, keeps the file as it was and leaves nothing beside it', async () => {
    const home = join(hedron.folder, 'full')
    const folder = join(home, '.config/hedron')
    await mkdir(folder, { recursive: true })
    const before = `default_context = "old"\n\n[contexts.old]\nurl = "${api.baseUrl}"\napi_key = "${apiKey}"\n`
    await writeFile(join(folder, 'config.toml'), before)
    const refused = await runWithoutSpace(home, {}, 'login', '--url', api.baseUrl, '--api-key', apiKey, '--name', 'new')
    expect(refused).toMatchObject({ exitCode: 1, stdout: '' })
    expect(refused.stderr).toContain('error: failed to save ')
    expect(await readFile(join(folder, 'config.toml'), 'utf8')).toBe(before)
    expect(await readdir(folder)).toEqual(['config.toml'])
    // What needs no disk works on.
    expect(await runWithoutSpace(home, {}, 'whoami')).toMatchObject({ exitCode: 0 })
  })

  test('a login is not renewed where the new one could not be kept: a refresh token is good once', async () => {
    const home = join(hedron.folder, 'full-renewal')
    const folder = join(home, '.config/hedron')
    await mkdir(folder, { recursive: true })
    const asked: string[] = []
    await answering(
      (incoming, outgoing) => {
        asked.push(`${incoming.method} ${incoming.url}`)
        outgoing.writeHead(401, { 'content-type': 'application/json' }).end('{"message":"expired"}')
      },
      async url => {
        const before = `default_context = "a"\n\n[contexts.a]\nurl = "${url}"\napi_key = "old"\nrefresh_token = "once"\n`
        await writeFile(join(folder, 'config.toml'), before)
        const refused = await runWithoutSpace(home, {}, 'whoami')
        expect(refused.exitCode).toBe(1)
        expect(refused.stderr).toContain('warning: token refresh failed: failed to save ')
        expect(asked).toEqual(['GET /api/v1/users/me'])
        expect(await readFile(join(folder, 'config.toml'), 'utf8')).toBe(before)
      },
    )
  })
})
