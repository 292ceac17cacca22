import { createCommit } from '../../src/git/create-commit.ts'
import type { ObjectId } from '../../src/git/objects.ts'
import { writeTree } from '../../src/git/snapshot.ts'
import type { MemoryObjects } from './memory-objects.ts'

/** Numbers from 0 up to a limit, always the same for a seed. */
export function randomNumbers(seed: number): (limit: number) => number {
  let state = seed
  return limit => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
    return (state >>> 8) % limit
  }
}

/** Commits that branch and merge at random, the oldest first. `skew` lets the clocks be wrong by so many seconds. */
export async function randomHistory(store: MemoryObjects, count: number, seed: number, skew: number) {
  const random = randomNumbers(seed)
  const ids: ObjectId[] = []
  const files: Record<string, string> = {}
  for (let index = 0; index < count; index++) {
    files[`d${random(4)}/e${random(3)}/f${random(6)}`] = `${random(50)}\n`
    const { treeId, objects } = await writeTree(store.files(files))
    const parents = Array.from({ length: random(2) + 1 }, () => ids.at(-1 - random(7))).filter(id => id !== undefined)
    const at = new Date((1_600_000_000 + index * 10 + (skew > 0 ? random(skew) : 0)) * 1000)
    const author = { name: 'Ada', email: 'ada@example.com' }
    const { id, object } = createCommit({ tree: treeId, parents, author, at, message: `commit ${index}` })
    store.add(new Map([...objects, [id, object]]))
    ids.push(id)
  }
  return ids
}
