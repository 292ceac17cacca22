import { createProblemLog } from '../messages/model-messages.ts'
import type { Position, SourceFile } from '../shapes/source.ts'
import type { FileTree } from '../shapes/tree.ts'
import { readModelFile } from './read-model-file.ts'
import { openYaml } from './yaml-source.ts'

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
    return { ...unreadable, problems: log.problems, warnings: log.warnings }
  }
  const jinja = /\{\{|\{%/.exec(file.content)
  if (jinja) {
    log.report(positionOf(file, jinja.index), 'jinja_unsupported', { syntax: jinja[0] })
    return { ...unreadable, problems: log.problems, warnings: log.warnings }
  }
  const source = openYaml(file, log)
  return source ? readModelFile(file.path, source) : { ...unreadable, problems: log.problems, warnings: log.warnings }
}

function positionOf(file: SourceFile, offset: number): Position {
  const before = file.content.slice(0, offset).split('\n')
  return { file: file.path, line: before.length, column: (before.at(-1)?.length ?? 0) + 1 }
}
