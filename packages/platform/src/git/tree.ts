import { isUtf8 } from 'node:buffer'
import { compareBytes } from './byte-order.ts'
import { gitError } from './git-error.ts'
import type { ObjectId } from './objects.ts'

export const directoryMode = '40000'

/** Plain file, executable file, symbolic link, submodule commit. Hedron itself writes the first alone. */
export type FileMode = '100644' | '100755' | '120000' | '160000'

export interface DirectoryEntry {
  readonly name: string
  readonly mode: typeof directoryMode
  readonly id: ObjectId
}

export interface FileEntry {
  readonly name: string
  readonly mode: FileMode
  readonly id: ObjectId
}

export type TreeEntry = DirectoryEntry | FileEntry

const space = 0x20
const idBytes = 20

/**
 * The content of a tree object. Entries may come in any order; git's own is by bytes, directories as if their name
 * ended in a slash.
 */
export function encodeTree(entries: Iterable<TreeEntry>): Uint8Array {
  const sorted = Array.from(entries, entry => ({ entry, key: sortKey(entry) }))
  sorted.sort((left, right) => compareBytes(left.key, right.key))
  const names = new Set<string>()
  let size = 0
  for (const { entry } of sorted) {
    if (names.has(entry.name)) throw new Error(`A tree was given the name ${JSON.stringify(entry.name)} twice`)
    names.add(entry.name)
    size += entry.mode.length + 1 + Buffer.byteLength(entry.name) + 1 + idBytes
  }
  const content = Buffer.alloc(size)
  let offset = 0
  for (const { entry } of sorted) {
    offset += content.write(`${entry.mode} `, offset, 'latin1')
    offset += content.write(entry.name, offset) + 1
    offset += content.write(entry.id, offset, 'hex')
  }
  return content
}

/**
 * Reads the content of a tree object, in its own order. Modes that old tools wrote (`100664`, `040000`) are read as
 * git reads them, as the nearest mode of today.
 *
 * @throws {GitError} `object_corrupt` when the bytes are no tree or a name is not UTF-8.
 */
export function parseTree(content: Uint8Array): TreeEntry[] {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength)
  const entries: TreeEntry[] = []
  let offset = 0
  while (offset < bytes.length) {
    const modeEnd = bytes.indexOf(space, offset)
    const nameEnd = modeEnd < 0 ? -1 : bytes.indexOf(0, modeEnd)
    const end = nameEnd + 1 + idBytes
    if (nameEnd < 0 || end > bytes.length) throw corrupt('an entry is cut short')
    const name = bytes.subarray(modeEnd + 1, nameEnd)
    if (name.length === 0) throw corrupt('an entry has no name')
    if (!isUtf8(name)) throw corrupt(`the name ${JSON.stringify(name.toString('latin1'))} is not UTF-8`)
    if (name.includes('/')) throw corrupt(`the name ${JSON.stringify(name.toString())} has a slash`)
    entries.push({
      mode: readMode(bytes.toString('latin1', offset, modeEnd)),
      name: name.toString(),
      id: bytes.toString('hex', nameEnd + 1, end),
    })
    offset = end
  }
  return entries
}

function sortKey(entry: TreeEntry): string {
  return entry.mode === directoryMode ? `${entry.name}/` : entry.name
}

function readMode(text: string): TreeEntry['mode'] {
  const bits = /^[0-7]{5,7}$/.test(text) ? Number.parseInt(text, 8) : 0
  switch (bits & 0o170000) {
    case 0o100000:
      return bits & 0o100 ? '100755' : '100644'
    case 0o120000:
      return '120000'
    case 0o040000:
      return directoryMode
    case 0o160000:
      return '160000'
    default:
      throw corrupt(`the mode ${JSON.stringify(text)} is unknown`)
  }
}

function corrupt(reason: string) {
  return gitError('object_corrupt', { kind: 'tree', reason })
}
