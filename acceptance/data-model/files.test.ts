import { describe, expect, test } from 'vitest'
import { sharedApi } from '../support/api.ts'
import { expectRefusal } from '../support/contract-client.ts'
import { createModeler, type Modeler, sha1 } from '../support/project.ts'

const api = sharedApi()

/** Somebody in dev mode on a new deployment, with these files beside the starter project. */
async function inDevMode(files: Record<string, string> = {}) {
  const modeler = await createModeler(api)
  const branch = await modeler.enter()
  if (Object.keys(files).length > 0) await modeler.write(files)
  return { ...modeler, branch }
}

const paths = async (modeler: Modeler, branchName?: string) => Object.keys(await modeler.files(branchName)).sort()

describe('write data-model files', () => {
  test('creates and overwrites, and answers { success: true }', async () => {
    const modeler = await inDevMode()
    const { client, params } = modeler
    const body = { files: [{ path: 'model/a.yml', content: 'one\n' }] }
    expect(await client.updateFiles({ params, body })).toEqual({ success: true })
    await modeler.write({ 'model/a.yml': 'two\n', 'model/deep/er/b.yml': '' })
    expect(await modeler.files()).toMatchObject({ 'model/a.yml': 'two\n', 'model/deep/er/b.yml': '' })
  })

  test('is heard at once by whoever reads the branch', async () => {
    const modeler = await inDevMode()
    const reader = await createModeler(api, modeler.deploymentId)
    await modeler.write({ 'a.md': 'new' })
    expect(await reader.files(modeler.branch)).toMatchObject({ 'a.md': 'new' })
  })

  test('keeps every byte of text as it is', async () => {
    const contents = {
      'crlf.md': 'a\r\nb\r',
      'utf8.md': '\u{feff}Ä 数据 🚀\u2028',
      'blank.md': ' \n\n',
      'tab.md': '\t\u0001',
    }
    const modeler = await inDevMode(contents)
    expect(await modeler.files()).toMatchObject(contents)
  })

  test('of many files is all or nothing', async () => {
    const modeler = await inDevMode({ 'kept.md': 'kept' })
    const before = await modeler.files()
    const { client, params } = modeler
    const many = Array.from({ length: 200 }, (_, index) => ({ path: `many/${index}.md`, content: `${index}` }))
    const broken = [...many, { path: 'kept.md', content: 'changed' }, { path: '../escape.md', content: '' }]
    await expectRefusal(client.updateFiles({ params, body: { files: broken } }), 'path_invalid', /escape/)
    expect(await modeler.files()).toEqual(before)
    await client.updateFiles({ params, body: { files: many } })
    expect(Object.keys(await modeler.files())).toHaveLength(Object.keys(before).length + 200)
  })

  test('by many at once loses none', async () => {
    const modeler = await inDevMode()
    const names = Array.from({ length: 12 }, (_, index) => `parallel/${index}.md`)
    await Promise.all(names.map(name => modeler.write({ [name]: name })))
    expect(await modeler.files()).toMatchObject(Object.fromEntries(names.map(name => [name, name])))
  })

  test('takes paths with and without the leading slash that listings show', async () => {
    const modeler = await inDevMode()
    await modeler.write({ '/model/slash.yml': 'with' })
    expect(await modeler.files()).toMatchObject({ 'model/slash.yml': 'with' })
    await modeler.remove('/model/slash.yml')
    expect(await paths(modeler)).not.toContain('model/slash.yml')
  })

  test('keeps names that differ in case or in normal form apart', async () => {
    const files = { 'A.md': '1', 'a.md': '2', '\u00e4.md': '3', 'a\u0308.md': '4' }
    expect(await (await inDevMode(files)).files()).toMatchObject(files)
  })

  test('without any file is refused', async () => {
    const { client, params } = await inDevMode()
    await expectRefusal(client.updateFiles({ params, body: { files: [] } }), 'invalid_request', /^files/)
  })

  test('refuses a path that is there twice, and one that is a file and a folder at once', async () => {
    const { client, params } = await inDevMode({ 'a/b.md': '' })
    const write = (...names: readonly string[]) =>
      client.updateFiles({ params, body: { files: names.map(path => ({ path, content: '' })) } })
    await expectRefusal(write('x.md', '/x.md'), 'path_invalid', /twice/)
    await expectRefusal(write('a'), 'path_invalid', /file and a folder/)
    await expectRefusal(write('a/b.md/c.md'), 'path_invalid', /file and a folder/)
    await expectRefusal(write('p', 'p/q'), 'path_invalid', /file and a folder/)
  })
})

describe('writes are accepted only on a personal dev- branch', () => {
  test('neither on the deploy branch nor on a shared one, by name or by id', async () => {
    const modeler = await inDevMode()
    const { client, params } = modeler
    await client.createBranch({ params, body: { name: 'shared' } })
    const { items } = await client.listBranches({ params })
    const file = { path: 'model/x.yml', content: '' }
    for (const { id, name } of items.filter(branch => !branch.name.startsWith('dev-'))) {
      for (const target of [{ branchName: name }, { branchId: id }, { branchName: name, branchId: id }]) {
        const calls = [
          client.updateFiles({ params, body: { files: [file], ...target } }),
          client.removeFiles({ params, body: { files: [{ path: 'model/cubes/example_orders.yml' }], ...target } }),
          client.renameFiles({
            params,
            body: { files: [{ path: 'model/cubes/example_orders.yml', newPath: 'b' }], ...target },
          }),
        ]
        const message = new RegExp(`Branch "${name}" is not a dev-mode branch`)
        await Promise.all(calls.map(call => expectRefusal(call, 'branch_not_dev_mode', message)))
      }
      expect(await paths(modeler, name)).toEqual(['model/cubes/example_orders.yml'])
    }
  })

  test("without a branch they go to the caller's open dev-mode branch, and without that they are refused", async () => {
    const modeler = await createModeler(api)
    const { client, params } = modeler
    const body = { files: [{ path: 'a.md', content: 'a' }] }
    await expectRefusal(client.updateFiles({ params, body }), 'dev_mode_inactive', /enter dev mode first/)
    const branch = await modeler.enter()
    await client.updateFiles({ params, body })
    expect(await modeler.files(branch)).toMatchObject({ 'a.md': 'a' })
    expect(await paths(modeler, 'main')).not.toContain('a.md')
    await client.stopDevMode({ params })
    await expectRefusal(client.removeFiles({ params, body: { files: [{ path: 'a.md' }] } }), 'dev_mode_inactive')
    await client.updateFiles({ params, body: { ...body, branchName: branch } })
  })

  test('an empty branch name is none, as older clients send it', async () => {
    const modeler = await inDevMode()
    const { client, params } = modeler
    for (const branchName of ['', null]) {
      await client.updateFiles({ params, body: { files: [{ path: `${branchName}.md`, content: '' }], branchName } })
    }
    expect(await paths(modeler)).toEqual(['.md', 'model/cubes/example_orders.yml', 'null.md'])
  })

  test('branchId and branchName name the same branch, or the request is refused', async () => {
    const modeler = await inDevMode()
    const { client, params, branch } = modeler
    const { items } = await client.listBranches({ params })
    const idOf = (name: string) => items.find(item => item.name === name)?.id ?? 0
    const write = (target: { branchId?: number; branchName?: string }) =>
      client.updateFiles({ params, body: { files: [{ path: 'a.md', content: 'x' }], ...target } })
    for (const target of [
      { branchId: idOf(branch) },
      { branchName: branch },
      { branchId: idOf(branch), branchName: branch },
    ]) {
      expect(await write(target)).toEqual({ success: true })
    }
    await expectRefusal(write({ branchId: idOf('main'), branchName: branch }), 'branch_mismatch', /Send one of them/)
    await expectRefusal(write({ branchId: idOf(branch), branchName: 'main' }), 'branch_mismatch')
    await expectRefusal(write({ branchId: 987654321 }), 'branch_not_found', /987654321/)
    await expectRefusal(write({ branchName: 'nowhere' }), 'branch_not_found', /"nowhere"/)
  })

  test('a branch of another deployment is not there', async () => {
    const [modeler, other] = [await inDevMode(), await inDevMode()]
    const { items } = await other.client.listBranches({ params: other.params })
    const branchId = items.find(({ name }) => name === other.branch)?.id ?? 0
    const files = [{ path: 'a.md', content: '' }]
    await expectRefusal(
      modeler.client.updateFiles({ params: modeler.params, body: { files, branchId } }),
      'branch_not_found',
    )
    await expectRefusal(modeler.write({ 'a.md': '' }, other.branch), 'branch_not_found')
  })
})

describe('list', () => {
  test('is a tree with folders first, paths from the root, and contents when they are asked for', async () => {
    const { client, params } = await inDevMode({ 'z.md': 'z', 'b/c/d.md': 'd', 'b/a.md': 'a' })
    const { items, data, pageInfo } = await client.listFiles({ params })
    expect(data).toEqual(items)
    expect(pageInfo.hasNextPage).toBe(false)
    const file = (path: string) => ({ path, name: path.split('/').at(-1), type: 'file' })
    expect(items).toEqual([
      {
        path: '/b',
        name: 'b',
        type: 'directory',
        children: [{ path: '/b/c', name: 'c', type: 'directory', children: [file('/b/c/d.md')] }, file('/b/a.md')],
      },
      expect.objectContaining({ path: '/model', type: 'directory' }),
      file('/z.md'),
    ])
    const { items: full } = await client.listFiles({ params, query: { withContent: true } })
    expect(full[0]?.children?.[1]).toEqual({ ...file('/b/a.md'), content: 'a' })
    const { items: named } = await client.listFiles({ params, query: { withContent: false } })
    expect(named).toEqual(items)
  })

  test("is of the branch named, else of the caller's dev branch, else of the deploy branch", async () => {
    const modeler = await inDevMode({ 'mine.md': '' })
    const stranger = await createModeler(api, modeler.deploymentId)
    expect(await paths(modeler)).toContain('mine.md')
    expect(await paths(modeler, 'main')).not.toContain('mine.md')
    expect(await paths(stranger)).not.toContain('mine.md')
    expect(await paths(stranger, modeler.branch)).toContain('mine.md')
    const call = modeler.client.listFiles({ params: modeler.params, query: { branchName: 'nowhere' } })
    await expectRefusal(call, 'branch_not_found', /"nowhere"/)
  })

  test('of top-level nodes in pages gives the same tree', async () => {
    const { client, params } = await inDevMode({ 'a/x.md': 'x', 'b/y.md': 'y', 'c.md': 'c', 'd.md': 'd' })
    const { items: whole } = await client.listFiles({ params, query: { withContent: true } })
    const walked = []
    for (let after = '', hasNextPage = true; hasNextPage; ) {
      const query = { first: 2, withContent: true, ...(after === '' ? {} : { after }) }
      const page = await client.listFiles({ params, query })
      walked.push(...page.items)
      after = page.pageInfo.endCursor ?? ''
      hasNextPage = page.pageInfo.hasNextPage
    }
    expect(walked).toEqual(whole)
  })
})

describe('delete', () => {
  test('removes files, and the folder that is empty then', async () => {
    const modeler = await inDevMode({ 'a/b/c.md': '', 'a/d.md': '' })
    await modeler.remove('a/b/c.md')
    expect(await paths(modeler)).toEqual(['a/d.md', 'model/cubes/example_orders.yml'])
    await modeler.remove('a/d.md', 'model/cubes/example_orders.yml')
    expect((await modeler.client.listFiles({ params: modeler.params })).items).toEqual([])
  })

  test('of a file that is not there is refused, and of none of the others done', async () => {
    const modeler = await inDevMode({ 'a.md': '' })
    await expectRefusal(modeler.remove('a.md', 'nothing.md'), 'file_not_found', /"nothing.md"/)
    await expectRefusal(modeler.remove('model'), 'file_not_found', /"model"/)
    expect(await paths(modeler)).toContain('a.md')
  })
})

describe('rename', () => {
  const renaming =
    ({ client, params }: Modeler) =>
    (names: Record<string, string>) =>
      client.renameFiles({
        params,
        body: { files: Object.entries(names).map(([path, newPath]) => ({ path, newPath })) },
      })

  test('moves contents, also into other folders', async () => {
    const modeler = await inDevMode({ 'a.md': 'A', 'b.md': 'B' })
    expect(await renaming(modeler)({ 'a.md': 'deep/er/a.md', 'b.md': 'a.md' })).toEqual({ success: true })
    const files = await modeler.files()
    expect(files).toMatchObject({ 'deep/er/a.md': 'A', 'a.md': 'B' })
    expect(Object.keys(files)).not.toContain('b.md')
  })

  test('exchanges two names in one request', async () => {
    const modeler = await inDevMode({ 'a.md': 'A', 'b.md': 'B' })
    await renaming(modeler)({ 'a.md': 'b.md', 'b.md': 'a.md' })
    expect(await modeler.files()).toMatchObject({ 'a.md': 'B', 'b.md': 'A' })
  })

  test('is refused for a file that is not there, onto one that stays, and twice onto one', async () => {
    const modeler = await inDevMode({ 'a.md': 'A', 'b.md': 'B' })
    const before = await modeler.files()
    const rename = renaming(modeler)
    await expectRefusal(rename({ 'no.md': 'x.md' }), 'file_not_found', /"no.md"/)
    await expectRefusal(rename({ 'a.md': 'b.md' }), 'path_invalid', /"b.md".*of that name already/)
    await expectRefusal(rename({ 'a.md': 'c.md', 'b.md': 'c.md' }), 'path_invalid', /twice/)
    await expectRefusal(rename({ 'a.md': 'b.md/c.md' }), 'path_invalid', /file and a folder/)
    expect(await modeler.files()).toEqual(before)
  })
})

describe('file hashes', () => {
  test('are the SHA-1 of the bytes of each file by its path', async () => {
    const files = { 'a.md': 'a\r\n', 'ä/数.md': 'Ä🚀', 'empty.md': '' }
    const { client, params } = await inDevMode(files)
    const hashes = await client.fileHashes({ params })
    for (const [path, content] of Object.entries(files)) expect(hashes[path]).toEqual({ hash: sha1(content) })
    expect(Object.keys(hashes).sort()).toEqual([...Object.keys(files), 'model/cubes/example_orders.yml'].sort())
  })

  test("are of the branch named, else of the caller's dev branch, else of the deploy branch", async () => {
    const { client, params, branch, deploymentId } = await inDevMode({ 'mine.md': '' })
    const stranger = await createModeler(api, deploymentId)
    expect(await client.fileHashes({ params })).toHaveProperty(['mine.md'])
    expect(await client.fileHashes({ params, query: { branchName: 'main' } })).not.toHaveProperty(['mine.md'])
    expect(await stranger.client.fileHashes({ params })).not.toHaveProperty(['mine.md'])
    expect(await stranger.client.fileHashes({ params, query: { branchName: branch } })).toHaveProperty(['mine.md'])
  })

  test('are below the project root where that is asked for', async () => {
    const { client, params } = await inDevMode({ 'analytics/model/a.yml': 'a', 'readme.md': 'r' })
    await client.updateDeployment({ params, body: { deployProjectRoot: '/analytics' } })
    const query = { useDeployProjectRoot: true, live: true }
    expect(await client.fileHashes({ params, query })).toEqual({ 'model/a.yml': { hash: sha1('a') } })
  })
})
