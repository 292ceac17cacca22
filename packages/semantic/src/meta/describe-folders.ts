import type { MetaNestedFolder } from '../shapes/meta.ts'
import type { Folder, View } from '../shapes/model.ts'

interface FlatFolder {
  readonly name: string
  readonly members: readonly string[]
}

/**
 * Folders for tools that know one level of them. Without a delimiter, the outermost folder holds all members of those
 * inside; with one, each folder is there for itself, under the names of the folders around it.
 */
export function flatFolders({ name: view, folders }: View, delimiter: string): FlatFolder[] {
  if (delimiter === '') {
    return folders.map(folder => ({ name: folder.name, members: [...new Set(allMembers(folder, view))] }))
  }
  const flatten = (folder: Folder, path: readonly string[]): FlatFolder[] => {
    const names = [...path, folder.name]
    return [
      { name: names.join(delimiter), members: ownMembers(folder, view) },
      ...folder.members.flatMap(member => (typeof member === 'string' ? [] : flatten(member, names))),
    ]
  }
  return folders.flatMap(folder => flatten(folder, []))
}

const ownMembers = ({ members }: Folder, view: string): string[] =>
  members.flatMap(member => (typeof member === 'string' ? [`${view}.${member}`] : []))

const allMembers = ({ members }: Folder, view: string): string[] =>
  members.flatMap(member => (typeof member === 'string' ? [`${view}.${member}`] : allMembers(member, view)))

export const nestedFolders = ({ name: view, folders }: View): MetaNestedFolder[] =>
  folders.map(folder => nestedFolder(folder, view))

const nestedFolder = ({ name, members }: Folder, view: string): MetaNestedFolder => ({
  name,
  members: members.map(member => (typeof member === 'string' ? `${view}.${member}` : nestedFolder(member, view))),
})
