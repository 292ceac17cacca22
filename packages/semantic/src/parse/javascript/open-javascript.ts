import type { ProblemLog } from '../../messages/model-messages.ts'
import type { Position, SourceFile } from '../../shapes/source.ts'
import type { ModelFiles } from '../model-files.ts'
import { type ModelSource, nodeToJson } from '../source-node.ts'
import { findImport } from './import-path.ts'
import type { JavaScriptEngine, JavaScriptFailure, LoadedFile } from './javascript-engine.ts'
import { createProgramFiles, type ProgramFile, type ProgramFiles } from './program-files.ts'
import { readDefinitions } from './read-definitions.ts'
import { reportFailure, reportSyntax } from './report-failure.ts'

/** More text than any model has. */
const writtenLimit = 8_000_000

/** Runs a model file and reads what it defined, with places in it and in the files that it imports. `null` when a problem was reported. */
export function openJavaScript(
  file: SourceFile,
  engine: JavaScriptEngine,
  files: ModelFiles,
  log: ProblemLog,
): ModelSource | null {
  const programs = createProgramFiles()
  const entry = programs.add(file.path, file.content)
  if (entry.kind === 'problem') {
    reportSyntax(file, entry.problem, log)
    return null
  }
  const result = engine.evaluate({
    path: file.path,
    program: entry.file.program.text,
    load: (from, specifier) => load(from, specifier, programs, files, log),
  })
  if (result.kind === 'failed') {
    reportFailure(result.failure, placeOf(result.failure, file, programs), log)
    return null
  }
  if (result.json.length > writtenLimit) {
    log.report({ file: file.path, line: 1, column: 1 }, 'js_too_large', {})
    return null
  }
  const root = readDefinitions(JSON.parse(result.json), programs.literalAt)
  const at = ({ start }: { readonly start: number }) => programs.position(start)
  return {
    root: root.entries.length > 0 ? root : null,
    log,
    at,
    locator(node) {
      let cursor = node.start
      return raw => {
        const found = programs.find(raw, cursor, node.end)
        if (found === null) return at(node)
        cursor = found + 1
        return programs.position(found)
      }
    },
    toJson: node => nodeToJson(node, () => log.report(at(node), 'js_too_large', {})),
  }
}

function load(from: string, specifier: string, programs: ProgramFiles, files: ModelFiles, log: ProblemLog): LoadedFile {
  const found = findImport(from, specifier, files)
  if (found.kind !== 'file') {
    const detail =
      found.kind === 'ambiguous' ? found.paths.join(' and ') : found.kind === 'missing' ? found.path : specifier
    return { kind: 'refused', code: `js_import_${found.kind}`, detail }
  }
  const added = programs.add(found.path, found.content)
  if (added.kind === 'file') return { kind: 'program', path: found.path, program: added.file.program.text }
  reportSyntax(found, added.problem, log)
  return { kind: 'refused', code: 'js_import_broken', detail: found.path }
}

function placeOf({ frames, literal }: JavaScriptFailure, file: SourceFile, programs: ProgramFiles): Position {
  const [frame] = frames
  const source: ProgramFile | undefined = frame && programs.get(frame.path)
  if (frame && source) return programs.programPosition(source, frame.line, frame.column)
  const place = programs.literalAt(literal)
  return place ? programs.position(place.start) : { file: file.path, line: 1, column: 1 }
}
