import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cachingReader } from '../../src/git/caching-reader.ts'
import { editTree, type FileEdit } from '../../src/git/edit-tree.ts'
import { emptyTreeId, type GitObject, hashObject } from '../../src/git/objects.ts'
import { findDirectory, findFiles, readSnapshot, writeTree } from '../../src/git/snapshot.ts'
import { directoryMode, encodeTree } from '../../src/git/tree.ts'
import { directoriesOf, fileSet, path } from './arbitraries.ts'
import { memoryObjects } from './memory-objects.ts'

async function storedTree(contents: Readonly<Record<string, string>>) {
  const store = memoryObjects()
  const { treeId, objects } = await writeTree(store.files(contents))
  store.add(objects)
  return { store, treeId }
}

async function pathsAfter(contents: Record<string, string>, edits: Record<string, string | null>) {
  const { store, treeId } = await storedTree(contents)
  const wanted = new Map(
    Object.entries(edits).map(([path, text]) => [path, text === null ? null : { id: store.addBlob(text) }]),
  )
  const result = await editTree(store, treeId, wanted)
  store.add(result.objects)
  const files = await readSnapshot(store, result.treeId)
  return Object.fromEntries([...files].map(([path, { id }]) => [path, text(store.all.get(id))]))
}

function text(object: GitObject | undefined): string {
  return Buffer.from(object?.content ?? []).toString()
}

const collision = (path: string) => expect.objectContaining({ code: 'path_file_and_directory', path })

describe('editTree', () => {
  test('writes, overwrites and deletes', async () => {
    const after = await pathsAfter({ 'a/b': '1', 'a/c': '2', d: '3' }, { 'a/b': 'new', 'a/c': null, 'x/y/z': '4' })
    expect(after).toEqual({ 'a/b': 'new', d: '3', 'x/y/z': '4' })
  })

  test('a directory goes with its last file', async () => {
    expect(await pathsAfter({ 'a/b/c': '1', d: '2' }, { 'a/b/c': null })).toEqual({ d: '2' })
    expect(await pathsAfter({ 'a/b/c': '1' }, { 'a/b/c': null })).toEqual({})
    const { store, treeId } = await storedTree({ 'a/b/c': '1' })
    const emptied = await editTree(store, treeId, new Map([['a/b/c', null]]))
    expect(emptied.treeId).toBe(emptyTreeId)
    expect([...emptied.objects.keys()]).toEqual([emptyTreeId])
  })

  test('deleting what is not there changes nothing', async () => {
    const { store, treeId } = await storedTree({ 'a/b': '1', c: '2' })
    const absent = ['x', 'a', 'a/x', 'a/b/c', 'c/d', 'x/y/z'].map(path => [path, null] as const)
    expect(await editTree(store, treeId, new Map(absent))).toEqual({ treeId, objects: new Map() })
  })

  test('a file takes the place of an emptied directory, and the other way round', async () => {
    expect(await pathsAfter({ 'a/b': '1', 'a/c/d': '2' }, { a: '3', 'a/b': null, 'a/c/d': null })).toEqual({ a: '3' })
    expect(await pathsAfter({ a: '1' }, { a: null, 'a/b/c': '2' })).toEqual({ 'a/b/c': '2' })
  })

  test('refuses a path that would be file and directory', async () => {
    await expect(pathsAfter({ 'a/b': '1' }, { a: '2' })).rejects.toThrow(collision('a'))
    await expect(pathsAfter({ 'a/b': '1', 'a/c': '1' }, { a: '2', 'a/b': null })).rejects.toThrow(collision('a'))
    await expect(pathsAfter({ a: '1' }, { 'a/b/c': '2' })).rejects.toThrow(collision('a/b/c'))
    await expect(pathsAfter({}, { a: '1', 'a/b': '2' })).rejects.toThrow(collision('a'))
    await expect(pathsAfter({ a: '1' }, { 'a/b': '2' })).rejects.toThrow(
      'The path "a/b" cannot be written: "a" would be a file and a directory at once. Delete or rename one of the two.',
    )
  })

  test('names that differ in case alone are two files', async () => {
    expect(await pathsAfter({ 'Model/a': '1' }, { 'model/a': '2', 'Model/A': '3' })).toEqual({
      'Model/a': '1',
      'model/a': '2',
      'Model/A': '3',
    })
  })

  test('keeps the executable bit, modes that are given, and makes a plain file of a link', async () => {
    const store = memoryObjects()
    const id = store.addBlob('x')
    const { treeId, objects } = await writeTree(
      new Map([
        ['run', { mode: '100755', id }],
        ['link', { mode: '120000', id }],
        ['sub', { mode: '160000', id }],
      ] as const),
    )
    store.add(objects)
    const next = store.addBlob('y')
    const edits = new Map([
      ['run', { id: next }],
      ['link', { id: next }],
      ['new', { id: next, mode: '100755' } as const],
    ])
    const result = await editTree(store, treeId, edits)
    store.add(result.objects)
    expect(await readSnapshot(store, result.treeId)).toEqual(
      new Map([
        ['link', { mode: '100644', id: next }],
        ['new', { mode: '100755', id: next }],
        ['run', { mode: '100755', id: next }],
        ['sub', { mode: '160000', id }],
      ]),
    )
    const plain = await editTree(store, result.treeId, new Map([['run', { id: next, mode: '100644' } as const]]))
    expect(plain.objects.size).toBe(1)
  })

  test.each(['', 'a//b', '../a', 'a/.git/b', '/a'])('refuses the path %j even from inside', async path => {
    const edits = new Map([[path, { id: emptyTreeId }]])
    await expect(editTree(memoryObjects(), null, edits)).rejects.toThrow(expect.objectContaining({ name: 'PathError' }))
  })

  test('says which object is missing or of another type', async () => {
    const store = memoryObjects()
    const blob = store.addBlob('x')
    const edits = new Map([['a', { id: blob }]])
    const missing = { code: 'object_missing', message: expect.stringContaining(`tree ${'0'.repeat(40)} is not in`) }
    await expect(editTree(store, '0'.repeat(40), edits)).rejects.toThrow(expect.objectContaining(missing))
    await expect(editTree(store, blob, edits)).rejects.toThrow(expect.objectContaining({ code: 'object_type' }))
  })

  test('reads and writes only the directories on the way, one round trip for each level', async () => {
    const contents: Record<string, string> = {}
    for (let index = 0; index < 5_000; index++) contents[`a${index % 50}/b${index % 500}/${index}.yml`] = `${index}`
    const { store, treeId } = await storedTree(contents)
    const edits = new Map([
      ['a7/b7/7.yml', { id: store.addBlob('new') }],
      ['a8/new.yml', { id: store.addBlob('new') }],
    ])
    const { objects } = await editTree(store, treeId, edits)
    expect(store.asked).toEqual({ calls: 3, ids: 4 })
    expect(objects.size).toBe(4)
  })

  test('the result is the tree written from scratch, whatever the edits', async () => {
    const edit = fc.option(fc.string({ maxLength: 3 }), { freq: 3 })
    const someEdits = fc.dictionary(path, edit, { maxKeys: 12, noNullPrototype: true })
    let applied = 0
    let refused = 0
    await fc.assert(
      fc.asyncProperty(fileSet, someEdits, fc.array(fc.nat(), { maxLength: 6 }), async (contents, added, removed) => {
        const { store, treeId } = await storedTree(contents)
        const edits = new Map<string, FileEdit | null>()
        const present = Object.keys(contents)
        for (const index of removed) {
          const path = present[index % Math.max(present.length, 1)]
          if (path !== undefined) edits.set(path, null)
        }
        for (const [path, text] of Object.entries(added)) {
          edits.set(path, text === null ? null : { id: store.addBlob(text) })
        }
        const expected = new Map(store.files(contents))
        for (const [path, value] of edits) {
          if (value === null) expected.delete(path)
          else expected.set(path, { mode: '100644', id: value.id })
        }
        const directories = new Set([...expected.keys()].flatMap(directoriesOf))
        if ([...expected.keys()].some(path => directories.has(path))) {
          refused++
          await expect(editTree(store, treeId, edits)).rejects.toThrow('file and a directory')
          return
        }
        applied++
        const result = await editTree(store, treeId, edits)
        store.add(result.objects)
        expect(result.treeId).toBe((await writeTree(expected)).treeId)
        expect(await readSnapshot(store, result.treeId)).toEqual(expected)
        const asked = new Set([...edits.keys(), ...present.slice(0, 5), 'absent/x'])
        const found = new Map([...expected].filter(([path]) => asked.has(path)))
        expect(await findFiles(store, result.treeId, asked)).toEqual(found)
      }),
      { seed: 7, numRuns: 300 },
    )
    expect(Math.min(applied, refused)).toBeGreaterThan(20)
  })
})

describe('readSnapshot', () => {
  test('lists in the order of git', async () => {
    const contents = { 'a/x': '', 'a.b': '', a0: '', 'a-b/c': '', '\u{1f600}': '', '\uff5e': '' }
    const { store, treeId } = await storedTree(contents)
    const paths = [...(await readSnapshot(store, treeId)).keys()]
    expect(paths).toEqual(['a-b/c', 'a.b', 'a/x', 'a0', '\uff5e', '\u{1f600}'])
  })

  test('stops at a tree that repeats itself into millions of files', async () => {
    const { store, treeId: leaf } = await storedTree({ x: '' })
    let treeId = leaf
    for (let depth = 0; depth < 10; depth++) {
      const names = Array.from({ length: 10 }, (_, index) => `d${index}`)
      const content = encodeTree(names.map(name => ({ name, mode: directoryMode, id: treeId })))
      treeId = hashObject({ type: 'tree', content })
      store.add(new Map([[treeId, { type: 'tree', content }]]))
    }
    await expect(readSnapshot(store, treeId)).rejects.toThrow(expect.objectContaining({ code: 'tree_too_large' }))
  })
})

test('findDirectory finds the tree below a path', async () => {
  const { store, treeId } = await storedTree({ 'a/b/c': '1', d: '2' })
  const below = await findDirectory(store, treeId, 'a/b')
  expect([...(await readSnapshot(store, below ?? '')).keys()]).toEqual(['c'])
  expect(await findDirectory(store, treeId, '')).toBe(treeId)
  for (const path of ['d', 'd/x', 'a/x', 'a/b/c', 'x']) expect(await findDirectory(store, treeId, path)).toBe(null)
})

describe('cachingReader', () => {
  test('asks once for trees and every time for files', async () => {
    const { store, treeId } = await storedTree({ 'a/b': '1' })
    const blob = store.addBlob('1')
    const reader = cachingReader(store, new Map<string, GitObject>())
    await readSnapshot(reader, treeId)
    await readSnapshot(reader, treeId)
    expect(store.asked).toEqual({ calls: 2, ids: 2 })
    await reader.read([blob, treeId])
    await reader.read([blob, treeId])
    expect(store.asked).toEqual({ calls: 4, ids: 4 })
    expect((await reader.read(['f'.repeat(40)])).size).toBe(0)
  })
})
