import { readBlockScalar } from './plain-yaml-block-scalar.ts'
import { createFlowReader } from './plain-yaml-flow.ts'
import { createLines, decline, declined, type Lines, space } from './plain-yaml-lines.ts'
import { closeOf, plainScalar, quotedScalar, readQuotedLine } from './plain-yaml-scalars.ts'
import type { SourceEntry, SourceNode, SourceScalar } from './source-node.ts'

/** Deeper files are left to the library, whose stack is its own concern. */
const deepest = 40

/**
 * Reads the part of YAML that model files are written in: block maps and lists, scalars of every style, flow collections
 * without comments. It makes the very nodes that the `yaml` package leads to, a good deal faster, or declines.
 *
 * @returns null when the text holds anything that is not plainly understood: tabs, anchors, tags, empty values, keys that are not
 * simple words, and whatever is wrong. The library then reads it, so nothing about YAML is decided here alone.
 */
export function readPlainYaml(
  text: string,
): { readonly root: SourceNode; readonly lineStarts: readonly number[] } | null {
  const lines = createLines(text)
  if (lines === null) return null
  try {
    lines.next()
    if (lines.isDocumentStart()) lines.next()
    if (lines.indent !== 0) return null
    const root = createBlockReader(lines).readMap(lines.start, 0, 0)
    return lines.isDone() ? { root, lineStarts: lines.starts } : null
  } catch (error) {
    if (error === declined) return null
    throw error
  }
}

/** Every reader begins at a place on the current line and leaves `lines` at the next line that holds something. */
function createBlockReader(lines: Lines) {
  const { text } = lines
  const readFlow = createFlowReader(lines)

  /** @param at the first key */
  function readMap(at: number, column: number, depth: number): SourceNode {
    if (depth > deepest) decline()
    const entries: SourceEntry[] = []
    let place = at
    do {
      const keyEnd = lines.keyEnd(place)
      if (keyEnd === -1) decline()
      const name = text.slice(place, keyEnd)
      for (const entry of entries) if (entry.name === name) decline()
      const key: SourceScalar = { kind: 'scalar', start: place, end: keyEnd, value: name, written: name }
      entries.push({ key, name, value: readValue(keyEnd + 1, column, depth) })
      place = lines.start
    } while (lines.indent === column && !lines.isItem())
    if (lines.indent > column) decline()
    return { kind: 'map', start: at, entries }
  }

  /** What follows a colon, on its line or below it. */
  function readValue(after: number, column: number, depth: number): SourceNode {
    const at = lines.skipSpaces(after)
    if (!lines.isOver(at)) return readInline(at, column)
    lines.next()
    // A list may stand in the column of the key that holds it.
    if (lines.indent === column && lines.isItem()) return readList(column, depth + 1)
    if (lines.indent <= column) decline()
    return lines.isItem() ? readList(lines.indent, depth + 1) : readMap(lines.start, lines.indent, depth + 1)
  }

  function readList(column: number, depth: number): SourceNode {
    if (depth > deepest) decline()
    const begin = lines.start
    const items: SourceNode[] = []
    while (lines.indent === column && lines.isItem()) {
      const at = lines.skipSpaces(lines.start + 1)
      if (lines.isOver(at)) decline()
      const isMap = lines.keyEnd(at) !== -1
      items.push(isMap ? readMap(at, at - lines.begin, depth + 1) : readInline(at, column))
    }
    if (lines.indent > column) decline()
    return { kind: 'list', start: begin, items }
  }

  /** @param column what belongs to the value stands to the right of it */
  function readInline(at: number, column: number): SourceNode {
    switch (text[at]) {
      case '"':
      case "'":
        return readQuoted(at, column)
      case '|':
      case '>':
        return readBlockScalar(lines, at, column)
      case '[':
      case '{':
        return readFlow(at, column)
      default:
        return readPlain(at, column)
    }
  }

  function readQuoted(at: number, column: number): SourceScalar {
    const close = closeOf(text, at)
    const scalar = close < lines.end ? readQuotedLine(text, at, close) : readQuotedLines(at, close, column)
    lines.finish(close + 1)
    return scalar
  }

  function readQuotedLines(at: number, close: number, column: number): SourceScalar {
    const parts: string[] = [trimEnd(text.slice(at + 1, lines.end))]
    while (lines.end < close) {
      lines.step()
      const isBlank = lines.start >= lines.end
      if (!isBlank && lines.indent <= column) decline()
      if (isBlank) parts.push('')
      else parts.push(lines.end < close ? trimEnd(text.slice(lines.start, lines.end)) : text.slice(lines.start, close))
    }
    return quotedScalar(at, close, fold(parts), text)
  }

  function readPlain(at: number, column: number): SourceScalar {
    let end = lines.plainEnd(at)
    const parts = [text.slice(at, end)]
    let wasCommented = lines.skipSpaces(end) < lines.end
    let line = lines.number
    lines.next()
    // Lines to the right of the parent go on with the text.
    while (lines.indent > column) {
      if (wasCommented || lines.hasSkippedComment) decline()
      end = lines.plainEnd(lines.start)
      wasCommented = lines.skipSpaces(end) < lines.end
      while (++line < lines.number) parts.push('')
      parts.push(text.slice(lines.start, end))
      lines.next()
    }
    return plainScalar(at, end, parts.length === 1 ? (parts[0] ?? '') : fold(parts))
  }

  return { readMap }
}

/** Lines of a scalar as one: a break is a space, and so many breaks in a row are one break less. */
function fold(parts: readonly string[]): string {
  let result = parts[0] ?? ''
  let separator = ' '
  for (const [index, part] of parts.entries()) {
    if (index === 0) continue
    const isLast = index === parts.length - 1
    if (part === '' && !isLast) {
      if (separator === '\n') result += '\n'
      separator = '\n'
    } else {
      result += separator + part
      separator = ' '
    }
  }
  return result
}

function trimEnd(text: string): string {
  let end = text.length
  while (text.charCodeAt(end - 1) === space) end -= 1
  return text.slice(0, end)
}
