import { createProblemLog, type ProblemLog } from '../messages/model-messages.ts'
import type { Position, SourceFile } from '../shapes/source.ts'
import type { FileTree } from '../shapes/tree.ts'
import type { CodeEngines } from './code-engines.ts'
import { isConfigFile, readConfig } from './config/read-config.ts'
import { openJavaScript } from './javascript/open-javascript.ts'
import { jinjaStart, openJinja } from './jinja/open-jinja.ts'
import type { ModelFiles } from './model-files.ts'
import { readPython } from './python/read-python.ts'
import { readModelFile } from './read-model-file.ts'
import type { ModelSource } from './source-node.ts'
import { openYaml } from './yaml-source.ts'

const modelFilePattern = /^model\/.*\.(ya?ml|jinja|js|py|ts)$/

/** Whether compile reads this file: YAML, Jinja and code below `model/`. TypeScript is read to be refused, the configuration file to say what has no effect. */
export function isModelFile(path: string): boolean {
  return modelFilePattern.test(path) || isConfigFile(path)
}

/** Reads one file. Depends on nothing but its path, its content and what it asks of `files`, so the result can be kept. */
export function parseFile(file: SourceFile, files: ModelFiles, engines: CodeEngines | undefined): FileTree {
  const log = createProblemLog()
  const extension = modelFilePattern.exec(file.path)?.[1] ?? ''
  if (isConfigFile(file.path)) {
    const checkAuth = readConfig(file, log)
    return { ...nothing(file, log, true), ...(checkAuth && { checkAuth }) }
  }
  if (extension === 'py') {
    readPython(file, log)
    return nothing(file, log, true)
  }
  const source = open(file, extension, files, engines, log)
  return source ? readModelFile(file.path, source) : nothing(file, log, false)
}

const nothing = ({ path }: SourceFile, { problems, warnings }: ProblemLog, isReadable: boolean): FileTree => ({
  path,
  cubes: [],
  views: [],
  viewGroups: [],
  incomplete: [],
  beginnings: [],
  isReadable,
  problems,
  warnings,
})

function open(
  file: SourceFile,
  extension: string,
  files: ModelFiles,
  engines: CodeEngines | undefined,
  log: ProblemLog,
): ModelSource | null {
  if (extension === 'ts') {
    log.report({ file: file.path, line: 1, column: 1 }, 'file_unsupported', { extension: `.${extension}` })
    return null
  }
  if (extension === 'js') {
    if (engines) return openJavaScript(file, engines.javascript, files, log)
    log.report({ file: file.path, line: 1, column: 1 }, 'engine_missing', { language: 'JavaScript' })
    return null
  }
  const start = jinjaStart(file.content)
  if (start === -1 && extension !== 'jinja') return openYaml(file, log)
  if (engines) return openJinja(file, engines.jinja, files, log)
  log.report(positionOf(file, Math.max(start, 0)), 'engine_missing', { language: 'Jinja' })
  return null
}

function positionOf(file: SourceFile, offset: number): Position {
  const before = file.content.slice(0, offset).split('\n')
  return { file: file.path, line: before.length, column: (before.at(-1)?.length ?? 0) + 1 }
}
