import type { Folder, ViewMember } from '../shapes/model.ts'
import type { FolderItemSpec, FolderSpec, ViewSpec } from '../shapes/tree.ts'
import type { Names } from './names.ts'
import { mayBeUnreadable } from './unreadable-members.ts'

/** Binds the folders of a view to its members. */
export function resolveFolders(spec: ViewSpec, members: readonly ViewMember[], names: Names): Folder[] {
  const view = spec.name.value
  const known = members.map(({ name }) => name)
  const ofKind = (kind: ViewMember['kind']) => members.flatMap(member => (member.kind === kind ? [member.name] : []))
  const everything = [...ofKind('measure'), ...ofKind('dimension'), ...ofKind('segment')]
  const rootNames = new Set<string>()

  const resolveFolder = (folder: FolderSpec): Folder => ({
    name: folder.name.value,
    members:
      folder.includes === '*' ? everything : folder.includes.flatMap(item => resolveItem(item, folder.name.value)),
  })
  const resolveItem = (item: FolderItemSpec, folder: string): (string | Folder)[] => {
    if (item.kind === 'folder') return [resolveFolder(item.folder)]
    if (item.kind === 'path') {
      const path = item.joinPath.value.join('.')
      const isDefined = spec.cubes.some(({ joinPath }) => joinPath.value.join('.') === path)
      if (!isDefined) names.log.report(item.joinPath.at, 'folder_join_path', { path, folder, view })
      return members.flatMap(({ name, joinPath }) => (joinPath.join('.') === path ? [name] : []))
    }
    const { value: member, at } = item.member
    if (member.includes('.')) names.log.report(at, 'folder_path', { member, view })
    else if (known.includes(member)) return [member]
    else if (!mayBeUnreadable(spec, member, names)) names.log.report(at, 'folder_member', { member, folder, known })
    return []
  }
  return spec.folders.map(folder => {
    const { value, at } = folder.name
    if (rootNames.has(value)) names.log.report(at, 'folder_duplicate', { folder: value, view })
    rootNames.add(value)
    return resolveFolder(folder)
  })
}
