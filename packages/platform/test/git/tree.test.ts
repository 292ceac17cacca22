import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { emptyTreeId, hashObject } from '../../src/git/objects.ts'
import { writePack } from '../../src/git/pack.ts'
import { readSnapshot, writeTree } from '../../src/git/snapshot.ts'
import { encodeTree, parseTree, type TreeEntry } from '../../src/git/tree.ts'
import { fileSet } from './arbitraries.ts'
import { createRepository } from './git-program.ts'
import { memoryObjects } from './memory-objects.ts'

const id = 'ce013625030ba8dba906f756967f9e9ca394464a'
const other = '1234567890123456789012345678901234567890'

describe('tree objects', () => {
  test('sort directories as if their name ended in a slash', () => {
    const entries: TreeEntry[] = [
      { name: 'a0', mode: '100644', id },
      { name: 'a', mode: '40000', id },
      { name: 'a.b', mode: '100755', id },
      { name: '\u{1f600}', mode: '100644', id },
      { name: '\uff5e', mode: '120000', id },
      { name: 'sub', mode: '160000', id: other },
    ]
    const parsed = parseTree(encodeTree(entries))
    expect(parsed.map(entry => entry.name)).toEqual(['a.b', 'a', 'a0', 'sub', '\uff5e', '\u{1f600}'])
    expect(new Set(parsed)).toEqual(new Set(entries))
  })

  test('read modes of old tools as git does', () => {
    const bytes = (mode: string) => Buffer.concat([Buffer.from(`${mode} x\0`), Buffer.from(id, 'hex')])
    const modes = ['100664', '100600', '100775', '040000', '100644', '100755', '120000', '160000']
    expect(modes.map(mode => parseTree(bytes(mode))[0]?.mode)).toEqual([
      '100644',
      '100644',
      '100755',
      '40000',
      '100644',
      '100755',
      '120000',
      '160000',
    ])
  })

  test.each([
    ['a cut entry', Buffer.from('100644 x\x0a3')],
    ['no name', Buffer.concat([Buffer.from('100644 \0'), Buffer.from(id, 'hex')])],
    ['a slash in a name', Buffer.concat([Buffer.from('100644 a/b\0'), Buffer.from(id, 'hex')])],
    ['a name that is not UTF-8', Buffer.concat([Buffer.from('100644 \xff\0', 'latin1'), Buffer.from(id, 'hex')])],
    ['an unknown mode', Buffer.concat([Buffer.from('777 x\0'), Buffer.from(id, 'hex')])],
    ['noise', Buffer.from('noise')],
  ])('refuse %s', (_, content) => {
    expect(() => parseTree(content)).toThrow(expect.objectContaining({ name: 'GitError', code: 'object_corrupt' }))
  })

  test('refuse to be written with a name twice', () => {
    const entries: TreeEntry[] = [
      { name: 'a', mode: '100644', id },
      { name: 'a', mode: '40000', id },
    ]
    expect(() => encodeTree(entries)).toThrow('twice')
  })

  test('the empty tree has the id that git knows', async () => {
    expect(hashObject({ type: 'tree', content: encodeTree([]) })).toBe(emptyTreeId)
    expect((await writeTree(new Map())).treeId).toBe(emptyTreeId)
    expect(await readSnapshot({ read: async () => new Map() }, emptyTreeId)).toEqual(new Map())
  })

  test('random trees have the ids that git gives them, and git finds nothing wrong with them', async () => {
    await using repository = await createRepository()
    const samples = fc.sample(fileSet, { numRuns: 60, seed: 1 })
    const store = memoryObjects()
    const ours: string[] = []
    const theirs: string[] = []
    for (const contents of samples) {
      const files = store.files(contents)
      const { treeId, objects } = await writeTree(files)
      store.add(objects)
      ours.push(treeId)
      for (const content of Object.values(contents)) store.addBlob(content)
    }
    await repository.unpack(writePack(store.all))
    for (const contents of samples) {
      const index = [...store.files(contents)].map(([path, file]) => `${file.mode} ${file.id}\t${path}\0`).join('')
      await repository.git(['read-tree', '--empty'])
      await repository.git(['update-index', '--add', '-z', '--index-info'], index)
      theirs.push((await repository.git(['write-tree'])).trim())
    }
    expect(ours).toEqual(theirs)
    expect(await repository.fsck()).toBe('')
  })
})
