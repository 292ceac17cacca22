import { decline, type Lines, space } from './plain-yaml-lines.ts'
import { closeOf, plainScalar, readQuotedLine } from './plain-yaml-scalars.ts'
import type { SourceEntry, SourceNode, SourceScalar } from './source-node.ts'

const deepest = 20
const ends = new Set(',[]{}')

/** Reads `[…]` and `{…}`, over several lines too; without comments, and with nothing in them but what is plain. */
export class FlowReader {
  readonly #lines: Lines
  #place = 0
  #column = 0

  constructor(lines: Lines) {
    this.#lines = lines
  }

  /** @param column what belongs to the value stands to the right of it */
  read(at: number, column: number): SourceNode {
    this.#place = at
    this.#column = column
    const node = this.#readCollection(0)
    this.#lines.finish(this.#place)
    return node
  }

  #readCollection(depth: number): SourceNode {
    if (depth > deepest) decline()
    const { text } = this.#lines
    const start = this.#place
    const isMap = text[start] === '{'
    const close = isMap ? '}' : ']'
    const entries: SourceEntry[] = []
    const items: SourceNode[] = []
    this.#place += 1
    this.#skip(depth)
    while (text[this.#place] !== close) {
      if (isMap) entries.push(this.#readEntry(entries, depth))
      else items.push(this.#readItem(depth))
      this.#skip(depth)
      if (text[this.#place] === ',') {
        this.#place += 1
        this.#skip(depth)
      } else if (text[this.#place] !== close) decline()
    }
    this.#place += 1
    return isMap ? { kind: 'map', start, entries } : { kind: 'list', start, items }
  }

  #readEntry(before: readonly SourceEntry[], depth: number): SourceEntry {
    const lines = this.#lines
    const { text } = lines
    const start = this.#place
    const end = lines.keyEnd(start)
    if (end === -1 || text.charCodeAt(end + 1) !== space) decline()
    const name = text.slice(start, end)
    if (before.some(entry => entry.name === name)) decline()
    this.#place = end + 1
    this.#skip(depth)
    return { key: { kind: 'scalar', start, end, value: name, written: name }, name, value: this.#readItem(depth) }
  }

  #readItem(depth: number): SourceNode {
    const { text } = this.#lines
    const first = text[this.#place]
    if (first === '[' || first === '{') return this.#readCollection(depth + 1)
    if (first !== '"' && first !== "'") return this.#readPlain()
    const close = closeOf(text, this.#place)
    if (close >= this.#lines.end) decline()
    const scalar = readQuotedLine(text, this.#place, close)
    this.#place = close + 1
    return scalar
  }

  #readPlain(): SourceScalar {
    const { text, end: lineEnd } = this.#lines
    const start = this.#place
    let end = start
    let at = start
    for (; at < lineEnd; at++) {
      const char = text[at] ?? ''
      if (ends.has(char)) break
      // Between brackets a colon can end a key without a space behind it.
      if (char === ':' || char === '#') decline()
      if (char !== ' ') end = at + 1
    }
    this.#place = at
    if (end === start) decline()
    return plainScalar(start, end, text.slice(start, end))
  }

  /** Goes over spaces and breaks. What follows a break stands to the right of the parent; the last bracket may stand below it. */
  #skip(depth: number): void {
    const lines = this.#lines
    const { text } = lines
    let place = lines.skipSpaces(this.#place)
    while (place >= lines.end) {
      if (!lines.step()) decline()
      place = lines.start
      if (place >= lines.end) continue
      const isClosed = depth === 0 && lines.indent === this.#column && (text[place] === ']' || text[place] === '}')
      if (lines.indent <= this.#column && !isClosed) decline()
    }
    this.#place = place
  }
}
