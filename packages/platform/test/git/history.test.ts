import { describe, expect, test } from 'vitest'
import { isAncestor, log, mergeBase } from '../../src/git/history.ts'
import type { ObjectId } from '../../src/git/objects.ts'
import { writePack } from '../../src/git/pack.ts'
import { reachable } from '../../src/git/reachable.ts'
import { createRepository } from './git-program.ts'
import { memoryObjects } from './memory-objects.ts'
import { randomHistory, randomNumbers } from './random-history.ts'

describe.each([
  ['right clocks', 0],
  ['wrong clocks', 400],
])('a history of branches and merges with %s', (_, skew) => {
  async function prepare() {
    const store = memoryObjects()
    const ids = await randomHistory(store, 60, 23 + skew, skew)
    const orphan = (await randomHistory(store, 1, 999, 5))[0] ?? ''
    const random = randomNumbers(3)
    // Half of the pairs are neighbours, where crosswise merges show.
    const pairs = Array.from({ length: 50 }, (_, index) => {
      const left = random(60)
      return [ids[left] ?? '', ids[index % 2 === 0 ? random(60) : Math.abs(left - 1)] ?? ''] as const
    })
    const repository = await createRepository()
    await repository.unpack(writePack(store.all))
    return { store, ids, orphan, pairs, repository }
  }

  test('mergeBase and isAncestor agree with git', async () => {
    const { store, orphan, pairs, repository } = await prepare()
    await using _repository = repository
    let crossed = 0
    for (const [left, right] of pairs) {
      const { stdout } = await repository.run(['merge-base', '--all', left, right])
      const bases = stdout.toString().split('\n').filter(Boolean)
      const base = await mergeBase(store, left, right)
      expect(bases.length === 0 ? [null] : bases).toContain(base)
      expect(await mergeBase(store, right, left)).toBe(base)
      expect(await isAncestor(store, left, right)).toBe(bases.includes(left))
      if (bases.length > 1) crossed++
    }
    expect(crossed).toBeGreaterThan(0)
    expect(await mergeBase(store, orphan, pairs[0]?.[0] ?? '')).toBe(null)
    expect(await isAncestor(store, orphan, pairs[0]?.[0] ?? '')).toBe(false)
    expect(await isAncestor(store, orphan, orphan)).toBe(true)
  })

  test('log gives the commits that git gives', async () => {
    const { store, ids, repository } = await prepare()
    await using _repository = repository
    const head = ids.at(-1) ?? ''
    const all = (await repository.git(['rev-list', head])).trim().split('\n')
    const ours = (await log(store, head, 1000)).map(({ id }) => id)
    expect(new Set(ours)).toEqual(new Set(all))
    expect(ours.length).toBe(all.length)
    if (skew === 0) expect(ours).toEqual(all)
    expect((await log(store, head, 3)).map(({ id }) => id)).toEqual(ours.slice(0, 3))
    expect(await log(store, head, 0)).toEqual([])
  })

  test('reachable names all that is missing and little more', async () => {
    const { store, pairs, repository } = await prepare()
    await using _repository = repository
    let named = 0
    let missing = 0
    for (const [want, have] of pairs) {
      const objects = await reachable(store, [want], [have])
      const ours = [...objects.commits, ...objects.trees, ...objects.blobs]
      const needed = await listObjects([want, `^${have}`], repository.git)
      const complete = new Set(await listObjects([want], repository.git))
      expect(new Set(ours).size).toBe(ours.length)
      expect(needed.filter(id => !ours.includes(id))).toEqual([])
      expect(ours.filter(id => !complete.has(id))).toEqual([])
      named += ours.length
      missing += needed.length
    }
    expect(missing).toBeGreaterThan(500)
    expect(named).toBeLessThan(missing * 1.2)
    const [want = ''] = pairs[0] ?? []
    const { commits, trees, blobs } = await reachable(store, [want], [])
    const everything = await listObjects([want], repository.git)
    expect([...commits, ...trees, ...blobs].sort()).toEqual(everything.sort())
  })
})

test('mergeBase reads near the heads, not the whole history', async () => {
  const store = memoryObjects()
  const ids = await randomHistory(store, 300, 5, 0)
  store.asked.ids = 0
  await mergeBase(store, ids.at(-1) ?? '', ids.at(-3) ?? '')
  expect(store.asked.ids).toBeLessThan(20)
})

async function listObjects(
  revisions: readonly string[],
  git: (args: readonly string[]) => Promise<string>,
): Promise<ObjectId[]> {
  const output = await git(['rev-list', '--objects', '--no-object-names', ...revisions])
  return output.split('\n').filter(Boolean)
}
