import { isMap } from 'yaml'
import { createProblemLog } from '../messages/model-messages.ts'
import type { Position, SourceFile } from '../shapes/source.ts'
import type { FileTree } from '../shapes/tree.ts'
import { type Incomplete, namedList } from './named.ts'
import { readCube } from './read-cube.ts'
import { readView } from './read-view.ts'
import { describeNode, openYaml } from './yaml-source.ts'

const rootKeys = ['cubes', 'views', 'view_groups']
const yamlPattern = /\.ya?ml$/
const codePattern = /\.(js|ts|py|jinja)$/

/** Whether compile reads this file: YAML below `model/`, and code below it, which is refused. */
export function isModelFile(path: string): boolean {
  return path.startsWith('model/') && (yamlPattern.test(path) || codePattern.test(path))
}

/** Reads one file. Depends on nothing but its path and content, so the result can be kept as long as they are the same. */
export function parseFile(file: SourceFile): FileTree {
  const log = createProblemLog()
  const unreadable = { path: file.path, cubes: [], views: [], incomplete: [], isReadable: false }
  const extension = codePattern.exec(file.path)?.[0]
  if (extension) {
    log.report({ file: file.path, line: 1, column: 1 }, 'file_unsupported', { extension })
    return { ...unreadable, problems: log.problems }
  }
  const jinja = /\{\{|\{%/.exec(file.content)
  if (jinja) {
    log.report(positionOf(file, jinja.index), 'jinja_unsupported', { syntax: jinja[0] })
    return { ...unreadable, problems: log.problems }
  }
  const source = openYaml(file, log)
  if (!source) return { ...unreadable, problems: log.problems }
  if (!source.root) return { ...unreadable, isReadable: true, problems: log.problems }
  const { root } = source
  if (!isMap(root)) {
    log.report(source.at(root), 'wrong_type', {
      key: 'the content',
      of: 'a model file',
      expected: "a map with 'cubes' or 'views'",
      actual: describeNode(root),
    })
    return { ...unreadable, problems: log.problems }
  }
  const incomplete: Incomplete = new Set()
  const entries = source.entries(root)
  for (const { key, name } of entries) {
    if (!rootKeys.includes(name)) log.report(source.at(key), 'unexpected_root_key', { key: name })
    if (name === 'view_groups') log.report(source.at(key), 'unsupported', { construct: name, of: 'a model file' })
  }
  const read = <T>(key: string, reader: ReturnType<typeof namedList<T>>): readonly T[] => {
    const value = entries.find(({ name }) => name === key)?.value
    if (!value || describeNode(value) === 'empty') return []
    return reader(value, { key, of: 'a model file' }, source) ?? []
  }
  const failed = (name: string) => incomplete.add(name)
  const cubes = read(
    'cubes',
    namedList('cube', (node, name, from) => readCube(node, name, from, incomplete), failed),
  )
  const views = read('views', namedList('view', readView, failed))
  return { path: file.path, cubes, views, problems: log.problems, incomplete: [...incomplete], isReadable: true }
}

function positionOf(file: SourceFile, offset: number): Position {
  const before = file.content.slice(0, offset).split('\n')
  return { file: file.path, line: before.length, column: (before.at(-1)?.length ?? 0) + 1 }
}
