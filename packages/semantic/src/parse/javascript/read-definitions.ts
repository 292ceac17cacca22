import type { SourceEntry, SourceMap, SourceNode, SourceScalar } from '../source-node.ts'
import type { LiteralPlace } from './rewrite-program.ts'

/** Where something stands, in the files of one evaluation laid end to end. */
interface Range {
  readonly start: number
  readonly end: number
}

/** Lists of named things may be maps from name to thing. */
const namedLists: readonly string[] = [
  'measures',
  'dimensions',
  'segments',
  'joins',
  'hierarchies',
  'preAggregations',
  'pre_aggregations',
  'granularities',
  'indexes',
]

const rootKeys: Readonly<Record<string, string>> = { cube: 'cubes', view: 'views', view_group: 'view_groups' }

/** Names that are answered for each caller or query, and stand in braces wherever they are. */
const laterPattern =
  /^(?:securityContext|security_context|userAttributes|user_attributes|groups|[A-Z][A-Z_]*_[A-Z_]+)\b/
const pathPattern = /^[\w.]+$/

/**
 * Makes nodes of what the sandbox wrote: `[kind, name, definition]` of each call of `cube`, `view` and `view_group`. A map is
 * `["m", literal, [key, value], …]`, a list `["l", literal, value, …]`, a reference `["r", expression]`, a number `["n", value]`.
 *
 * @param literalAt where the literal with a number stands
 */
export function readDefinitions(json: unknown, literalAt: (id: number) => LiteralPlace | undefined): SourceMap {
  const nowhere: Range = { start: 0, end: 0 }
  const groups = new Map<string, SourceNode[]>()
  for (const definition of items(json)) {
    const [kind, name, value] = items(definition)
    const key = typeof kind === 'string' ? rootKeys[kind] : undefined
    if (key === undefined || typeof name !== 'string') continue
    const node = convert(value, nowhere, false)
    const list = groups.get(key) ?? []
    list.push(node.kind === 'map' ? withName(name, node, node.start) : node)
    groups.set(key, list)
  }
  const entries = [...groups].map(([name, list]): SourceEntry => {
    const start = list[0]?.start ?? 0
    return { name, key: scalar(name, { start, end: start }), value: { kind: 'list', start, items: list } }
  })
  return { kind: 'map', start: 0, entries }

  /** @param isData whether this is the author's own data, in which keys mean nothing */
  function convert(value: unknown, at: Range, isData: boolean): SourceNode {
    if (value === null || typeof value === 'boolean') return { kind: 'scalar', ...at, value, written: String(value) }
    if (typeof value === 'string') return textScalar(value, at)
    const [tag, head, ...rest] = items(value)
    if (tag === 'n' && typeof head === 'number') return { kind: 'scalar', ...at, value: head, written: String(head) }
    if (tag === 'r' && typeof head === 'string') return referenceScalar(head, at)
    const literal = typeof head === 'number' ? literalAt(head) : undefined
    const start = literal?.start ?? at.start
    const inner = literal ? { start, end: start } : at
    if (tag === 'l') {
      const nodes = rest.map((item, index) => convert(item, literal?.entries.get(String(index)) ?? inner, isData))
      return { kind: 'list', start, items: nodes }
    }
    const found = rest.flatMap((pair): SourceEntry[] => {
      const [name, item] = items(pair)
      if (typeof name !== 'string') return []
      const place = literal?.entries.get(name)
      const node = convert(item, place ?? inner, isData || name === 'meta')
      // A key that is computed stands where its value does.
      const key = place?.key ?? (place ? inner.start : node.start)
      const isNamed = !isData && namedLists.includes(name) && node.kind === 'map'
      return [{ name, key: scalar(name, { start: key, end: key }), value: isNamed ? namedList(node) : node }]
    })
    return { kind: 'map', start, entries: found }
  }
}

const items = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

const scalar = (text: string, { start, end }: Range): SourceScalar => ({
  kind: 'scalar',
  start,
  end,
  value: text,
  written: text,
})

function referenceScalar(expression: string, { start, end }: Range): SourceScalar {
  const written = `{${expression}}`
  const isPath = pathPattern.test(expression) && !laterPattern.test(expression)
  return { kind: 'scalar', start, end, value: isPath ? expression : written, written }
}

/** Text, and how it would be written in YAML: references in braces, and the author's own braces escaped. */
function textScalar(text: string, { start, end }: Range): SourceScalar {
  const written = text
    .split(/(\uE000[^\uE001]*\uE001)/)
    .map((part, index, parts) => {
      if (part.startsWith('\uE000') && part.endsWith('\uE001')) return `{${part.slice(1, -1)}}`
      const escaped = part.replace(/[{}]/g, '\\$&')
      // A dollar before a reference is the author's, and no part of the reference.
      return escaped.endsWith('$') && index < parts.length - 1 ? `${escaped.slice(0, -1)}{'$'}` : escaped
    })
    .join('')
  const isLiteral = !text.includes('\uE000')
  return { kind: 'scalar', start, end, value: isLiteral ? text : written, written, isLiteral }
}

const namedList = (map: SourceMap): SourceNode => ({
  kind: 'list',
  start: map.start,
  items: map.entries.map(({ key, name, value }) => (value.kind === 'map' ? withName(name, value, key.start) : value)),
})

function withName(name: string, map: SourceMap, start: number): SourceMap {
  const key = scalar('name', { start, end: start })
  const value = scalar(name, { start, end: start })
  return { ...map, entries: [{ key, name: 'name', value }, ...map.entries] }
}
