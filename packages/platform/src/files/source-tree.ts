import type { SourceTreeNode } from '@hedron/contract'

interface Folder {
  readonly folders: Map<string, Folder>
  readonly files: string[]
}

/** The tree of a list of paths: folders first, then files, each by name. */
export function buildSourceTree(paths: Iterable<string>): SourceTreeNode[] {
  const root: Folder = { folders: new Map(), files: [] }
  for (const path of paths) {
    const names = path.split('/')
    const file = names.pop() ?? ''
    let folder = root
    for (const name of names) {
      let next = folder.folders.get(name)
      if (next === undefined) {
        next = { folders: new Map(), files: [] }
        folder.folders.set(name, next)
      }
      folder = next
    }
    folder.files.push(file)
  }
  return showFolder(root, '/')
}

function showFolder({ folders, files }: Folder, prefix: string): SourceTreeNode[] {
  const directories = [...folders.keys()].sort().map<SourceTreeNode>(name => {
    const path = `${prefix}${name}`
    const folder = folders.get(name) ?? { folders: new Map(), files: [] }
    return { path, name, type: 'directory', children: showFolder(folder, `${path}/`) }
  })
  return [...directories, ...files.sort().map<SourceTreeNode>(name => ({ path: prefix + name, name, type: 'file' }))]
}

/** Paths of the files in a tree, as trees of git hold them. */
export function* filePaths(nodes: readonly SourceTreeNode[]): Generator<string> {
  for (const { type, path, children } of nodes) {
    if (type === 'file') yield path.slice(1)
    else yield* filePaths(children ?? [])
  }
}

/** The same tree with the content of each file; one without is left as it is. */
export function withContents(
  nodes: readonly SourceTreeNode[],
  contentOf: (path: string) => string | undefined,
): SourceTreeNode[] {
  return nodes.map(node => {
    if (node.type === 'directory') return { ...node, children: withContents(node.children ?? [], contentOf) }
    const content = contentOf(node.path.slice(1))
    return content === undefined ? node : { ...node, content }
  })
}
