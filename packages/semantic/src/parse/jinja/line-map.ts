import type { Position } from '../../shapes/source.ts'
import { templatePath } from './template-names.ts'

/** Two characters that mean nothing to anybody: the number of a template and of a line of it stand between them. */
const open = '\uE000'
const close = '\uE001'
const markPattern = /\uE000(\d+):(\d+)\uE001/g
const isMarked = (text: string) => text.includes(open) || text.includes(close)

/** Templates in which each line of text outside tags says where it comes from. `null` when the text has such marks already. */
export function markTemplates(templates: ReadonlyMap<string, string>): Map<string, string> | null {
  if ([...templates.values()].some(isMarked)) return null
  return new Map([...templates].map(([name, source], index) => [name, markLines(source, index)]))
}

/**
 * The mark stands before the first character of a line that is not a space, so that removing spaces around tags changes
 * nothing; and not before a tag that removes the spaces before itself.
 */
function markLines(source: string, template: number): string {
  const tag = /\{([{%#])/g
  let result = ''
  let line = 1
  let at = 0
  let isLineStart = true
  const copy = (end: number, mayMark: boolean) => {
    for (; at < end; at += 1) {
      const char = source[at] ?? ''
      if (char === '\n') line += 1
      if (char === '\n') isLineStart = mayMark
      else if (isLineStart && char !== ' ' && char !== '\t' && char !== '\r') {
        if (mayMark) result += `${open}${template}:${line}${close}`
        isLineStart = false
      }
      result += char
    }
  }
  while (at < source.length) {
    tag.lastIndex = at
    const found = tag.exec(source)
    const start = found?.index ?? source.length
    copy(start, true)
    if (!found) break
    if (isLineStart && source[start + 2] !== '-') result += `${open}${template}:${line}${close}`
    isLineStart = false
    const ending = found[1] === '{' ? '}}' : `${found[1]}}`
    const end = source.indexOf(ending, start + 2)
    copy(end === -1 ? source.length : end + ending.length, false)
  }
  return result
}

/** Where each rendered line comes from. */
export interface LineMap {
  /** `line` and `column` count from 1, in the rendered text. */
  position(line: number, column: number): Position
}

/**
 * Maps rendered text back to the templates.
 *
 * @param marked what the marked templates rendered to; no use, and `null`, when it is not the same text otherwise
 */
export function createLineMap(
  rendered: string,
  marked: string | null,
  templates: ReadonlyMap<string, string>,
  entry: string,
): LineMap {
  const names = [...templates.keys()]
  const sources = names.map(name => (templates.get(name) ?? '').split('\n'))
  const isUsable = marked !== null && marked.replace(markPattern, '') === rendered
  const origins = isUsable ? originsOf(marked) : []
  const renderedLines = rendered.split('\n')
  return {
    position(line, column) {
      const text = renderedLines[line - 1] ?? ''
      const origin = origins[line - 1] ?? sameText(text, sources[names.indexOf(entry)] ?? [], names.indexOf(entry))
      if (!origin) return { file: templatePath(entry), line: 1, column: 1, renderedLine: line }
      const source = sources[origin.template]?.[origin.line - 1] ?? ''
      return {
        file: templatePath(names[origin.template] ?? entry),
        line: origin.line,
        column: sourceColumn(text, source, column),
      }
    },
  }
}

interface Origin {
  readonly template: number
  readonly line: number
}

/** For each rendered line the mark that stands next to its text; a line without one belongs to the one before. */
function originsOf(marked: string): (Origin | null)[] {
  let last: Origin | null = null
  return marked.split('\n').map(line => {
    const leading = /^(?:\s|\uE000\d+:\d+\uE001)*/.exec(line)?.[0] ?? ''
    const mark = [...leading.matchAll(markPattern)].at(-1)
    if (mark) last = { template: Number(mark[1]), line: Number(mark[2]) }
    return last
  })
}

/** Without marks, a line that stands in the template exactly once is that line. */
function sameText(text: string, lines: readonly string[], template: number): Origin | null {
  const index = text.trim() === '' ? -1 : lines.indexOf(text)
  return index !== -1 && lines.lastIndexOf(text) === index ? { template, line: index + 1 } : null
}

/** The column as far as the rendered line is what the template says, and where it stops saying so from there on. */
function sourceColumn(rendered: string, source: string, column: number): number {
  const indent = (text: string) => text.length - text.trimStart().length
  const from = indent(rendered)
  const to = indent(source)
  let same = 0
  while (from + same < column - 1 && rendered[from + same] === source[to + same] && to + same < source.length) same += 1
  return to + same + 1
}
