import { branches } from '@hedron/store'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { treeOf } from '../../src/branches/trees.ts'
import { createCommit, readSnapshot, writeTree } from '../../src/git/index.ts'
import { type Developer, developer, sha1 } from '../branches/developer.ts'
import { auditedActions, createWorkbench, refusal, type Workbench } from '../branches/workbench.ts'

let bench: Workbench
beforeAll(async () => {
  bench = await createWorkbench()
})
afterAll(() => bench.close())

const project = { 'model/a.yml': 'cube\n', 'model/b.yml': 'cube\ncube\n', 'README.md': 'Read me\n' }

async function start(settings = {}): Promise<{ ada: Developer; bob: Developer; deploymentId: number }> {
  const deploymentId = await bench.deployment(project, settings)
  const ada = developer(bench, bench.caller('ada'), deploymentId)
  const bob = developer(bench, bench.caller('bob'), deploymentId)
  return { ada, bob, deploymentId }
}

const buildsOf = (deploymentId: number) =>
  bench.store.kysely.selectFrom('builds').select(['id', 'commit']).where('deploymentId', '=', deploymentId).execute()

describe('a deploy', () => {
  test('of changed files is one commit and one build, and prunes what is not listed', async () => {
    const { ada, deploymentId } = await start()
    const before = await bench.branch(deploymentId, 'main')
    const files = { 'model/a.yml': 'cube\n', 'model/c.yml': 'new\n' }
    const transaction = await ada.upload.start()
    expect(await ada.upload.text(transaction, 'model/c.yml', 'new\n')).toEqual({ success: true })
    const { lastHash } = await ada.upload.finish(transaction, files, { commitMessage: 'Release 1' })
    expect(await ada.files()).toEqual(files)
    const after = await bench.branch(deploymentId, 'main')
    expect(after.head).toBe(lastHash)
    expect(after.head).not.toBe(before.head)
    const builds = await buildsOf(deploymentId)
    expect(builds.map(({ commit }) => commit.toString('hex'))).toEqual([before.head, after.head])
    const reader = bench.objects.reader(bench.store.kysely, { accountId: bench.account.id, deploymentId })
    const commit = Buffer.from((await reader.read([after.head])).get(after.head)?.content ?? '').toString()
    expect(commit).toContain(`parent ${before.head}\nauthor ada <ada@example.com>`)
    expect(commit).toMatch(/\n\nRelease 1\n$/)
    expect((await auditedActions(bench.store)).at(-1)).toBe('upload.finish')
  })

  test('of nothing new makes no commit and no build', async () => {
    const { ada, deploymentId } = await start()
    const before = await bench.branch(deploymentId, 'main')
    const { lastHash } = await ada.upload.finish(await ada.upload.start(), project)
    expect(lastHash).toBe(before.head)
    expect(await buildsOf(deploymentId)).toHaveLength(1)
    expect(await ada.deploy(project)).toEqual({ lastHash: before.head })
  })

  test('can keep files that are not listed', async () => {
    const { ada } = await start()
    const transaction = await ada.upload.start()
    await ada.upload.text(transaction, 'x', 'x')
    await ada.upload.finish(transaction, { x: 'x' }, { autoRemoveFiles: false })
    expect(await ada.files()).toEqual({ ...project, x: 'x' })
  })

  test('can list no file at all', async () => {
    const { ada } = await start()
    await ada.upload.finish(await ada.upload.start(), {})
    expect(await ada.files()).toEqual({})
  })

  test('to a dev branch leaves the files there as edits', async () => {
    const { ada, deploymentId } = await start({ deployMode: 'git' })
    const branchName = await ada.enter()
    const { lastHash } = await ada.deploy({ x: 'x' })
    const branch = await bench.branch(deploymentId, branchName)
    expect(lastHash).toBe(branch.head)
    expect(branch.workingTree).not.toBeNull()
    expect(await ada.files()).toEqual({ x: 'x' })
    expect(await ada.files({ branchName: 'main' })).toEqual(project)
    expect(await buildsOf(deploymentId)).toHaveLength(1)
    await ada.deploy(project)
    expect((await bench.branch(deploymentId, branchName)).workingTree).toBeNull()
  })

  test('to another shared branch goes there', async () => {
    const { ada } = await start()
    await ada.createBranch({ name: 'feature' })
    await ada.deploy({ x: 'x' }, { branchName: 'feature' })
    expect(await ada.files({ branchName: 'feature' })).toEqual({ x: 'x' })
    expect(await ada.files()).toEqual(project)
  })

  test('below the project root leaves the rest of the repository alone', async () => {
    const { ada } = await start({ deployProjectRoot: '/model' })
    const remembered = await ada.upload.start({}, { useDeployProjectRoot: true })
    await ada.upload.text(remembered, 'c.yml', 'c')
    await ada.upload.finish(remembered, { 'c.yml': 'c', 'a.yml': 'cube\n' })
    expect(await ada.files()).toEqual({ 'README.md': 'Read me\n', 'model/a.yml': 'cube\n', 'model/c.yml': 'c' })
    await ada.upload.finish(await ada.upload.start(), { 'c.yml': 'c' }, {}, { useDeployProjectRoot: true })
    expect(await ada.files()).toEqual({ 'README.md': 'Read me\n', 'model/c.yml': 'c' })
  })

  test('leaves an executable file executable', async () => {
    const { ada, deploymentId } = await start()
    const repository = { accountId: bench.account.id, deploymentId }
    const main = await bench.branch(deploymentId, 'main')
    const reader = bench.objects.reader(bench.store.kysely, repository)
    const file = (await readSnapshot(reader, await treeOf(reader, main.head))).get('README.md')
    if (!file) throw new Error('the project has no README.md')
    const tree = await writeTree(new Map([['run.sh', { mode: '100755', id: file.id }]]))
    const author = { name: 'Ada', email: 'ada@example.com' }
    const commit = createCommit({ tree: tree.treeId, parents: [], author, at: bench.effects.now(), message: 'Import' })
    await bench.objects.write(bench.store.kysely, repository, new Map([...tree.objects, [commit.id, commit.object]]))
    await branches.updateBranch(bench.store.kysely, bench.account.id, main.id, { head: commit.id })
    await ada.deploy({ 'run.sh': 'changed', plain: 'p' })
    const after = await bench.branch(deploymentId, 'main')
    const modes = Array.from(await readSnapshot(reader, await treeOf(reader, after.head)), ([path, { mode }]) => [
      path,
      mode,
    ])
    expect(modes).toEqual([
      ['plain', '100644'],
      ['run.sh', '100755'],
    ])
  })
})

describe('files of a transaction', () => {
  test('come one by one under fileName, or many under their own names', async () => {
    const { ada } = await start()
    const transaction = await ada.upload.start()
    await ada.upload.file(transaction, undefined, [
      { name: 'model/x.yml', content: Buffer.from('x') },
      { name: 'model/deep/y.yml', content: Buffer.from('y') },
    ])
    await ada.upload.file(transaction, 'z', [{ name: 'ignored', content: Buffer.from('z') }])
    const files = { 'model/x.yml': 'x', 'model/deep/y.yml': 'y', z: 'z' }
    await ada.upload.finish(transaction, files)
    expect(await ada.files()).toEqual(files)
  })

  test('replace one that was sent before', async () => {
    const { ada } = await start()
    const transaction = await ada.upload.start()
    await ada.upload.text(transaction, 'x', 'first')
    await ada.upload.text(transaction, '/x', 'second')
    await ada.upload.finish(transaction, { x: 'second' })
    expect(await ada.files()).toEqual({ x: 'second' })
  })

  test('that are not listed at the end are dropped', async () => {
    const { ada } = await start()
    const transaction = await ada.upload.start()
    await ada.upload.text(transaction, 'x', 'x')
    await ada.upload.finish(transaction, project)
    expect(await ada.files()).toEqual(project)
  })

  test('are refused when they are no text, too large, badly named or nameless', async () => {
    const { ada } = await start()
    const transaction = await ada.upload.start()
    const send = (path: string | undefined, content: Uint8Array, name?: string) =>
      ada.upload.file(transaction, path, [{ name, content }])
    await refusal(send('x', Buffer.of(0xff, 0xfe)), 'file_invalid')
    await refusal(send('x', Buffer.of(0xed, 0xa0, 0x80)), 'file_invalid')
    await refusal(send('x', Buffer.from('a\0b')), 'file_invalid')
    await refusal(send('x', Buffer.alloc(10 * 1024 * 1024 + 1, 'x')), 'file_invalid')
    await refusal(send('../x', Buffer.from('x')), 'path_invalid')
    await refusal(send(undefined, Buffer.from('x')), 'invalid_request')
    await refusal(ada.upload.file(transaction, 'x', []), 'invalid_request')
    const two = [
      { name: 'a', content: Buffer.from('a') },
      { name: 'a', content: Buffer.from('b') },
    ]
    await refusal(ada.upload.file(transaction, 'x', two), 'invalid_request')
    await refusal(ada.upload.file(transaction, undefined, two), 'path_invalid')
    await refusal(ada.upload.finish(transaction, { x: 'x' }), 'upload_incomplete')
  })

  test('must have the hash that is listed', async () => {
    const { ada } = await start()
    const transaction = await ada.upload.start()
    await ada.upload.text(transaction, 'x', 'x')
    const error = await refusal(ada.upload.finish(transaction, { x: 'other' }), 'upload_incomplete')
    expect(error.message).toContain('"x"')
    await refusal(ada.upload.finish(transaction, { 'model/a.yml': 'other' }), 'upload_incomplete')
    expect(await ada.files()).toEqual(project)
    const files = { x: { hash: sha1('x').toUpperCase() } }
    await ada.upload.finish(transaction, {}, { files })
    expect(await ada.files()).toEqual({ x: 'x' })
  })

  test('and lists that are too long or have bad paths are refused', async () => {
    const { ada } = await start()
    const transaction = await ada.upload.start()
    const many = Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`f${index}`, { hash: '' }]))
    await refusal(ada.upload.finish(transaction, {}, { files: many }), 'too_many_files')
    await refusal(ada.upload.finish(transaction, { '../x': '' }), 'path_invalid')
    await refusal(ada.upload.finish(transaction, { x: '', '/x': '' }), 'path_invalid')
    await ada.upload.text(transaction, 'model', 'file')
    const clash = { ...project, model: 'file' }
    await refusal(ada.upload.finish(transaction, clash), 'path_invalid')
    expect(await ada.files()).toEqual(project)
  })
})
