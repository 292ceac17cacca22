import { describe, expect, test } from 'vitest'
import { encodeCommit, parseCommit } from '../../src/git/commit.ts'
import { createCommit } from '../../src/git/create-commit.ts'
import { emptyTreeId, hashObject } from '../../src/git/objects.ts'
import { createRepository } from './git-program.ts'

const parent = '1234567890123456789012345678901234567890'
const signed = `tree ${emptyTreeId}
parent ${parent}
author Ada Lovelace <ada@example.com> 1700000000 +0530
committer <> -5 -0000
encoding ISO-8859-1
mergetag object ${parent}
 type commit

 nested
gpgsig -----BEGIN PGP SIGNATURE-----
 
 iQEz
 -----END PGP SIGNATURE-----
x-new  two spaces

Subject

Body without a newline at its end`

describe('commit objects', () => {
  test('keep signatures, unknown headers and the exact message', () => {
    const withoutBlank = signed.replace('type commit\n\n', 'type commit\n \n')
    const commit = parseCommit(Buffer.from(withoutBlank))
    expect(commit).toMatchObject({
      tree: emptyTreeId,
      parents: [parent],
      author: { name: 'Ada Lovelace', email: 'ada@example.com', seconds: 1_700_000_000, zone: '+0530' },
      committer: { name: '', email: '', seconds: -5, zone: '-0000' },
      message: 'Subject\n\nBody without a newline at its end',
    })
    expect(commit.extraHeaders?.map(header => header.name)).toEqual(['encoding', 'mergetag', 'gpgsig', 'x-new'])
    expect(commit.extraHeaders?.at(2)?.value).toBe('-----BEGIN PGP SIGNATURE-----\n\niQEz\n-----END PGP SIGNATURE-----')
    expect(Buffer.from(encodeCommit(commit)).toString()).toBe(withoutBlank)
  })

  test('keep bytes that are not UTF-8', () => {
    const content = Buffer.from(
      `tree ${emptyTreeId}\nauthor J\xf6rg <j@x> 1 +0000\ncommitter J\xf6rg <j@x> 1 +0000\n\nGr\xfc\xdfe\n`,
      'latin1',
    )
    expect(parseCommit(content).message).toBe('Grüße\n')
    expect(Buffer.from(encodeCommit(parseCommit(content)))).toEqual(content)
  })

  test('read a mangled signature as far as it goes', () => {
    const content = `tree ${emptyTreeId}\nauthor Ada\ncommitter Ada <a> 1 +0000\n\n`
    expect(parseCommit(Buffer.from(content)).author).toEqual({ name: 'Ada', email: '', seconds: 0, zone: '+0000' })
  })

  test.each([
    ['', 'no value'],
    ['tree x\n\n', 'names no tree'],
    [`tree ${emptyTreeId}\nparent x\n\n`, 'a parent'],
    [`tree ${emptyTreeId}\ncommitter A <a> 1 +0000\n\n`, 'no author'],
    [`tree ${emptyTreeId}\nauthor A <a> 1 +0000\n\n`, 'no committer'],
    [`tree ${emptyTreeId}\nauthor\n\n`, 'no value'],
  ])('refuse %j', (content, reason) => {
    expect(() => parseCommit(Buffer.from(content))).toThrow(
      expect.objectContaining({ code: 'object_corrupt', message: expect.stringContaining(reason) }),
    )
  })
})

describe('createCommit', () => {
  const at = new Date(1_700_000_000_987)
  const author = { name: 'Ada', email: 'ada@example.com' }

  test('gives the id that git commit-tree gives', async () => {
    await using repository = await createRepository()
    await repository.git(['mktree'], '')
    const first = createCommit({ tree: emptyTreeId, parents: [], author, at, message: 'Première\n\nÜber 表' })
    const id = await repository.git(['commit-tree', emptyTreeId], 'Première\n\nÜber 表\n')
    expect(first.id).toBe(id.trim())
    const second = createCommit({ tree: emptyTreeId, parents: [first.id, first.id], author, at, message: 'x' })
    expect(second.id).toBe((await repository.git(['commit-tree', '-p', first.id, emptyTreeId], 'x\n')).trim())
    expect(second.id).toBe(hashObject(second.object))
  })

  test.each([
    [{ name: 'Eve <root@x>\nparent 0', email: 'e\n@<x>' }, 'Eve root@x parent 0', 'e@x'],
    [{ name: ' .,"Dr. Ada", ', email: ' a@b ' }, 'Dr. Ada', 'a@b'],
    [{ name: '<>', email: 'grace@example.com' }, 'grace', 'grace@example.com'],
    [{ name: '', email: '' }, 'unknown', ''],
    [{ name: 'a\0b\ud800', email: 'x' }, 'a b\ufffd', 'x'],
  ])('cleans %j', async (dirty, name, email) => {
    await using repository = await createRepository()
    await repository.git(['mktree'], '')
    const { id, object } = createCommit({ tree: emptyTreeId, parents: [], author: dirty, at, message: '\0' })
    expect(parseCommit(object.content).author).toMatchObject({ name, email, seconds: 1_700_000_000, zone: '+0000' })
    const stored = await repository.git(['hash-object', '-w', '-t', 'commit', '--stdin'], object.content)
    expect(stored.trim()).toBe(id)
    expect(await repository.fsck(id)).toBe('')
  })

  test.each([
    ['a', 'a\n'],
    ['\n\r\n a \t\r\n\r\nb\r\n\n', ' a\n\nb\n'],
    [' \n\n', ''],
    ['a\0b', 'ab\n'],
  ])('cleans the message %j', (message, clean) => {
    const { object } = createCommit({ tree: emptyTreeId, parents: [], author, at, message })
    expect(parseCommit(object.content).message).toBe(clean)
  })

  test('a date that is none is a bug of the caller', () => {
    const request = { tree: emptyTreeId, parents: [], author, message: '' }
    expect(() => createCommit({ ...request, at: new Date(Number.NaN) })).toThrow('cannot be dated')
    expect(() => createCommit({ ...request, at: new Date(-1) })).toThrow('cannot be dated')
  })
})
