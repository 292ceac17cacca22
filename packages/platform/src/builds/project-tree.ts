import { emptyTreeId, type ObjectId, type ObjectReader } from '../git/index.ts'
import { readTrees } from '../git/read-objects.ts'

/** The tree of a project that lies in a folder of its repository; the empty tree where there is no such folder. */
export async function projectTree(reader: ObjectReader, tree: ObjectId, deployProjectRoot: string): Promise<ObjectId> {
  let id = tree
  for (const name of deployProjectRoot.split('/').filter(part => part !== '')) {
    const entries = (await readTrees(reader, [id])).get(id) ?? []
    const entry = entries.find(each => each.name === name)
    if (entry?.mode !== '40000') return emptyTreeId
    id = entry.id
  }
  return id
}
