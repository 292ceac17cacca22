import { createHash } from 'node:crypto'
import { mkdir, symlink, unlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import type { RecordedRequest } from '../support/fixture-server.ts'
import { page, refusal } from '../support/fixtures.ts'
import { useBench } from '../support/run-hedron.ts'

const bench = useBench()
const base = '/build/api/v1/deployments/7/data-model'
const hashes = `GET ${base}/file-hashes`
const start = `POST ${base}/upload/start`
const upload = `POST ${base}/upload/file`
const finish = `POST ${base}/upload/finish`
const sha1 = (text: string) => createHash('sha1').update(text).digest('hex')

let project = ''
beforeEach(async () => {
  project = join(bench.folder, 'project')
  bench.server.on(hashes, { body: {} })
  bench.server.on(start, { body: { transaction: { id: 'tx-1' }, deploymentName: 'Flights' } })
  bench.server.on(upload, { body: { success: true } })
  bench.server.on(finish, { body: { lastHash: 'abc' } })
})

async function write(files: Readonly<Record<string, string | Buffer>>): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(project, path)), { recursive: true })
    await writeFile(join(project, path), content)
  }
}

const deploy = (...argv: string[]) => bench.run(['deploy', '7', '--directory', project, ...argv])

/** The parts of a multipart request, as a server sees them. */
async function partsOf({
  headers,
  bytes,
}: RecordedRequest): Promise<(readonly [string, string] | readonly [string, string, string])[]> {
  const type = headers['content-type'] ?? ''
  const form = await new Response(new Uint8Array(bytes), { headers: { 'content-type': type } }).formData()
  return Promise.all(
    [...form].map(async ([name, value]) =>
      typeof value === 'string' ? ([name, value] as const) : ([name, value.name, await value.text()] as const),
    ),
  )
}

/** Paths of the files in a multipart request: of one alone in `fileName`, of many as the file name of each part. */
async function pathsOf(request: RecordedRequest): Promise<readonly string[]> {
  const parts = await partsOf(request)
  const alone = parts.find(([name]) => name === 'fileName')
  return alone === undefined ? parts.flatMap(([name, path]) => (name === 'file' ? [path] : [])) : [alone[1]]
}

const uploads = () => bench.server.requests.filter(({ path }) => path.endsWith('/upload/file'))

describe('deploy', () => {
  test('takes three round trips when nothing changed', async () => {
    await write({ 'model/a.yml': 'a', 'cube.js': 'c' })
    bench.server.on(hashes, { body: { 'model/a.yml': { hash: sha1('a') }, 'cube.js': { hash: sha1('c') } } })
    const result = await deploy('-m', 'Nothing new')
    const files = { 'cube.js': { hash: sha1('c') }, 'model/a.yml': { hash: sha1('a') } }
    expect(bench.server.log()).toEqual([
      `${start} {}`,
      hashes,
      `${finish} ${JSON.stringify({ transaction: { id: 'tx-1' }, files, autoRemoveFiles: true, commitMessage: 'Nothing new' })}`,
    ])
    expect(result).toMatchObject({
      exitCode: 0,
      stdout: '✓ Deployed 2 file(s) (0 uploaded, 0 removed). Check progress with `hedron deployments build-status 7`\n',
    })
  })

  test('sends what differs in one request, counts what is gone, and names the branch everywhere', async () => {
    await write({ 'model/ä b.yml': 'new', 'model/changed.yml': 'after', 'same.yml': 'same', '.gitignore': '.hedron' })
    bench.server.on(hashes, {
      body: {
        files: {
          '/same.yml': { hash: sha1('same') },
          '/model/changed.yml': { hash: sha1('before') },
          '/gone.yml': { hash: 'x' },
        },
      },
    })
    const result = await deploy('--branch', 'a/b', '--json')
    expect(bench.server.requests.map(({ method, path, query }) => `${method} ${path}${query && `?${query}`}`)).toEqual([
      start,
      `${hashes}?branchName=a%2Fb`,
      upload,
      finish,
    ])
    const [sent] = uploads()
    expect(sent && (await partsOf(sent))).toEqual([
      ['transaction', '{"id":"tx-1"}'],
      ['file', '.gitignore', '.hedron'],
      ['file', 'model/ä b.yml', 'new'],
      ['file', 'model/changed.yml', 'after'],
    ])
    expect(bench.server.requests[0]?.body).toEqual({ branchName: 'a/b' })
    expect(bench.server.requests[3]?.body).toMatchObject({ branchName: 'a/b', autoRemoveFiles: true })
    expect(JSON.parse(result.stdout)).toEqual({ lastHash: 'abc' })
    expect(result.stderr).toBe('Uploading 3 changed file(s) of 4 to deployment 7…\n  3 of 3\n')

    expect((await deploy('--force')).stdout).toContain('4 file(s) (3 uploaded, 1 removed)')
    expect((await deploy('--keep-missing', '--force')).stdout).toContain('(3 uploaded, 0 removed)')
    expect(bench.server.requests.at(-1)?.body).toMatchObject({ autoRemoveFiles: false })
  })

  test('a path that a part cannot carry unchanged travels alone, in a field', async () => {
    await write({ 'a "quoted".yml': '1', '100%25.yml': '2', 'plain.yml': '3', 'other.yml': '4' })
    await deploy()
    const sent = await Promise.all(uploads().map(pathsOf))
    expect(sent.map(paths => paths.join()).sort()).toEqual(['100%25.yml', 'a "quoted".yml', 'other.yml,plain.yml'])
  })

  test('many files travel in groups, at most four requests at a time', async () => {
    await write(Object.fromEntries(Array.from({ length: 1001 }, (_, index) => [`model/${index}.yml`, `cube ${index}`])))
    await write({ 'big-1.yml': Buffer.alloc(5 << 20, 'a'), 'big-2.yml': Buffer.alloc(5 << 20, 'b') })
    let open = 0
    let most = 0
    bench.server.on(upload, async () => {
      open += 1
      most = Math.max(most, open)
      await new Promise(resolve => setTimeout(resolve, 20))
      open -= 1
      return { body: { success: true } }
    })
    expect((await deploy()).stdout).toContain('1003 file(s) (1003 uploaded, 0 removed)')
    const sizes = await Promise.all(uploads().map(async request => (await partsOf(request)).length))
    expect(uploads().length).toBeLessThanOrEqual(8)
    expect(Math.max(...sizes)).toBeLessThanOrEqual(201)
    expect(Math.max(...uploads().map(({ bytes }) => bytes.length))).toBeLessThan(9 << 20)
    expect(most).toBeGreaterThan(1)
    expect(most).toBeLessThanOrEqual(4)
    const paths = (await Promise.all(uploads().map(pathsOf))).flat()
    expect(paths).toHaveLength(1003)
    expect(new Set(paths).size).toBe(1003)
  })

  test('a passing disturbance is tried again, a refusal is not and nothing is finished', async () => {
    await write({ 'a.yml': 'a' })
    bench.server.on(upload, [{ status: 503 }, { body: { success: true } }])
    expect(await deploy()).toMatchObject({ exitCode: 0, sleeps: [500] })

    bench.server.on(upload, refusal(400, 'path_invalid', 'Path "a.yml" is refused: it is reserved.'))
    const refused = await deploy()
    expect(refused.exitCode).toBe(1)
    expect(refused.stderr).toContain('failed with 400 Bad Request: Path "a.yml" is refused')
    expect(bench.server.log().filter(line => line.startsWith(finish))).toHaveLength(1)
    expect(uploads()).toHaveLength(3)
  })

  test('a file that is edited meanwhile is listed with the bytes that were sent', async () => {
    await write({ 'a.yml': 'before' })
    bench.server.on(hashes, async () => {
      // Hashed while this request is under way, and sent afterwards.
      await new Promise(resolve => setTimeout(resolve, 200))
      await writeFile(join(project, 'a.yml'), 'after')
      return { body: {} }
    })
    await deploy()
    expect(bench.server.requests.at(-1)?.body).toMatchObject({ files: { 'a.yml': { hash: sha1('after') } } })
  })

  test('leaves out what is hidden or not the model, follows links and survives their cycles', async () => {
    await write({
      'model/a.yml': 'a',
      '.env': 'SECRET=1',
      '.git/config': 'x',
      'node_modules/x/index.js': 'x',
      'model/node_modules/y.js': 'x',
      'dashboard-app/x': 'x',
      'model/.gitignore': 'g',
    })
    await mkdir(join(bench.folder, 'shared'))
    await writeFile(join(bench.folder, 'shared', 's.yml'), 's')
    await symlink(join(bench.folder, 'shared'), join(project, 'shared'))
    await symlink(project, join(project, 'model', 'again'))
    await symlink(join(bench.folder, 'shared'), join(bench.folder, 'shared', 'self'))
    await deploy()
    expect(Object.keys(Object(bench.server.requests.at(-1)?.body).files)).toEqual([
      'model/.gitignore',
      'model/a.yml',
      'shared/s.yml',
    ])
    await unlink(join(bench.folder, 'shared', 'self'))
    await symlink(join(bench.folder, 'nowhere'), join(project, 'broken.yml'))
    const broken = await deploy()
    expect(broken.exitCode).toBe(1)
    expect(broken.stderr).toContain(`error: failed to read ${join(project, 'broken.yml')}: ENOENT`)
  })

  test('says what is wrong with the folder', async () => {
    await write({ '.hidden': 'x' })
    expect((await deploy()).stderr).toBe(`error: no deployable files found in ${project}\n`)
    const missing = await bench.run(['deploy', '7', '--directory', join(project, 'x')])
    expect(missing.stderr).toBe(`error: ${join(project, 'x')} is not a directory\n`)
    expect(bench.server.requests).toHaveLength(0)
  })

  test('--plan shows files, members and what uses them, and finishes nothing', async () => {
    await write({ 'new.yml': 'n', 'changed.yml': 'after' })
    bench.server.on(hashes, { body: { 'changed.yml': { hash: 'x' }, 'gone.yml': { hash: 'x' } } })
    const plan = {
      branchName: 'main',
      planName: null,
      files: { added: ['new.yml'], changed: ['changed.yml'], removed: ['gone.yml'] },
      members: { added: [], changed: ['orders.count'], removed: ['orders.old'], affected: ['shown.count'] },
      valid: true,
      errors: [],
    }
    bench.server.on(`POST ${base}/upload/plan`, { body: plan })
    const report = (id: number, member: string) => ({
      id,
      name: `R${id}`,
      workbookId: 5,
      jsonQuery: `{"measures":["${member}"]}`,
      sqlQuery: null,
    })
    bench.server.on('GET /api/v1/deployments/7/reports', {
      body: page([report(1, 'shown.count'), report(2, 'orders.old'), report(3, 'orders.other')]),
    })
    bench.server.on('GET /api/v1/deployments/7/workbooks/5', {
      body: { id: 5, name: 'Board', dashboardDraft: { widgets: [{ type: 'CHART', config: { reportId: 2 } }] } },
    })
    const shown = await deploy('--plan')
    expect(shown).toMatchObject({ exitCode: 0 })
    expect(shown.stdout).toBe(
      [
        'Files of branch main',
        '  + new.yml',
        '  ~ changed.yml',
        '  - gone.yml',
        '',
        'Members',
        '  ~ orders.count',
        '  - orders.old',
        '  → shown.count',
        '',
        'Reports that use what changes',
        '  report 1 R1: shown.count',
        '  report 2 R2: orders.old (removed)',
        '',
        'Dashboards that show these',
        '  workbook 5 Board: report 2',
        '',
      ].join('\n'),
    )
    const invalid = { ...plan, valid: false, errors: [{ fileName: 'new.yml', message: 'line 1, column 1: no' }] }
    bench.server.on(`POST ${base}/upload/plan`, { body: invalid })
    const refused = await deploy('--plan', '--json')
    expect(refused.exitCode).toBe(1)
    expect(JSON.parse(refused.stdout)).toMatchObject({ ...invalid, reports: [{ id: 1 }, { id: 2 }], numbers: [] })
    expect(bench.server.log().some(line => line.startsWith(finish))).toBe(false)
  })

  test('what others changed on the branch since this folder was deployed is not written over without --force', async () => {
    await write({ 'a.yml': 'mine', 'b.yml': 'b' })
    bench.server.on(start, { body: { transaction: { id: 'tx-1' }, branchName: 'main', filesHash: 'f1' } })
    await deploy()
    expect(bench.server.requests.at(-1)?.body).toMatchObject({ filesHash: 'f1' })
    bench.server.on(hashes, {
      body: { 'a.yml': { hash: sha1('theirs') }, 'b.yml': { hash: sha1('b') }, 'c.yml': { hash: 'new' } },
    })
    const refused = await deploy()
    expect(refused.exitCode).toBe(1)
    expect(refused.stderr).toContain(
      'branch main moved since this folder was deployed to it: a.yml, c.yml changed there.',
    )
    expect(uploads()).toHaveLength(1)
    expect((await deploy('--keep-missing')).stderr).toContain('a.yml changed there')
    expect((await deploy('--force')).exitCode).toBe(0)
    // Another branch or server is another target.
    bench.server.on(start, { body: { transaction: { id: 'tx-1' }, branchName: 'other', filesHash: 'f1' } })
    expect((await deploy()).exitCode).toBe(0)
  })

  test('--wait tells how the build ended', async () => {
    await write({ 'a.yml': 'a' })
    const route = 'GET /api/v1/deployments/7/build-status'
    const status = (value: string, errorText: string | null) => ({
      body: { deploymentId: 7, branchName: 'main', mode: 'production', status: value, errorText },
    })
    bench.server.on(route, [status('building', null), status('built', null)])
    const built = await deploy('--wait', '--poll', '1s')
    expect(built).toMatchObject({
      exitCode: 0,
      stdout: '✓ Deployed 1 file(s) (1 uploaded, 0 removed)\n✓ Built branch main\n',
    })

    bench.server.on(route, status('failed', 'a.yml:1:1: not a model'))
    const failed = await deploy('--wait', '--json', '--branch', 'main')
    expect(failed.exitCode).toBe(1)
    expect(JSON.parse(failed.stdout)).toMatchObject({ lastHash: 'abc', build: { status: 'failed' } })
    expect(failed.stderr).toContain('error: build failed for branch main: a.yml:1:1: not a model\n')
    expect(bench.server.log().at(-1)).toBe(`${route}?branchName=main`)
  })

  test('Ctrl-C leaves the transaction unfinished', async () => {
    await write({ 'a.yml': 'a' })
    bench.server.on(upload, { hang: true })
    const interrupt = new AbortController()
    const running = bench.run(['deploy', '7', '--directory', project], { signal: interrupt.signal })
    await expect.poll(() => uploads().length).toBe(1)
    interrupt.abort()
    expect((await running).exitCode).toBe(130)
    expect(bench.server.log().some(line => line.startsWith(finish))).toBe(false)
  })
})
