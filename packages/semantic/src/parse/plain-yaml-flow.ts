import { decline, type Lines, space } from './plain-yaml-lines.ts'
import { closeOf, plainScalar, readQuotedLine } from './plain-yaml-scalars.ts'
import type { SourceEntry, SourceNode, SourceScalar } from './source-node.ts'

const deepest = 20
const ends = new Set(',[]{}')

/** Reads `[…]` and `{…}`, over several lines too; without comments, and with nothing in them but what is plain. */
export function createFlowReader(lines: Lines): (at: number, column: number) => SourceNode {
  const { text } = lines
  let place = 0
  let column = 0

  function readCollection(depth: number): SourceNode {
    if (depth > deepest) decline()
    const start = place
    const isMap = text[start] === '{'
    const close = isMap ? '}' : ']'
    const entries: SourceEntry[] = []
    const items: SourceNode[] = []
    place += 1
    skip(depth)
    while (text[place] !== close) {
      if (isMap) entries.push(readEntry(entries, depth))
      else items.push(readItem(depth))
      skip(depth)
      if (text[place] === ',') {
        place += 1
        skip(depth)
      } else if (text[place] !== close) decline()
    }
    place += 1
    return isMap ? { kind: 'map', start, entries } : { kind: 'list', start, items }
  }

  function readEntry(before: readonly SourceEntry[], depth: number): SourceEntry {
    const start = place
    const end = lines.keyEnd(start)
    if (end === -1 || text.charCodeAt(end + 1) !== space) decline()
    const name = text.slice(start, end)
    if (before.some(entry => entry.name === name)) decline()
    place = end + 1
    skip(depth)
    return { key: { kind: 'scalar', start, end, value: name, written: name }, name, value: readItem(depth) }
  }

  function readItem(depth: number): SourceNode {
    const first = text[place]
    if (first === '[' || first === '{') return readCollection(depth + 1)
    if (first !== '"' && first !== "'") return readPlain()
    const close = closeOf(text, place)
    if (close >= lines.end) decline()
    const scalar = readQuotedLine(text, place, close)
    place = close + 1
    return scalar
  }

  function readPlain(): SourceScalar {
    const start = place
    let end = start
    for (; place < lines.end; place++) {
      const char = text[place] ?? ''
      if (ends.has(char)) break
      // Between brackets a colon can end a key without a space behind it.
      if (char === ':' || char === '#') decline()
      if (char !== ' ') end = place + 1
    }
    if (end === start) decline()
    return plainScalar(start, end, text.slice(start, end))
  }

  /** Goes over spaces and breaks. What follows a break stands to the right of the parent; the last bracket may stand below it. */
  function skip(depth: number): void {
    place = lines.skipSpaces(place)
    while (place >= lines.end) {
      if (!lines.step()) decline()
      place = lines.start
      if (place >= lines.end) continue
      const isClosed = depth === 0 && lines.indent === column && (text[place] === ']' || text[place] === '}')
      if (lines.indent <= column && !isClosed) decline()
    }
  }

  return (at, parent) => {
    place = at
    column = parent
    const node = readCollection(0)
    lines.finish(place)
    return node
  }
}
