import { execFile } from 'node:child_process'
import { mkdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createKey, sharedApi } from '../support/api.ts'
import { createModeler, type Modeler } from '../support/project.ts'
import { temporaryDirectory } from '../support/start-platform.ts'

const api = sharedApi()
let folder: string
let modeler: Modeler
let dev: string

const contents = {
  'model/crlf.yml': 'a: 1\r\nb: 2\r\n',
  'model/ünï/数据.yml': '\u{feff}Ä🚀',
  'empty.md': '',
  'no-newline.md': 'x',
  'a/b/c/d/e.md': 'deep\n',
}

/** The real git, without anybody's configuration and without asking anybody. */
async function git(...argv: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)('git', [...argv], {
    env: {
      PATH: process.env.PATH,
      HOME: folder,
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_TERMINAL_PROMPT: '0',
    },
    maxBuffer: 64 * 1024 * 1024,
    timeout: 60_000,
  })
  return stdout
}

const address = (key: string, id: number | string, user = 'x') => {
  const url = new URL(`${api.baseUrl}/git/${id}`)
  url.username = user
  url.password = key
  return url.href
}

beforeAll(async () => {
  folder = await temporaryDirectory()
  modeler = await createModeler(api)
  const { client, params } = modeler
  await client.createBranch({ params, body: { name: 'feature/one' } })
  dev = await modeler.enter('feature/one')
  await modeler.write(contents)
  await modeler.commit('Add files of all kinds\n\nwith a body')
  await modeler.write({ 'empty.md': 'not any more\n' })
  await modeler.remove('no-newline.md')
  await modeler.commit()
  await client.mergeToDefaultBranch({ params, body: { branchName: 'feature/one', message: 'Merge it' } })
  await modeler.write({ 'edit.md': 'not committed' })
})
afterAll(() => rm(folder, { recursive: true, force: true }))

describe('a branch cloned with the real git', () => {
  test('has the same ids and bytes', async () => {
    const clone = join(folder, 'all')
    await git('clone', '--quiet', address(modeler.api.apiKey, modeler.deploymentId), clone)
    expect((await git('-C', clone, 'fsck', '--strict', '--full')).trim()).toBe('')
    expect(await git('-C', clone, 'rev-parse', '--abbrev-ref', 'HEAD')).toBe('main\n')
    for (const branch of ['main', 'feature/one', dev]) {
      const id = await git('-C', clone, 'rev-parse', `refs/remotes/origin/${branch}`)
      expect(id.trim(), branch).toBe(await modeler.head(branch))
    }
    const files = await modeler.files('main')
    const names = (await git('-C', clone, 'ls-files', '-z')).split('\0').filter(name => name !== '')
    expect(names.sort()).toEqual(Object.keys(files).sort())
    for (const [path, content] of Object.entries(files)) {
      expect((await readFile(join(clone, path))).equals(Buffer.from(content)), path).toBe(true)
    }
    const { filesHash } = await modeler.client.buildStatus({ params: modeler.params, query: { branchName: 'main' } })
    expect((await git('-C', clone, 'rev-parse', 'origin/main^{tree}')).trim()).toBe(filesHash)
    expect(await git('-C', clone, 'status', '--porcelain')).toBe('')
  })

  test('has its history, with authors and messages, and not the edits that are not committed', async () => {
    const clone = join(folder, 'one')
    const url = address(modeler.api.apiKey, modeler.deploymentId)
    await git('clone', '--quiet', '--branch', 'feature/one', '--single-branch', url, clone)
    const log = (await git('-C', clone, 'log', '--format=%ae|%B%x00')).split('\0').map(entry => entry.trim())
    expect(log).toContain('admin@localhost|Add files of all kinds\n\nwith a body')
    expect(await git('-C', clone, 'show', 'HEAD~1:no-newline.md')).toBe('x')
    expect(await git('-C', clone, 'ls-tree', '-r', '--name-only', 'HEAD')).not.toContain('edit.md')
  })

  test('goes on by fetching what is new', async () => {
    const clone = join(folder, 'later')
    await git('clone', '--quiet', '--bare', address(modeler.api.apiKey, modeler.deploymentId), clone)
    const other = await createModeler(api, modeler.deploymentId)
    await other.enter()
    await other.write({ 'later.md': 'later' })
    await other.commit()
    await git('-C', clone, 'fetch', '--quiet', 'origin', '+refs/heads/*:refs/heads/*')
    expect((await git('-C', clone, 'rev-parse', 'main')).trim()).toBe(await modeler.head('main'))
    expect(await git('-C', clone, 'show', 'main:later.md')).toBe('later')
  })

  test('by any user name, and with .git at its end', async () => {
    for (const [id, user] of [
      [`${modeler.deploymentId}.git`, 'git'],
      [modeler.deploymentId, 'admin@localhost'],
    ] as const) {
      const refs = await git('ls-remote', address(modeler.api.apiKey, id, user))
      expect(refs).toContain('refs/heads/feature/one')
    }
  })
})

describe('git is refused', () => {
  const lsRemote = async (url: string) =>
    git('ls-remote', url).then(
      () => 'accepted',
      error => String(error.stderr),
    )

  test('without a key, with a wrong one, and with one that may not read the model', async () => {
    expect(await lsRemote(`${api.baseUrl}/git/${modeler.deploymentId}`)).toMatch(/could not read Username/)
    expect(await lsRemote(address('sk-wrong', modeler.deploymentId))).toMatch(/Authentication failed/)
    const policies = [{ resourceType: 'Deployment', actions: ['DeploymentRead'], resources: ['All'] }]
    expect(await lsRemote(address(await createKey(api, { policies }), modeler.deploymentId))).toMatch(/403/)
    const other = await createModeler(api)
    const scoped = await createKey(api, { deploymentIds: [other.deploymentId] })
    expect(await lsRemote(address(scoped, modeler.deploymentId))).toMatch(/403/)
  })

  test('for a deployment that is not there', async () => {
    for (const id of ['987654321', '0', 'x', '1e9'])
      expect(await lsRemote(address(api.apiKey, id))).toMatch(/not found/)
  })

  test('to push: a clone is for reading', async () => {
    const clone = join(folder, 'push')
    await git('clone', '--quiet', address(modeler.api.apiKey, modeler.deploymentId), clone)
    const before = await modeler.head('main')
    const pushed = git('-C', clone, 'push', 'origin', 'HEAD:refs/heads/pushed')
    await expect(pushed).rejects.toThrow(/403/)
    expect(await modeler.head('main')).toBe(before)
    expect(await modeler.branchNames()).not.toContain('pushed')
  })

  test('when it sends what is no git at all', async () => {
    const headers = { authorization: `Basic ${btoa(`x:${api.apiKey}`)}` }
    const base = `${api.baseUrl}/git/${modeler.deploymentId}`
    const type = 'application/x-git-upload-pack-request'
    for (const body of [
      '',
      'x',
      '0000',
      'ffff',
      '0032want 0000000000000000000000000000000000000000\n00000009done\n',
      '\0'.repeat(100),
    ]) {
      const response = await fetch(`${base}/git-upload-pack`, {
        method: 'POST',
        headers: { ...headers, 'content-type': type },
        body,
      })
      await response.text()
      expect(response.status, JSON.stringify(body)).toBeLessThan(500)
    }
    const gzipped = { ...headers, 'content-type': type, 'content-encoding': 'gzip' }
    const response = await fetch(`${base}/git-upload-pack`, { method: 'POST', headers: gzipped, body: 'no gzip' })
    expect(response.status).toBe(400)
  })
})

test('a project of a thousand files is cloned whole', async () => {
  const large = await createModeler(api)
  await large.enter()
  const files = Object.fromEntries(
    Array.from({ length: 1000 }, (_, index) => [`m/${index % 37}/${index}.yml`, `n: ${index}\n`]),
  )
  await large.write(files)
  await large.commit()
  const clone = join(folder, 'large')
  await mkdir(clone)
  await git('clone', '--quiet', '--bare', address(large.api.apiKey, large.deploymentId), clone)
  expect((await git('-C', clone, 'ls-tree', '-r', '--name-only', 'main')).trim().split('\n')).toHaveLength(1001)
  expect((await git('-C', clone, 'rev-parse', 'main')).trim()).toBe(await large.head('main'))
})
