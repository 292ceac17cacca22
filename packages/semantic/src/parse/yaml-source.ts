import {
  type Alias,
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseDocument,
  visit,
  type YAMLError,
  type YAMLMap,
} from 'yaml'
import type { ProblemLog } from '../messages/model-messages.ts'
import { oncePerObject } from '../once-per-object.ts'
import type { JsonValue, Position, SourceFile } from '../shapes/source.ts'

/** Resolving aliases without a bound lets a small file stand for a huge one. */
const aliasLimit = 10_000

/** Deeper than any model; stops an alias that contains itself. */
const depthLimit = 64

export type YamlValue = Node | null

export interface YamlEntry {
  readonly key: Node
  readonly name: string
  readonly value: YamlValue
}

/** One YAML file being read: its nodes, their places and what is wrong with it. */
export interface YamlSource {
  readonly root: YamlValue
  readonly log: ProblemLog
  at(node: Node): Position
  /** The place where `raw` is written at or after the last place found inside this scalar. */
  locator(node: Node): (raw: string) => Position
  /** Entries with aliases resolved and merge keys (`<<`) applied. */
  entries(map: YAMLMap): readonly YamlEntry[]
  items(node: Node): YamlValue[] | null
  toJson(node: YamlValue): JsonValue
}

export function openYaml(file: SourceFile, log: ProblemLog): YamlSource | null {
  const lines = new LineCounter()
  const position = (offset: number): Position => {
    const { line, col } = lines.linePos(offset)
    return { file: file.path, line: Math.max(line, 1), column: Math.max(col, 1) }
  }
  const document = parse(file, lines)
  if (!document) {
    log.report(position(0), 'yaml_syntax', { reason: 'it is nested too deeply.' })
    return null
  }
  for (const error of document.errors) {
    log.report(position(error.pos[0]), 'yaml_syntax', { reason: reasonOf(error) })
  }
  if (document.errors.length > 0) return null

  let aliases = 0
  let targets: Map<Alias, Node> | undefined
  const at = (node: Node) => position(node.range?.[0] ?? 0)
  const resolve = (node: unknown): YamlValue => {
    if (!isAlias(node)) return isMap(node) || isSeq(node) || isScalar(node) ? node : null
    aliases += 1
    if (aliases > aliasLimit) {
      log.report(at(node), 'yaml_too_many_aliases', { limit: aliasLimit })
      return null
    }
    targets ??= aliasTargets(document)
    const target = targets.get(node)
    if (!target) log.report(at(node), 'yaml_alias_missing', { alias: node.source })
    return target ?? null
  }
  const entriesOf = oncePerObject((map: YAMLMap): readonly YamlEntry[] => {
    const entries = new Map<string, YamlEntry>()
    const merged: YamlEntry[] = []
    for (const pair of map.items) {
      const key = resolve(pair.key)
      if (!isScalar(key)) continue
      const name = String(key.value)
      const value = resolve(pair.value)
      if (name === '<<') merged.push(...mergedEntries(value))
      else entries.set(name, { key, name, value })
    }
    for (const entry of merged) if (!entries.has(entry.name)) entries.set(entry.name, entry)
    return [...entries.values()]
  })
  const mergedEntries = (value: YamlValue): readonly YamlEntry[] => {
    if (isMap(value)) return entriesOf(value)
    if (!isSeq(value)) return []
    return value.items.flatMap(item => {
      const map = resolve(item)
      return isMap(map) ? entriesOf(map) : []
    })
  }
  const toJson = (node: YamlValue, depth = 0): JsonValue => {
    if (depth > depthLimit) {
      if (node) log.report(at(node), 'yaml_syntax', { reason: 'it is nested too deeply.' })
      return null
    }
    if (isMap(node))
      return Object.fromEntries(entriesOf(node).map(({ name, value }) => [name, toJson(value, depth + 1)]))
    if (isSeq(node)) return node.items.map(item => toJson(resolve(item), depth + 1))
    if (!isScalar(node)) return null
    const { value } = node
    if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value
    return value === null || value === undefined ? null : String(value)
  }
  return {
    root: resolve(document.contents),
    log,
    at,
    locator(node) {
      let cursor = node.range?.[0] ?? 0
      const end = node.range?.[1] ?? file.content.length
      return raw => {
        const found = file.content.indexOf(raw, cursor)
        if (found === -1 || found >= end) return at(node)
        cursor = found + raw.length
        return position(found)
      }
    },
    entries: entriesOf,
    items: node => (isSeq(node) ? node.items.map(resolve) : null),
    toJson: node => toJson(node),
  }
}

/** What every alias stands for: the node that last had the anchor before it. One walk, where the library walks for each. */
function aliasTargets(document: Document): Map<Alias, Node> {
  const anchors = new Map<string, Node>()
  const targets = new Map<Alias, Node>()
  visit(document, {
    Node(_, node) {
      const target = isAlias(node) ? anchors.get(node.source) : undefined
      if (isAlias(node) && target) targets.set(node, target)
      else if (!isAlias(node) && node.anchor) anchors.set(node.anchor, node)
    },
  })
  return targets
}

function parse(file: SourceFile, lines: LineCounter): Document | null {
  try {
    return parseDocument(file.content, { lineCounter: lines, prettyErrors: false, strict: true })
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

/** The reader's own words, which have no place in them, end without a full stop and once name a function of it. */
const reasonOf = ({ code, message }: YAMLError) =>
  code === 'MULTIPLE_DOCS' ? "a second document begins here. Remove the '---' or split the file." : `${message}.`

/** What a value is, in the words of a message. */
export function describeNode(node: YamlValue): string {
  if (isMap(node)) return 'a map'
  if (isSeq(node)) return 'a list'
  if (!isScalar(node) || node.value === null) return 'empty'
  return `'${String(node.value)}'`
}
