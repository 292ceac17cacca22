import { readBlockScalar } from './plain-yaml-block-scalar.ts'
import { FlowReader } from './plain-yaml-flow.ts'
import { decline, declined, Lines, space } from './plain-yaml-lines.ts'
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
  const lines = Lines.of(text)
  if (lines === null) return null
  try {
    lines.next()
    if (lines.isDocumentStart()) lines.next()
    if (lines.indent !== 0) return null
    const root = new BlockReader(lines).readMap(lines.start, lines.keyEnd(lines.start), 0, 0)
    return lines.isDone() ? { root, lineStarts: lines.starts } : null
  } catch (error) {
    if (error === declined) return null
    throw error
  }
}

/** Every reader begins at a place on the current line and leaves `lines` at the next line that holds something. */
class BlockReader {
  readonly #lines: Lines
  readonly #flow: FlowReader

  constructor(lines: Lines) {
    this.#lines = lines
    this.#flow = new FlowReader(lines)
  }

  /**
   * @param at the first key
   * @param firstEnd its colon; -1 where there is none
   */
  readMap(at: number, firstEnd: number, column: number, depth: number): SourceNode {
    const lines = this.#lines
    if (depth > deepest) decline()
    const entries: SourceEntry[] = []
    let place = at
    let end = firstEnd
    for (;;) {
      if (end === -1) decline()
      const name = lines.text.slice(place, end)
      if (hasEntry(entries, name)) decline()
      const key: SourceScalar = { kind: 'scalar', start: place, end, value: name, written: name }
      entries.push({ key, name, value: this.#readValue(end + 1, column, depth) })
      if (lines.indent !== column || lines.isItem()) break
      place = lines.start
      end = lines.keyEnd(place)
    }
    if (lines.indent > column) decline()
    return { kind: 'map', start: at, entries }
  }

  /** What follows a colon, on its line or below it. */
  #readValue(after: number, column: number, depth: number): SourceNode {
    const lines = this.#lines
    const at = lines.skipSpaces(after)
    if (!lines.isOver(at)) return this.#readInline(at, column)
    lines.next()
    // A list may stand in the column of the key that holds it.
    if (lines.indent === column && lines.isItem()) return this.#readList(column, depth + 1)
    if (lines.indent <= column) decline()
    if (lines.isItem()) return this.#readList(lines.indent, depth + 1)
    return this.readMap(lines.start, lines.keyEnd(lines.start), lines.indent, depth + 1)
  }

  #readList(column: number, depth: number): SourceNode {
    const lines = this.#lines
    if (depth > deepest) decline()
    const begin = lines.start
    const items: SourceNode[] = []
    while (lines.indent === column && lines.isItem()) {
      const at = lines.skipSpaces(lines.start + 1)
      if (lines.isOver(at)) decline()
      const end = lines.keyEnd(at)
      items.push(end === -1 ? this.#readInline(at, column) : this.readMap(at, end, at - lines.begin, depth + 1))
    }
    if (lines.indent > column) decline()
    return { kind: 'list', start: begin, items }
  }

  /** @param column what belongs to the value stands to the right of it */
  #readInline(at: number, column: number): SourceNode {
    const lines = this.#lines
    switch (lines.text[at]) {
      case '"':
      case "'":
        return this.#readQuoted(at, column)
      case '|':
      case '>':
        return readBlockScalar(lines, at, column)
      case '[':
      case '{':
        return this.#flow.read(at, column)
      default:
        return this.#readPlain(at, column)
    }
  }

  #readQuoted(at: number, column: number): SourceScalar {
    const lines = this.#lines
    const close = closeOf(lines.text, at)
    const scalar = close < lines.end ? readQuotedLine(lines.text, at, close) : this.#readQuotedLines(at, close, column)
    lines.finish(close + 1)
    return scalar
  }

  #readQuotedLines(at: number, close: number, column: number): SourceScalar {
    const lines = this.#lines
    const { text } = lines
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

  #readPlain(at: number, column: number): SourceScalar {
    const lines = this.#lines
    const { text } = lines
    let end = lines.plainEnd(at)
    const first = text.slice(at, end)
    let wasCommented = end < lines.end && lines.skipSpaces(end) < lines.end
    let line = lines.number
    lines.next()
    if (lines.indent <= column) return plainScalar(at, end, first)
    const parts = [first]
    // Lines to the right of the parent go on with the text.
    while (lines.indent > column) {
      if (wasCommented || lines.hasSkippedComment) decline()
      end = lines.plainEnd(lines.start)
      wasCommented = lines.skipSpaces(end) < lines.end
      while (++line < lines.number) parts.push('')
      parts.push(text.slice(lines.start, end))
      lines.next()
    }
    return plainScalar(at, end, fold(parts))
  }
}

function hasEntry(entries: readonly SourceEntry[], name: string): boolean {
  for (let index = 0; index < entries.length; index++) if (entries[index]?.name === name) return true
  return false
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
