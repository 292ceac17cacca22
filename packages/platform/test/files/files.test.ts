import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Developer, developer, sha1 } from '../branches/developer.ts'
import { createWorkbench, refusal, type Workbench } from '../branches/workbench.ts'

let bench: Workbench
beforeAll(async () => {
  bench = await createWorkbench()
})
afterAll(() => bench.close())

const project = { 'model/a.yml': 'cube\n', 'model/views/v.yml': 'view\n', 'README.md': 'Read me\n' }

async function start(files: Readonly<Record<string, string>> = project): Promise<Developer> {
  const deploymentId = await bench.deployment(files)
  const ada = developer(bench, bench.caller('ada'), deploymentId)
  await ada.enter()
  return ada
}

describe('writing', () => {
  test('makes and replaces files, with or without a leading slash', async () => {
    const ada = await start()
    expect(await ada.write({ '/model/a.yml': 'new', 'model/b/c/d.yml': 'deep', empty: '' })).toEqual({ success: true })
    expect(await ada.files()).toEqual({ ...project, 'model/a.yml': 'new', 'model/b/c/d.yml': 'deep', empty: '' })
  })

  test('keeps every byte of a text', async () => {
    const ada = await start({})
    const texts = {
      crlf: 'a\r\nb\r',
      bom: '\ufeffx',
      astral: '𝒳 \u{1f600}',
      none: 'no newline',
      tabs: '\t\u0001\u2028',
    }
    await ada.write(texts)
    expect(await ada.files()).toEqual(texts)
    expect(await ada.hashes()).toEqual(
      Object.fromEntries(Object.entries(texts).map(([path, text]) => [path, { hash: sha1(text) }])),
    )
  })

  test('of many files is all or nothing', async () => {
    const ada = await start()
    const files = Object.fromEntries(
      Array.from({ length: 1000 }, (_, index) => [`model/f${index}.yml`, `cube ${index}\n`]),
    )
    await refusal(ada.write({ ...files, '../out': 'x' }), 'path_invalid')
    expect(await ada.files()).toEqual(project)
    await ada.write(files)
    expect(await ada.files()).toEqual({ ...project, ...files })
  })

  test('of what is there already changes nothing', async () => {
    const ada = await start()
    const before = await ada.status()
    await ada.write({ 'model/a.yml': 'other' })
    expect((await ada.status()).filesHash).not.toBe(before.filesHash)
    await ada.write({ 'model/a.yml': 'cube\n' })
    expect((await ada.status()).filesHash).toBe(before.filesHash)
    await ada.commit()
    expect((await ada.status('main')).lastHash).toBe(before.lastHash)
  })

  test.each([
    ['../x', 'a . or .. is in it'],
    ['model/../../x', 'a . or .. is in it'],
    ['./x', 'a . or .. is in it'],
    ['//etc/passwd', 'absolute'],
    ['C:/x', 'absolute'],
    ['a\u0000b', 'control character'],
    ['a\\b', 'backslash'],
    ['a//b', 'empty'],
    ['a/', 'empty'],
    ['/', 'empty'],
    [`${'d/'.repeat(600)}x`, '1024'],
    ['x'.repeat(300), '255'],
    ['.git/config', 'git'],
    ['a\ud800', 'Unicode'],
  ])('refuses the path %j', async (path, reason) => {
    const ada = await start()
    for (const call of [ada.write({ [path]: 'x' }), ada.remove([path]), ada.rename({ 'README.md': path })]) {
      const error = await refusal(call, 'path_invalid')
      expect(error.message).toContain(reason)
    }
    expect(await ada.files()).toEqual(project)
  })

  test.each([
    ['half a surrogate pair', 'a\ud800b', 'surrogate'],
    ['a NUL', 'a\u0000b', 'NUL'],
    ['more than 10 MiB', 'é'.repeat(5 * 1024 * 1024 + 1), '10 MiB'],
  ])('refuses %s', async (_, content, reason) => {
    const ada = await start()
    const error = await refusal(ada.write({ ok: 'ok', bad: content }), 'file_invalid')
    expect(error.message).toContain('"bad"')
    expect(error.message).toContain(reason)
    expect(await ada.files()).toEqual(project)
  })

  test('takes a file of exactly 10 MiB', async () => {
    const ada = await start({})
    const content = 'x'.repeat(10 * 1024 * 1024)
    await ada.write({ big: content })
    expect(await ada.hashes()).toEqual({ big: { hash: sha1(content) } })
  })

  test('refuses 50,000 files in one call', async () => {
    const ada = await start()
    const files = Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`f${index}`, '']))
    const error = await refusal(ada.write(files), 'too_many_files')
    expect(error.message).toContain('50000')
    await refusal(ada.remove(Object.keys(files)), 'too_many_files')
    await refusal(ada.rename(files), 'too_many_files')
  })

  test('refuses a path that is there twice, however it is written', async () => {
    const ada = await start()
    const { operations } = bench
    const files = [
      { path: 'x', content: '1' },
      { path: '/x', content: '2' },
    ]
    const input = { params: ada.params, query: {}, body: { files }, files: undefined }
    const call = operations.updateFiles(ada.caller, input, {
      requestId: '',
      address: null,
      signal: new AbortController().signal,
    })
    const error = await refusal(call, 'path_invalid')
    expect(error.message).toContain('twice')
    await refusal(ada.remove(['README.md', '/README.md']), 'path_invalid')
  })

  test('refuses a file where a folder is, and the other way round', async () => {
    const ada = await start()
    const error = await refusal(ada.write({ model: 'x' }), 'path_invalid')
    expect(error.message).toContain('a file and a folder at once')
    await refusal(ada.write({ 'README.md/x': 'x' }), 'path_invalid')
    await refusal(ada.write({ y: '1', 'y/z': '2' }), 'path_invalid')
    expect(await ada.files()).toEqual(project)
  })
})

describe('deleting', () => {
  test('removes files, and folders with their last file', async () => {
    const ada = await start()
    await ada.remove(['/model/views/v.yml', 'README.md'])
    expect((await ada.list()).items).toEqual([
      {
        path: '/model',
        name: 'model',
        type: 'directory',
        children: [{ path: '/model/a.yml', name: 'a.yml', type: 'file' }],
      },
    ])
    await ada.remove(['model/a.yml'])
    expect((await ada.list()).items).toEqual([])
  })

  test('refuses what is not there, a folder included, and then removes nothing', async () => {
    const ada = await start()
    const error = await refusal(ada.remove(['README.md', 'model/none.yml']), 'file_not_found')
    expect(error.message).toContain('"model/none.yml"')
    await refusal(ada.remove(['model']), 'file_not_found')
    expect(await ada.files()).toEqual(project)
  })
})

describe('renaming', () => {
  test('moves files, also onto each other’s names and into their own folder', async () => {
    const ada = await start()
    await ada.rename({ 'model/a.yml': 'README.md', 'README.md': 'model/a.yml' })
    expect(await ada.files()).toMatchObject({ 'model/a.yml': 'Read me\n', 'README.md': 'cube\n' })
    await ada.rename({ 'README.md': 'README.md/inside', 'model/a.yml': 'model/a.yml' })
    expect(await ada.files()).toMatchObject({ 'README.md/inside': 'cube\n', 'model/a.yml': 'Read me\n' })
  })

  test('refuses a missing file, a taken name and one name for two', async () => {
    const ada = await start()
    await refusal(ada.rename({ none: 'x' }), 'file_not_found')
    const error = await refusal(ada.rename({ 'README.md': 'model/a.yml' }), 'path_invalid')
    expect(error.message).toContain('there is a file of that name already')
    await refusal(ada.rename({ 'README.md': 'x', 'model/a.yml': '/x' }), 'path_invalid')
    await refusal(ada.rename({ 'README.md': 'model' }), 'path_invalid')
    expect(await ada.files()).toEqual(project)
  })
})

describe('listing', () => {
  test('has contents only when they are asked for', async () => {
    const ada = await start()
    const [folder, file] = (await ada.list()).items
    expect(folder).toMatchObject({ path: '/model', type: 'directory', name: 'model' })
    expect(file).toEqual({ path: '/README.md', name: 'README.md', type: 'file' })
    expect((await ada.list({ withContent: true })).items.at(-1)).toMatchObject({ content: 'Read me\n' })
  })

  test('pages over top-level nodes, and is whole without a page', async () => {
    const ada = await start({ 'a/1': '', 'a/2': '', 'b/1': '', c: '', d: '' })
    const first = await ada.list({ first: 2 })
    expect(first.items.map(({ path }) => path)).toEqual(['/a', '/b'])
    expect(first.items[0]?.children).toHaveLength(2)
    const second = await ada.list({ first: 2, after: first.pageInfo.endCursor ?? '', withContent: true })
    expect(second.items.map(({ path }) => path)).toEqual(['/c', '/d'])
    expect(second.pageInfo.hasNextPage).toBe(false)
    const many = Object.fromEntries(Array.from({ length: 1200 }, (_, index) => [`top-${index}`, '']))
    await ada.write(many)
    expect((await ada.list()).items).toHaveLength(1204)
    expect((await ada.list()).data).toHaveLength(1204)
  })

  test('refuses to answer with more than fits', async () => {
    const ada = await start({})
    const text = 'x'.repeat(9 * 1024 * 1024)
    await ada.write(Object.fromEntries(Array.from({ length: 8 }, (_, index) => [`f${index}`, text])))
    const error = await refusal(ada.list({ withContent: true }), 'answer_too_large')
    expect(error.message).toContain('64 MiB')
    expect((await ada.list()).items).toHaveLength(8)
    expect((await ada.list({ withContent: true, first: 7 })).items).toHaveLength(7)
  })

  test('shows the files of the last deploy', async () => {
    const ada = await start()
    expect((await ada.list({ branchName: 'main', showLastCLIUpload: true })).items).toEqual([])
    await ada.deploy({ deployed: '1' }, { branchName: 'main' })
    await ada.write({ other: '2' })
    await ada.commit()
    expect(await ada.files({ branchName: 'main', showLastCLIUpload: true })).toEqual({ deployed: '1' })
    expect(await ada.files({ branchName: 'main' })).toEqual({ deployed: '1', other: '2' })
  })
})

describe('hashes', () => {
  test('are SHA-1 of the bytes, of edits too', async () => {
    const ada = await start()
    await ada.write({ 'model/a.yml': 'edited' })
    expect(await ada.hashes()).toEqual({
      'README.md': { hash: sha1('Read me\n') },
      'model/a.yml': { hash: sha1('edited') },
      'model/views/v.yml': { hash: sha1('view\n') },
    })
    expect(await ada.hashes({ branchName: 'main' })).toMatchObject({ 'model/a.yml': { hash: sha1('cube\n') } })
    await refusal(ada.hashes({ branchName: 'nowhere' }), 'branch_not_found')
  })

  test('can be of the project root alone', async () => {
    const ada = await start({ 'sub/model/a.yml': 'a', other: 'o', 'submarine/x': 'x' })
    await bench.settings(ada.params.deploymentId, { deployProjectRoot: '/sub' })
    expect(await ada.hashes({ useDeployProjectRoot: true })).toEqual({ 'model/a.yml': { hash: sha1('a') } })
    expect(Object.keys(await ada.hashes())).toEqual(['other', 'sub/model/a.yml', 'submarine/x'])
  })
})
