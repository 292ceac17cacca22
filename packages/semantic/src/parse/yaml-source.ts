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
import type { Position, SourceFile } from '../shapes/source.ts'
import { readPlainYaml } from './plain-yaml.ts'
import { lineOf } from './plain-yaml-lines.ts'
import { type ModelSource, nodeToJson, type SourceEntry, type SourceNode, type SourceScalar } from './source-node.ts'

/** Resolving aliases without a bound lets a small file stand for a huge one. */
const aliasLimit = 10_000

/** Reads YAML. `null` when it is not valid, which is reported. */
export function openYaml(file: SourceFile, log: ProblemLog): ModelSource | null {
  const plain = readPlainYaml(file.content)
  if (plain === null) return openYamlDocument(file, log)
  const { root, lineStarts } = plain
  return modelSource(file, log, root, offset => {
    const line = lineOf(lineStarts, offset)
    return { file: file.path, line: line + 1, column: offset - (lineStarts[line] ?? 0) + 1 }
  })
}

/** The same by way of the library, which reads all of YAML and says what is wrong. */
export function openYamlDocument(file: SourceFile, log: ProblemLog): ModelSource | null {
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
  for (const error of beforeCascade(document.errors)) {
    log.report(position(error.pos[0]), 'yaml_syntax', { reason: reasonOf(error) })
  }
  if (document.errors.length > 0) return null
  return modelSource(file, log, document.contents ? convertDocument(document, position, log) : null, position)
}

/** Once the library is lost it finds every token of the rest unexpected: only the first of these is a mistake of the author. */
function beforeCascade(errors: readonly YAMLError[]): readonly YAMLError[] {
  const lost = errors.findIndex(({ code }) => code === 'UNEXPECTED_TOKEN')
  return lost < 0 ? errors : errors.slice(0, lost + 1)
}

function modelSource(
  file: SourceFile,
  log: ProblemLog,
  root: SourceNode | null,
  position: (offset: number) => Position,
): ModelSource {
  const at = (node: { readonly start: number }) => position(node.start)
  return {
    root,
    log,
    at,
    locator(node) {
      let cursor = node.start
      return raw => {
        const found = file.content.indexOf(raw, cursor)
        if (found === -1 || found >= node.end) return at(node)
        cursor = found + raw.length
        return position(found)
      }
    },
    toJson: node => nodeToJson(node, () => log.report(at(node), 'yaml_too_many_aliases', { limit: aliasLimit })),
  }
}

/** The document's nodes with aliases and merge keys (`<<`) replaced. What an alias stands for is converted once. */
function convertDocument(document: Document, position: (offset: number) => Position, log: ProblemLog): SourceNode {
  const converted = new Map<Node, SourceNode>()
  const open = new Set<Node>()
  let aliases = 0
  let targets: Map<Alias, Node> | undefined
  const start = (node: Node) => node.range?.[0] ?? 0
  const nothing = (offset: number): SourceScalar => ({
    kind: 'scalar',
    start: offset,
    end: offset,
    value: null,
    written: '',
  })
  const resolve = (alias: Alias): SourceNode => {
    aliases += 1
    if (aliases > aliasLimit) {
      log.report(position(start(alias)), 'yaml_too_many_aliases', { limit: aliasLimit })
      return nothing(start(alias))
    }
    targets ??= aliasTargets(document)
    const target = targets.get(alias)
    if (!target) log.report(position(start(alias)), 'yaml_alias_missing', { alias: alias.source })
    else if (open.has(target)) {
      log.report(position(start(alias)), 'yaml_syntax', { reason: `the alias '*${alias.source}' contains itself.` })
    } else return convert(target, start(target))
    return nothing(start(alias))
  }
  const convert = (node: unknown, offset: number): SourceNode => {
    if (isAlias(node)) return resolve(node)
    if (!isMap(node) && !isSeq(node) && !isScalar(node)) return nothing(offset)
    const known = converted.get(node)
    if (known) return known
    open.add(node)
    const result = convertNode(node)
    open.delete(node)
    converted.set(node, result)
    return result
  }
  const convertNode = (node: Node): SourceNode => {
    const begin = start(node)
    if (isMap(node)) return { kind: 'map', start: begin, entries: convertEntries(node) }
    if (isSeq(node)) return { kind: 'list', start: begin, items: node.items.map(item => convert(item, begin)) }
    if (!isScalar(node)) return nothing(begin)
    const value = plainValue(node.value)
    const written = typeof value === 'string' ? value : (node.source ?? String(value))
    return { kind: 'scalar', start: begin, end: node.range?.[1] ?? begin, value, written }
  }
  const convertEntries = (map: YAMLMap): SourceEntry[] => {
    const entries = new Map<string, SourceEntry>()
    const merged: SourceEntry[] = []
    for (const pair of map.items) {
      const key = convert(pair.key, start(map))
      if (key.kind !== 'scalar') continue
      const name = String(key.value)
      const value = convert(pair.value, key.end)
      if (name === '<<') merged.push(...mergedEntries(value))
      else entries.set(name, { key, name, value })
    }
    for (const entry of merged) if (!entries.has(entry.name)) entries.set(entry.name, entry)
    return [...entries.values()]
  }
  return convert(document.contents, 0)
}

function mergedEntries(value: SourceNode): readonly SourceEntry[] {
  if (value.kind === 'map') return value.entries
  return value.kind === 'list' ? value.items.flatMap(item => (item.kind === 'map' ? item.entries : [])) : []
}

function plainValue(value: unknown): SourceScalar['value'] {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value
  return value === null || value === undefined ? null : String(value)
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
