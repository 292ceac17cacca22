import type { Position } from '../../shapes/source.ts'
import { lineOf } from '../plain-yaml-lines.ts'
import type { ProgramText } from './program-text.ts'
import type { SyntaxProblem } from './read-syntax.ts'
import { type LiteralPlace, rewriteProgram } from './rewrite-program.ts'

export interface ProgramFile {
  readonly path: string
  readonly content: string
  readonly program: ProgramText
  /** Where it begins among the files laid end to end. */
  readonly base: number
  readonly lineStarts: readonly number[]
}

export type AddedFile =
  | { readonly kind: 'file'; readonly file: ProgramFile }
  | { readonly kind: 'problem'; readonly problem: SyntaxProblem }

/** The files of one evaluation, laid end to end so that one number is a place in one of them. */
export interface ProgramFiles {
  add(path: string, content: string): AddedFile
  get(path: string): ProgramFile | undefined
  literalAt(id: number): LiteralPlace | undefined
  position(offset: number): Position
  /** A place in the program that ran, as the place of what was written. Line and column count from 1. */
  programPosition(file: ProgramFile, line: number, column: number): Position
  /** Where a reference written as `raw` stands between two places. */
  find(raw: string, start: number, end: number): number | null
}

function lineStartsOf(text: string): number[] {
  const starts = [0]
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return starts
}

export function createProgramFiles(): ProgramFiles {
  const files: ProgramFile[] = []
  const literals: LiteralPlace[] = []
  let next = 0
  const fileAt = (offset: number) => files.findLast(({ base }) => base <= offset)
  const position = (offset: number): Position => {
    const file = fileAt(offset)
    if (!file) return { file: '', line: 1, column: 1 }
    const line = lineOf(file.lineStarts, offset - file.base)
    return { file: file.path, line: line + 1, column: offset - file.base - (file.lineStarts[line] ?? 0) + 1 }
  }
  return {
    add(path, content) {
      const known = files.find(file => file.path === path)
      if (known) return { kind: 'file', file: known }
      const rewritten = rewriteProgram(content, literals.length)
      if (rewritten.kind === 'problem') return rewritten
      const base = next
      const file = { path, content, program: rewritten.program, base, lineStarts: lineStartsOf(content) }
      files.push(file)
      next += content.length + 1
      for (const { start, entries } of rewritten.literals) {
        literals.push({
          start: start + base,
          entries: new Map(
            [...entries].map(([name, place]) => [
              name,
              { key: place.key + base, start: place.start + base, end: place.end + base },
            ]),
          ),
        })
      }
      return { kind: 'file', file }
    },
    get: path => files.find(file => file.path === path),
    literalAt: id => literals[id],
    position,
    programPosition(file, line, column) {
      const lines = file.program.text.split('\n')
      const offset = lines.slice(0, line - 1).reduce((sum, text) => sum + text.length + 1, 0) + column - 1
      return position(file.base + file.program.toSource(offset))
    },
    find(raw, start, end) {
      const file = fileAt(start)
      if (!file) return null
      const within = file.content.slice(start - file.base, end - file.base)
      const exact = within.indexOf(raw)
      const call = raw.indexOf('(')
      const found = exact === -1 && call !== -1 ? within.indexOf(raw.slice(0, call + 1)) : exact
      return found === -1 ? null : start + found
    },
  }
}
