import { listOf, optional, type Reader, readMap, required, wrongType } from '../parse/fields.ts'
import { isMap, type ModelSource, type SourceMap } from '../parse/source-node.ts'
import type { AgentConfig } from '../shapes/agents.ts'
import type { Position } from '../shapes/source.ts'
import type { Located } from '../shapes/tree.ts'
import { embeddingLlm, label, llm, memoryMode, runtime, words } from './agent-fields.ts'
import { type Item, itemList, nameIn } from './read-items.ts'
import { type QuestionSpec, readQuestions } from './read-questions.ts'

/** The agent that needs no space, as one file describes it, or a part of it: what is null is not set there. */
export type RootSpec = {
  readonly [K in keyof Omit<AgentConfig, 'name' | 'space'>]: Located<NonNullable<AgentConfig[K]>> | null
}

export interface SpaceSpec {
  readonly name: Located<string>
  readonly title: string | null
  readonly description: string | null
  readonly items: readonly Item[]
}

export interface AgentSpec {
  readonly name: Located<string>
  readonly space: Located<string>
  readonly config: Omit<AgentConfig, 'name' | 'space'>
}

/** One settings file. */
export interface SettingsFile {
  readonly root: RootSpec
  /** Of the lists at its root. */
  readonly items: readonly Item[]
  readonly spaces: readonly SpaceSpec[]
  readonly agents: readonly AgentSpec[]
  readonly questions: readonly QuestionSpec[]
}

const located =
  <T>(read: Reader<T>): Reader<Located<T>> =>
  (value, place, source) => {
    const result = read(value, place, source)
    return result === undefined ? undefined : { value: result, at: source.at(value) }
  }

const inert = { embeddingLlm }
const lists = {
  rules: optional(itemList('rule'), []),
  certifiedQueries: optional(itemList('certified_query'), []),
  skills: optional(itemList('skill'), []),
}

const rootFields = {
  title: optional(located(words)),
  description: optional(located(words)),
  llm: optional(located(llm)),
  runtime: optional(located(runtime)),
  accessibleViews: optional(located(listOf(label))),
  memoryMode: optional(located(memoryMode)),
}
const spaceFields = { name: required(label), title: optional(words), description: optional(words), ...lists }
const agentFields = {
  name: required(label),
  space: required(label),
  title: optional(words),
  description: optional(words),
  llm: optional(llm, 'auto'),
  runtime: optional(runtime, 'plain'),
  accessibleViews: optional(listOf(label)),
  memoryMode: optional(memoryMode, 'space'),
}

const space: Reader<SpaceSpec> = (value, place, source) => {
  if (!isMap(value)) return wrongType(value, place, 'a list of maps', source)
  const read = readMap(value, `the space '${nameIn(value) ?? ''}'`, { fields: spaceFields }, source)
  if (!read) return undefined
  const { name, title, description, rules, certifiedQueries, skills } = read
  return { name, title, description, items: [...rules, ...certifiedQueries, ...skills] }
}

const agent: Reader<AgentSpec> = (value, place, source) => {
  if (!isMap(value)) return wrongType(value, place, 'a list of maps', source)
  const read = readMap(value, `the agent '${nameIn(value) ?? ''}'`, { fields: agentFields, inert }, source)
  if (!read) return undefined
  const { name, space, ...config } = read
  return { name, space, config }
}

const severalFields = { spaces: optional(listOf(space), []), agents: optional(listOf(agent), []) }

export const emptyRoot: RootSpec = {
  title: null,
  description: null,
  llm: null,
  runtime: null,
  accessibleViews: null,
  memoryMode: null,
}
const nothing: SettingsFile = { root: emptyRoot, items: [], spaces: [], agents: [], questions: [] }

/** Reads a settings file: one agent's settings, spaces and agents, or questions. `undefined` where a problem was reported. */
export function readSettings(path: string, source: ModelSource): SettingsFile | undefined {
  const { root } = source
  if (root === null || (root.kind === 'scalar' && root.value === null)) return nothing
  if (!isMap(root)) {
    const place = { key: 'agents', of: `'${path}'` }
    return wrongType(root, place, 'a map of settings', source)
  }
  if (hasAny(root, ['eval_questions', 'evalQuestions'])) {
    const questions = readQuestions(root, path, source)
    return questions && { ...nothing, questions }
  }
  const several = ['spaces', 'agents']
  if (!hasAny(root, several)) return readRoot(root, path, source)
  const others = root.entries.filter(({ name }) => !several.includes(name))
  const [first] = others
  if (first) {
    source.log.report(source.at(first.key), 'agents_mixed', { keys: others.map(({ name }) => name) })
    return undefined
  }
  const read = readMap(root, `'${path}'`, { fields: severalFields }, source)
  return read && { ...nothing, ...read }
}

function readRoot(root: SourceMap, path: string, source: ModelSource): SettingsFile | undefined {
  const read = readMap(root, `'${path}'`, { fields: { ...rootFields, ...lists }, inert }, source)
  if (!read) return undefined
  const { rules, certifiedQueries, skills, ...settings } = read
  return { ...nothing, root: settings, items: [...rules, ...certifiedQueries, ...skills] }
}

const hasAny = (map: SourceMap, names: readonly string[]): boolean =>
  map.entries.some(({ name }) => names.includes(name))

/** Which settings of the root are there, with their places. */
export const settingsOf = (root: RootSpec): readonly { readonly key: keyof RootSpec; readonly at: Position }[] =>
  rootKeys.flatMap(key => {
    const setting = root[key]
    return setting === null ? [] : [{ key, at: setting.at }]
  })

const rootKeys = ['title', 'description', 'llm', 'runtime', 'accessibleViews', 'memoryMode'] as const
