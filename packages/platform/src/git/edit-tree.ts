import { type GitObject, hashObject, type NewObjects, type ObjectId, type ObjectReader } from './objects.ts'
import { checkTreePath } from './path.ts'
import { collisionError } from './path-error.ts'
import { readTrees } from './read-objects.ts'
import { directoryMode, encodeTree, type FileMode, type TreeEntry } from './tree.ts'

/** A file to be written. Without a mode an executable file stays one and anything else becomes a plain file. */
export interface FileEdit {
  readonly mode?: FileMode
  readonly id: ObjectId
}

export interface TreeResult {
  readonly treeId: ObjectId
  /** The new trees, from the leaves up to the root. */
  readonly objects: NewObjects
}

/** A path that edits touch: a file to write or delete, a directory with edits below it, or first one and then the other. */
interface Touched {
  readonly path: string
  readonly children: Map<string, Touched>
  /** `null` deletes the file; absent where only something below changes. */
  edit?: FileEdit | null
  /** What the tree has here. */
  before?: TreeEntry | undefined
  /** What the tree has below here, when it is a directory. */
  entries: Map<string, TreeEntry>
}

/**
 * Applies edits to a tree: a file to write or, with `null`, to delete, by path. Only the directories on the way to an
 * edit are read and rebuilt. A directory that loses its last file goes with it; deleting what is not there changes
 * nothing. A file may take the place of a directory when all that is in it is deleted by the same edits, and the
 * other way round.
 *
 * @param treeId the tree to start from, `null` for none.
 * @throws {PathError} for a path that git cannot hold, or that would be a file and a directory at once.
 */
export async function editTree(
  reader: ObjectReader,
  treeId: ObjectId | null,
  edits: ReadonlyMap<string, FileEdit | null>,
): Promise<TreeResult> {
  if (treeId !== null && edits.size === 0) return { treeId, objects: new Map() }
  const root = collect(edits)
  if (treeId !== null) root.before = { name: '', mode: directoryMode, id: treeId }
  await readTouched(reader, root)
  const objects = new Map<ObjectId, GitObject>()
  const id = rebuild(root, objects)
  if (id !== undefined) return { treeId: id, objects }
  return { treeId: store([], objects), objects }
}

function collect(edits: ReadonlyMap<string, FileEdit | null>): Touched {
  const root: Touched = { path: '', children: new Map(), entries: new Map() }
  for (const [path, edit] of edits) {
    checkTreePath(path)
    let touched = root
    for (let end = path.indexOf('/'), start = 0; ; end = path.indexOf('/', start)) {
      const stop = end < 0 ? path.length : end
      const name = path.slice(start, stop)
      let child = touched.children.get(name)
      if (child === undefined) {
        child = { path: path.slice(0, stop), children: new Map(), entries: new Map() }
        touched.children.set(name, child)
      }
      touched = child
      start = stop + 1
      if (end < 0) break
    }
    touched.edit = edit
  }
  return root
}

/** Finds what the tree has at each touched path, one round trip for each level. */
async function readTouched(reader: ObjectReader, root: Touched): Promise<void> {
  let level = [root]
  while (level.length > 0) {
    const directories = level.flatMap(touched =>
      touched.children.size > 0 && touched.before?.mode === directoryMode ? [{ touched, id: touched.before.id }] : [],
    )
    const trees = await readTrees(
      reader,
      directories.map(({ id }) => id),
    )
    const below: Touched[] = []
    for (const { touched, id } of directories) {
      touched.entries = new Map((trees.get(id) ?? []).map(entry => [entry.name, entry]))
      for (const [name, child] of touched.children) {
        child.before = touched.entries.get(name)
        below.push(child)
      }
    }
    level = below
  }
}

/** The id of the directory after its edits; `undefined` when nothing is left in it. */
function rebuild(directory: Touched, objects: Map<ObjectId, GitObject>): ObjectId | undefined {
  const { entries, before } = directory
  let changed = false
  for (const [name, child] of directory.children) {
    const entry = after(name, child, objects)
    if (entry?.id === child.before?.id && entry?.mode === child.before?.mode) continue
    changed = true
    if (entry === undefined) entries.delete(name)
    else entries.set(name, entry)
  }
  if (entries.size === 0) return undefined
  if (!changed && before?.mode === directoryMode) return before.id
  return store(entries.values(), objects)
}

/** What stands at a touched path after the edits. */
function after(name: string, touched: Touched, objects: Map<ObjectId, GitObject>): TreeEntry | undefined {
  const { before, edit, children } = touched
  const wasDirectory = before?.mode === directoryMode
  if (edit === undefined && before !== undefined && !wasDirectory) {
    const written = firstWritten(touched)
    if (written !== undefined) throw collisionError(written, touched.path)
    return before
  }
  if (edit && wasDirectory && children.size === 0) throw collisionError(touched.path, touched.path)
  if (edit === null && wasDirectory && children.size === 0) return before
  const id = children.size > 0 ? rebuild(touched, objects) : undefined
  if (edit && id !== undefined) throw collisionError(touched.path, touched.path)
  if (edit) {
    const mode = edit.mode ?? (before?.mode === '100755' ? '100755' : '100644')
    return { name, mode, id: edit.id }
  }
  return id === undefined ? undefined : { name, mode: directoryMode, id }
}

function firstWritten(touched: Touched): string | undefined {
  if (touched.edit) return touched.path
  for (const child of touched.children.values()) {
    const path = firstWritten(child)
    if (path !== undefined) return path
  }
  return undefined
}

function store(entries: Iterable<TreeEntry>, objects: Map<ObjectId, GitObject>): ObjectId {
  const object: GitObject = { type: 'tree', content: encodeTree(entries) }
  const id = hashObject(object)
  objects.set(id, object)
  return id
}
