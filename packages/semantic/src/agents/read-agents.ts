import { createProblemLog, type ProblemLog } from '../messages/model-messages.ts'
import { oneOf, wrongType } from '../parse/fields.ts'
import { isEmpty, isMap, isScalar, type ModelSource, type SourceMap, type SourceNode } from '../parse/source-node.ts'
import { openYaml } from '../parse/yaml-source.ts'
import type { AgentsConfig } from '../shapes/agents.ts'
import type { ModelProblem, SourceFile } from '../shapes/source.ts'
import type { Located } from '../shapes/tree.ts'
import { bindAgents, type PlacedItem, type PlacedSettings } from './bind-agents.ts'
import { splitFrontMatter } from './front-matter.ts'
import { type FilePlace, placeOfFile } from './place-of-file.ts'
import { type ItemKind, readItem } from './read-items.ts'
import { readSettings } from './read-settings.ts'

export interface AgentsResult {
  /** Null exactly when there are problems. */
  readonly config: AgentsConfig | null
  /** All that is wrong, in the order of files, lines and columns. */
  readonly problems: readonly ModelProblem[]
  /** What the author should know all the same. */
  readonly warnings: readonly ModelProblem[]
}

/** More than any team writes for its agents; beyond it, reading would keep others waiting. */
export const agentsLimits = { files: 500, characters: 1024 * 1024 } as const

/**
 * Reads the files of a project's folder of agents: settings, rules, certified queries, skills, questions for evaluations
 * (contract/behaviour/chat.md section 7). Their text is for language models: it is never a template and never run.
 *
 * @param files those below `directory`, with paths from the project's root
 */
export function readAgents(files: readonly SourceFile[], directory: string): AgentsResult {
  const log = createProblemLog()
  const ordered = [...files].sort((left, right) => (left.path < right.path ? -1 : 1))
  const config = isTooLarge(ordered, directory, log) ? null : readAll(ordered, directory, log)
  const problems = [...log.problems].sort(byPlace)
  return { config: problems.length === 0 ? config : null, problems, warnings: [...log.warnings].sort(byPlace) }
}

function isTooLarge(files: readonly SourceFile[], directory: string, log: ProblemLog): boolean {
  const at = { file: directory, line: 1, column: 1 }
  const characters = files.reduce((sum, { content }) => sum + content.length, 0)
  const { files: most, characters: limit } = agentsLimits
  if (files.length > most) {
    log.report(at, 'agents_too_large', { what: 'The folder holds more files', limit: String(most) })
  } else if (characters > limit) {
    log.report(at, 'agents_too_large', { what: 'The files hold more text', limit: '1 MiB' })
  } else return false
  return true
}

function readAll(files: readonly SourceFile[], directory: string, log: ProblemLog): AgentsConfig {
  const settings: PlacedSettings[] = []
  const items: PlacedItem[] = []
  for (const file of files) {
    const place = placeOfFile(file.path, directory)
    const at = { file: file.path, line: 1, column: 1 }
    if (place.type === 'other') log.warn(at, 'agents_ignored', { path: file.path })
    else if (place.type === 'settings') {
      const source = openYaml(file, log)
      const read = source && readSettings(file.path, source)
      if (read) settings.push({ ...read, folders: place.folders, path: file.path })
    } else {
      const item = readDocument(file, place, log)
      if (item) items.push(item)
    }
  }
  return { directory, ...bindAgents(settings, items, log) }
}

/** A rule, certified query or skill in a file of its own. */
function readDocument(file: SourceFile, place: FilePlace, log: ProblemLog): PlacedItem | undefined {
  const at = { file: file.path, line: 1, column: 1 }
  const { head, body, isClosed } = splitFrontMatter(file)
  if (!isClosed) {
    log.report(at, 'agents_front_matter', {})
    return undefined
  }
  const source = openYaml(head, log)
  if (source === null) return undefined
  const map = mapOf(source)
  if (map === undefined) return undefined
  const kind = kindOf(map, place, source)
  if (kind === undefined) return undefined
  if (kind === null) {
    log.report(at, 'agents_kind', { path: file.path })
    return undefined
  }
  const name = textIn(map, 'name', source)?.value ?? place.name
  const item = readItem(kind, map, name, source, { name: place.name, body })
  return item && { item, folders: place.folders, path: file.path, space: textIn(map, 'space', source) }
}

/** The keys of the front matter; `undefined` where it is no map, which is reported. */
function mapOf(source: ModelSource): SourceMap | undefined {
  const { root } = source
  if (root === null || isEmpty(root)) return { kind: 'map', start: 0, entries: [] }
  return isMap(root) ? root : wrongType(root, { key: 'the front matter', of: 'this file' }, 'a map', source)
}

/** What the file is; null: it can't be told; `undefined`: it says something else, which is reported. */
function kindOf(map: SourceMap, place: FilePlace, source: ModelSource): ItemKind | null | undefined {
  const written = valueIn(map, 'kind')
  if (written !== undefined && !isEmpty(written)) {
    return oneOf(kinds)(written, { key: 'kind', of: 'this file' }, source)
  }
  if (place.kind !== null) return place.kind
  const has = (...keys: readonly string[]) => keys.some(key => valueIn(map, key) !== undefined)
  if (has('type', 'prompt')) return 'rule'
  return has('user_request', 'userRequest', 'sql_query', 'sqlQuery') ? 'certified_query' : null
}

const kinds = ['rule', 'certified_query', 'skill'] as const

const valueIn = (map: SourceMap, key: string): SourceNode | undefined =>
  map.entries.find(({ name }) => name === key)?.value

/** What is written under a key, if it is text; whatever else it is, is reported where the item is read. */
function textIn(map: SourceMap, key: string, source: ModelSource): Located<string> | null {
  const value = valueIn(map, key)
  if (!isScalar(value) || value.value === null) return null
  const text = String(value.value).trim()
  return text === '' ? null : { value: text, at: source.at(value) }
}

const byPlace = (left: ModelProblem, right: ModelProblem) =>
  compare(left.file, right.file) || left.line - right.line || left.column - right.column

const compare = (left: string, right: string) => (left < right ? -1 : left > right ? 1 : 0)
