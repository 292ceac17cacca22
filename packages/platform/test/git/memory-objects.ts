import { type GitObject, hashObject, type NewObjects, type ObjectId, type ObjectReader } from '../../src/git/objects.ts'
import type { Snapshot } from '../../src/git/snapshot-file.ts'

export interface MemoryObjects extends ObjectReader {
  readonly all: Map<ObjectId, GitObject>
  /** How often `read` was called and how many ids it was asked for. */
  readonly asked: { calls: number; ids: number }
  add(objects: NewObjects): void
  addBlob(text: string | Uint8Array): ObjectId
  /** A set of plain files whose contents are stored here. */
  files(contents: Readonly<Record<string, string>>): Snapshot
}

/** Objects kept in a map, in place of the database. */
export function memoryObjects(): MemoryObjects {
  const all = new Map<ObjectId, GitObject>()
  const asked = { calls: 0, ids: 0 }
  const addBlob = (text: string | Uint8Array) => {
    const object: GitObject = { type: 'blob', content: typeof text === 'string' ? Buffer.from(text) : text }
    const id = hashObject(object)
    all.set(id, object)
    return id
  }
  return {
    all,
    asked,
    addBlob,
    add(objects) {
      for (const [id, object] of objects) all.set(id, object)
    },
    files(contents) {
      return new Map(Object.entries(contents).map(([path, text]) => [path, { mode: '100644', id: addBlob(text) }]))
    },
    async read(ids) {
      asked.calls++
      asked.ids += ids.length
      return new Map(
        ids.flatMap(id => {
          const object = all.get(id)
          return object === undefined ? [] : [[id, object] as const]
        }),
      )
    },
  }
}
