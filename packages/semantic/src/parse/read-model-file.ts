import { type Beginning, type FileTree, type Located, unreadGroup } from '../shapes/tree.ts'
import { type Incomplete, namedList } from './named.ts'
import { readCube } from './read-cube.ts'
import { readView } from './read-view.ts'
import { readViewGroup } from './read-view-group.ts'
import { describeNode, isEmpty, isMap, type ModelSource, type SourceMap } from './source-node.ts'

const rootKeys = ['cubes', 'views', 'view_groups']

/** Reads all definitions of one file, whatever language it is written in. */
export function readModelFile(path: string, source: ModelSource): FileTree {
  const { root, log } = source
  const nothing = {
    path,
    cubes: [],
    views: [],
    viewGroups: [],
    incomplete: [],
    beginnings: [],
    problems: log.problems,
    warnings: log.warnings,
  }
  if (!root) return { ...nothing, isReadable: true }
  if (!isMap(root)) {
    log.report(source.at(root), 'wrong_type', {
      key: 'the content',
      of: 'a model file',
      expected: "a map with 'cubes' or 'views'",
      actual: describeNode(root),
    })
    return { ...nothing, isReadable: false }
  }
  const incomplete: Incomplete = new Set()
  let isReadable = true
  const lostNames = () => {
    isReadable = false
  }
  const beginnings: Beginning[] = []
  for (const { key, name } of root.entries) {
    beginnings.push({ definition: null, at: source.at(key) })
    if (!rootKeys.includes(name)) log.report(source.at(key), 'unexpected_root_key', { key: name })
  }
  const failed = (name: string) => incomplete.add(name)
  const read = <T>(key: string, reader: ReturnType<typeof namedList<T>>, lost: () => void): readonly T[] => {
    const value = root.entries.find(({ name }) => name === key)?.value
    if (!value || isEmpty(value)) return []
    const owner = { name: path, failed, lostMembers: lost }
    return reader(value, { key, of: 'a model file', owner }, source) ?? []
  }
  const begin = <T>(read: (node: SourceMap, name: Located<string>) => T) => {
    return (node: SourceMap, name: Located<string>): T => {
      beginnings.push({ definition: name.value, at: source.at(node) })
      return read(node, name)
    }
  }
  const cubes = read(
    'cubes',
    namedList(
      'cube',
      begin((node, name) => readCube(node, name, source, incomplete)),
      failed,
    ),
    lostNames,
  )
  const views = read(
    'views',
    namedList(
      'view',
      begin((node, name) => readView(node, name, source, incomplete)),
      failed,
    ),
    lostNames,
  )
  const viewGroups = read(
    'view_groups',
    namedList('view group', readViewGroup, name => failed(unreadGroup(name))),
    () => failed(unreadGroup('')),
  )
  return {
    path,
    cubes,
    views,
    viewGroups,
    problems: log.problems,
    warnings: log.warnings,
    incomplete: [...incomplete],
    beginnings,
    isReadable,
  }
}
