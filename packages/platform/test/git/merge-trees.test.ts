import { describe, expect, test } from 'vitest'
import { type MergeResult, mergeTrees, type Resolutions, resolveWith } from '../../src/git/merge-trees.ts'
import { readSnapshot, writeTree } from '../../src/git/snapshot.ts'
import type { FileMode } from '../../src/git/tree.ts'
import { memoryObjects } from './memory-objects.ts'

type Files = Readonly<Record<string, string>>

/** Three sets of files as stored trees, and what became of them. */
async function prepare(base: Files | null, ours: Files, theirs: Files, modes: Record<string, FileMode> = {}) {
  const store = memoryObjects()
  const write = async (contents: Files) => {
    const files = new Map(
      [...store.files(contents)].map(([path, file]) => [path, { ...file, mode: modes[path] ?? file.mode }]),
    )
    const { treeId, objects } = await writeTree(files)
    store.add(objects)
    return treeId
  }
  const input = {
    reader: store,
    base: base === null ? null : await write(base),
    ours: await write(ours),
    theirs: await write(theirs),
  }
  const filesOf = async (result: MergeResult) => {
    store.add(result.objects)
    if (result.treeId === null) throw new Error(`Conflicts: ${JSON.stringify(result.conflicts)}`)
    const files = [...(await readSnapshot(store, result.treeId))]
    return Object.fromEntries(
      files.map(([path, { id }]) => [path, Buffer.from(store.all.get(id)?.content ?? []).toString()]),
    )
  }
  return { store, input, filesOf }
}

async function merged(base: Files | null, ours: Files, theirs: Files) {
  const { input, filesOf } = await prepare(base, ours, theirs)
  return filesOf(await mergeTrees(input))
}

async function conflicts(base: Files | null, ours: Files, theirs: Files) {
  const { input } = await prepare(base, ours, theirs)
  const result = await mergeTrees(input)
  expect([result.treeId, result.objects.size]).toEqual([null, 0])
  return result.conflicts.map(({ path, kind }) => `${path}: ${kind}`)
}

const text = (count: number, change: Record<number, string> = {}) =>
  Array.from({ length: count }, (_, index) => `${change[index] ?? `line ${index}`}\n`).join('')

describe('mergeTrees', () => {
  test('takes what each side did', async () => {
    const base = { a: '1', b: '2', 'c/d': '3', e: '4' }
    expect(await merged(base, { ...base, a: 'ours', n: 'x' }, { a: '1', b: 'theirs', 'c/d': '3', m: 'y' })).toEqual({
      a: 'ours',
      b: 'theirs',
      'c/d': '3',
      m: 'y',
      n: 'x',
    })
  })

  test('merges lines of one file, endings kept to the byte', async () => {
    const base = 'a\r\nb\r\nc\r\nd\r\ne'
    const ours = 'A\r\nb\r\nc\r\nd\r\ne'
    const theirs = 'a\r\nb\r\nc\r\nd\r\ne\r\n'
    expect(await merged({ f: base }, { f: ours }, { f: theirs })).toEqual({ f: 'A\r\nb\r\nc\r\nd\r\ne\r\n' })
  })

  test('merges bytes that are not UTF-8', async () => {
    const store = memoryObjects()
    const write = async (...lines: string[]) => {
      const id = store.addBlob(Buffer.from(lines.join('\n'), 'latin1'))
      const { treeId, objects } = await writeTree(new Map([['f', { mode: '100644', id }]]))
      store.add(objects)
      return treeId
    }
    const base = await write('\xfc', 'b', 'c', '\xff')
    const ours = await write('\xfc\xe4', 'b', 'c', '\xff')
    const theirs = await write('\xfc', 'b', 'c', '\xff\xfe')
    const { treeId, objects } = await mergeTrees({ reader: store, base, ours, theirs })
    store.add(objects)
    expect(treeId).toBe(await write('\xfc\xe4', 'b', 'c', '\xff\xfe'))
  })

  test.each([
    ['ours', 'theirs'],
    ['theirs', 'ours'],
  ])('a file that %s renamed and %s edited is edited under its new name', async first => {
    const base = { 'cubes/orders.yml': text(20), other: 'x' }
    const renamed = { 'sales/orders.yml': text(20), other: 'x' }
    const edited = { 'cubes/orders.yml': text(20, { 3: 'edited' }), other: 'x' }
    const [ours, theirs] = first === 'ours' ? [renamed, edited] : [edited, renamed]
    expect(await merged(base, ours, theirs)).toEqual({ 'sales/orders.yml': text(20, { 3: 'edited' }), other: 'x' })
  })

  test('also when the renamed file was edited a little', async () => {
    const ours = { 'revenue.yml': text(20, { 0: 'cube: revenue' }) }
    const theirs = { 'sales.yml': text(20, { 15: 'edited' }) }
    expect(await merged({ 'sales.yml': text(20) }, ours, theirs)).toEqual({
      'revenue.yml': text(20, { 0: 'cube: revenue', 15: 'edited' }),
    })
  })

  test('a file that little is left of is no rename', async () => {
    const rewritten = text(
      20,
      Object.fromEntries(Array.from({ length: 10 }, (_, index) => [index, `new ${index} ${index}`])),
    )
    expect(await conflicts({ a: text(20) }, { b: rewritten }, { a: text(20, { 19: 'x' }) })).toEqual([
      'a: delete-modify',
    ])
  })

  test('a file may become a directory, and the other way round, when the other side left it alone', async () => {
    expect(await merged({ a: '1', b: '1' }, { 'a/x': '2', b: '1' }, { a: '1', b: '2' })).toEqual({ 'a/x': '2', b: '2' })
    expect(await merged({ 'a/x': '1', b: '1' }, { 'a/x': '1', b: '2' }, { a: '3', b: '1' })).toEqual({ a: '3', b: '2' })
  })

  test('says what conflicts, and leaves nothing behind', async () => {
    const base = { a: '1\n' }
    expect(await conflicts(base, { a: '2\n' }, { a: '3\n' })).toEqual(['a: content'])
    expect(await conflicts(base, {}, { a: '3\n' })).toEqual(['a: delete-modify'])
    expect(await conflicts(base, { a: '2\n' }, {})).toEqual(['a: delete-modify'])
    expect(await conflicts({}, { a: '2\n' }, { a: '3\n' })).toEqual(['a: add-add'])
    expect(await conflicts(null, { a: '2\n' }, { a: '3\n' })).toEqual(['a: add-add'])
    expect(await conflicts({ a: '\0' }, { a: '\0 1' }, { a: '\0 2' })).toEqual(['a: binary'])
    expect(await conflicts({}, { a: '1' }, { 'a/b': '2' })).toEqual(['a: directory-file'])
    expect(await conflicts({ a: text(5) }, { b: text(5) }, { c: text(5) })).toEqual([
      'a: rename',
      'b: rename',
      'c: rename',
    ])
    expect(await conflicts({ a: text(5) }, { b: text(5) }, {})).toEqual(['b: delete-modify'])
  })

  test('a mode that only one side changed is taken, two kinds of file are not mixed', async () => {
    const store = memoryObjects()
    const write = async (mode: FileMode, content: string) => {
      const { treeId, objects } = await writeTree(new Map([['f', { mode, id: store.addBlob(content) }]]))
      store.add(objects)
      return treeId
    }
    const plain = await write('100644', text(3))
    const merge = async (ours: string, theirs: string) => {
      const { treeId, objects, conflicts } = await mergeTrees({ reader: store, base: plain, ours, theirs })
      store.add(objects)
      return treeId ?? conflicts.map(({ kind }) => kind)
    }
    const edited = await write('100644', text(3, { 1: 'x' }))
    expect(await merge(await write('100755', text(3)), edited)).toBe(await write('100755', text(3, { 1: 'x' })))
    expect(await merge(await write('120000', 'target'), edited)).toEqual(['mode'])
    expect(await merge(await write('120000', 'target'), await write('120000', 'other'))).toEqual(['binary'])
  })

  test('tells the lines of a conflict, where they are, and as a marked text', async () => {
    const base = { 'm.yml': `ä\n${text(4)}` }
    const ours = { 'm.yml': `new\nä\n${text(4, { 1: 'ours ü' })}` }
    const theirs = { 'm.yml': `ä\n${text(4, { 1: 'theirs' })}` }
    const { input, store } = await prepare(base, ours, theirs)
    const labels = { base: 'main', ours: 'dev-ada', theirs: 'main now' }
    const { conflicts } = await mergeTrees({ ...input, labels })
    expect(conflicts).toEqual([
      {
        path: 'm.yml',
        kind: 'content',
        base: store.addBlob(base['m.yml']),
        ours: store.addBlob(ours['m.yml']),
        theirs: store.addBlob(theirs['m.yml']),
        regions: [
          {
            baseStartLine: 3,
            oursStartLine: 4,
            theirsStartLine: 3,
            base: ['line 1\n'],
            ours: ['ours ü\n'],
            theirs: ['theirs\n'],
          },
        ],
        marked:
          'new\nä\nline 0\n<<<<<<< dev-ada\nours ü\n||||||| main\nline 1\n=======\ntheirs\n>>>>>>> main now\nline 2\nline 3\n',
      },
    ])
  })

  test('reads in few round trips', async () => {
    const files = (change: string) =>
      Object.fromEntries(
        Array.from({ length: 1_000 }, (_, index) => [
          `d${index % 20}/f${index}`,
          text(30, { [change.length]: change }),
        ]),
      )
    const { input, store } = await prepare(files(''), files('one'), files('twelve chars'))
    store.asked.calls = 0
    const { conflicts } = await mergeTrees(input)
    expect(conflicts).toEqual([])
    expect(store.asked.calls).toBeLessThan(20)
  })
})

describe('resolveWith', () => {
  const base = { a: '1\n', b: '1\n', 'c/d': text(9), e: 'e' }
  const ours = { a: '2\n', b: '2\n', 'c/d': text(9, { 0: 'ours' }), e: 'e' }
  const theirs = { a: '3\n', 'c/d': text(9, { 8: 'theirs' }), e: 'e' }
  const decide = (decisions: Record<string, string | null>): Resolutions =>
    new Map(Object.entries(decisions).map(([path, content]) => [path, content === null ? null : Buffer.from(content)]))

  test('takes the decisions and merges the rest', async () => {
    const { input, filesOf } = await prepare(base, ours, theirs)
    const result = await resolveWith(input, decide({ a: 'both\n', b: null }))
    expect(await filesOf(result)).toEqual({ a: 'both\n', 'c/d': text(9, { 0: 'ours', 8: 'theirs' }), e: 'e' })
  })

  test('returns what is still open', async () => {
    const { input } = await prepare(base, ours, theirs)
    const { treeId, conflicts } = await resolveWith(input, decide({ a: 'both\n' }))
    expect([treeId, conflicts.map(({ path }) => path)]).toEqual([null, ['b']])
  })

  test('puts a file aside that stands where a directory is needed', async () => {
    const { input, filesOf } = await prepare({}, { a: '1' }, { 'a/b': '2' })
    expect(await filesOf(await resolveWith(input, decide({ a: null, 'a-file': '1' })))).toEqual({
      'a-file': '1',
      'a/b': '2',
    })
    expect(await filesOf(await resolveWith(input, decide({ a: '1', 'a/b': null })))).toEqual({ a: '1' })
    await expect(resolveWith(input, decide({ a: '1' }))).rejects.toThrow(
      expect.objectContaining({ code: 'path_file_and_directory' }),
    )
  })

  test('decides between two new names', async () => {
    const { input, filesOf } = await prepare({ a: text(5) }, { b: text(5) }, { c: text(5) })
    const result = await resolveWith(input, decide({ a: null, b: null, c: text(5) }))
    expect(await filesOf(result)).toEqual({ c: text(5) })
  })
})
