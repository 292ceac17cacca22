import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { encodeCommit, parseCommit } from '../../src/git/commit.ts'
import { hashObject } from '../../src/git/objects.ts'
import { readSnapshot } from '../../src/git/snapshot.ts'
import { encodeTree, parseTree } from '../../src/git/tree.ts'
import { createRepository, openRepository } from './git-program.ts'

/** Hedron's own repository where the tests run in a clone of it. */
const ownDirectory = fileURLToPath(new URL('../../../..', import.meta.url))

test('objects that git wrote are read and written back to the same bytes', async () => {
  await using written = await createRepository()
  await writeWithGit(written.git, written.directory)
  for (const { repository, least } of [
    { repository: written, least: 6 },
    { repository: openRepository(ownDirectory), least: 0 },
  ]) {
    const { stdout } = await repository.run([
      'cat-file',
      '--batch-all-objects',
      '--batch-check=%(objecttype) %(objectname)',
    ])
    const ids = stdout
      .toString()
      .split('\n')
      .flatMap(line => (/^(commit|tree) /.test(line) ? [line.split(' ')[1] ?? ''] : []))
      .slice(0, 5_000)
    const objects = await repository.reader.read(ids)
    expect(objects.size).toBe(ids.length)
    expect(ids.length).toBeGreaterThanOrEqual(least)
    for (const [id, { type, content }] of objects) {
      const again = type === 'tree' ? encodeTree(parseTree(content)) : encodeCommit(parseCommit(content))
      expect([id, hashObject({ type, content: again })]).toEqual([id, id])
    }
  }
})

test('a snapshot lists what git ls-tree lists', async () => {
  await using repository = await createRepository()
  await writeWithGit(repository.git, repository.directory)
  const tree = (await repository.git(['rev-parse', 'HEAD^{tree}'])).trim()
  const listed = (await repository.git(['ls-tree', '-r', '-z', tree])).split('\0').filter(Boolean)
  const ours = [...(await readSnapshot(repository.reader, tree))].map(([path, { mode, id }]) => {
    const type = mode === '160000' ? 'commit' : 'blob'
    return `${mode} ${type} ${id}\t${path}`
  })
  expect(ours).toEqual(listed)
})

/** Every mode, names in several scripts, a merge, an encoding, an empty message. */
async function writeWithGit(git: (args: readonly string[], input?: string) => Promise<string>, directory: string) {
  const blob = (await git(['hash-object', '-w', '--stdin'], 'x')).trim()
  const entries = [
    `100644 ${blob}\ta.b`,
    `100644 ${blob}\ta/ü/表.yml`,
    `100755 ${blob}\ta-run`,
    `120000 ${blob}\tlink`,
    `160000 ${'1'.repeat(40)}\tvendor`,
    `100644 ${blob}\t😀`,
    `100644 ${blob}\t\uff5e`,
  ]
  await git(['update-index', '--add', '-z', '--index-info'], `${entries.join('\0')}\0`)
  const tree = (await git(['write-tree'])).trim()
  const first = (await git(['commit-tree', tree], 'First\n\nBody\n')).trim()
  const second = (await git(['commit-tree', '-p', first, tree], '')).trim()
  const latin = (
    await git(['-c', 'i18n.commitEncoding=ISO-8859-1', 'commit-tree', '-p', first, tree], 'Gr\u00fc\u00dfe')
  ).trim()
  const merge = (await git(['commit-tree', '-p', second, '-p', latin, tree], 'Merge')).trim()
  await git(['-C', directory, 'update-ref', 'refs/heads/main', merge])
}
