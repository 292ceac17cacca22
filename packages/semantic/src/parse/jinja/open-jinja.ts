import type { ProblemLog } from '../../messages/model-messages.ts'
import type { Position, SourceFile } from '../../shapes/source.ts'
import type { ModelFiles } from '../model-files.ts'
import { definedByPython } from '../python/python-globals.ts'
import type { ModelSource } from '../source-node.ts'
import { openYaml } from '../yaml-source.ts'
import type { JinjaEngine, RenderResult } from './jinja-engine.ts'
import type { JinjaFailure } from './jinja-failure.ts'
import { createLineMap, markTemplates } from './line-map.ts'
import { templateName, templatePath, templatesOf } from './template-names.ts'

/** Longer text than any model is. */
const renderedLimit = 4_000_000

/** Where a file's Jinja begins, or -1. */
export function jinjaStart(content: string): number {
  const expression = content.indexOf('{{')
  const statement = content.indexOf('{%')
  return expression === -1 || (statement !== -1 && statement < expression) ? statement : expression
}

/** Renders a template and reads what comes of it as YAML, with places in the template. `null` when a problem was reported. */
export function openJinja(
  file: SourceFile,
  engine: JinjaEngine,
  files: ModelFiles,
  log: ProblemLog,
): ModelSource | null {
  const entry = templateName(file.path)
  const templates = templatesOf(entry, file.content, files)
  const result = engine.render({ templates, entry, variables: {} })
  if (result.kind === 'failed') {
    reportFailure(result.failure, file, files, log)
    return null
  }
  if (result.text.length > renderedLimit) {
    log.report({ file: file.path, line: 1, column: 1 }, 'jinja_too_large', {})
    return null
  }
  const marked = markTemplates(templates)
  const map = createLineMap(
    result.text,
    marked && textOf(engine.render({ templates: marked, entry, variables: {} })),
    templates,
    entry,
  )
  const toTemplate = ({ line, column }: Position) => map.position(line, column)
  const source = openYaml({ path: file.path, content: result.text }, mapPlaces(log, toTemplate))
  if (!source) return null
  return {
    ...source,
    log,
    at: node => toTemplate(source.at(node)),
    locator(node) {
      const locate = source.locator(node)
      return raw => toTemplate(locate(raw))
    },
  }
}

const textOf = (result: RenderResult) => (result.kind === 'text' ? result.text : null)

const mapPlaces = (log: ProblemLog, map: (at: Position) => Position): ProblemLog => ({
  problems: log.problems,
  warnings: log.warnings,
  report: (at, code, details) => log.report(map(at), code, details),
  warn: (at, code, details) => log.warn(map(at), code, details),
})

function reportFailure(failure: JinjaFailure, file: SourceFile, files: ModelFiles, log: ProblemLog): void {
  const { kind, reason } = failure
  const name = failure.name ?? ''
  const path = failure.template === null ? file.path : templatePath(failure.template)
  const at = { file: path, line: failure.line ?? 1, column: failure.column ?? 1 }
  if (kind === 'endless') log.report(at, 'jinja_endless', { reason })
  else if (kind === 'too_large') log.report(at, 'jinja_too_large', {})
  else if (kind === 'syntax') log.report(at, 'jinja_syntax', { reason: reason.replace(/^syntax error: /, '') })
  else if (kind === 'template_missing') log.report(at, 'jinja_template_missing', { name })
  else if (kind === 'other') log.report(at, 'jinja_failed', { reason })
  else if (/^COMPILE_CONTEXT\b/.test(name)) log.report(at, 'compile_context', {})
  else {
    const word = /^\w+/.exec(name)?.[0] ?? ''
    const python = definedByPython(word, files)
    if (python) log.report(at, 'python_name', { name: word, file: python.file, line: python.line })
    else if (kind === 'unknown') log.report(at, 'jinja_unknown', { name })
    else log.report(at, 'jinja_undefined', { name: name || 'a value' })
  }
}
