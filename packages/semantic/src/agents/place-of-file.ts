import type { ItemKind } from './read-items.ts'

/** What the path of a file below the folder of agents says about it. */
export interface FilePlace {
  /** The file's name without its ending. */
  readonly name: string
  /** By the first folder that tells. */
  readonly kind: ItemKind | null
  /** The other folders on the way: one with the name of a space belongs to it. */
  readonly folders: readonly string[]
  readonly type: 'settings' | 'document' | 'other'
}

const kinds: Readonly<Record<string, ItemKind>> = {
  rules: 'rule',
  certified_queries: 'certified_query',
  'certified-queries': 'certified_query',
  queries: 'certified_query',
  skills: 'skill',
}
const types: Readonly<Record<string, FilePlace['type']>> = {
  yml: 'settings',
  yaml: 'settings',
  md: 'document',
  markdown: 'document',
}

/** @param path from the project's root, `directory` being its beginning */
export function placeOfFile(path: string, directory: string): FilePlace {
  const folders = path.slice(directory.length + 1).split('/')
  const file = folders.pop() ?? ''
  const [, name = file, ending = ''] = /^(.+)\.([^.]*)$/.exec(file) ?? []
  const telling = folders.findIndex(folder => Object.hasOwn(kinds, folder))
  return {
    name,
    kind: kinds[folders[telling] ?? ''] ?? null,
    folders: folders.filter((_, index) => index !== telling),
    type: types[ending.toLowerCase()] ?? 'other',
  }
}
