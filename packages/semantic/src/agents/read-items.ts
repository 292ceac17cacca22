import { optional, type Reader, readMap, required, wrongType } from '../parse/fields.ts'
import { isMap, type ModelSource, type SourceMap } from '../parse/source-node.ts'
import type { CertifiedQueryConfig, RuleConfig, SkillConfig } from '../shapes/agents.ts'
import type { Position } from '../shapes/source.ts'
import type { Located } from '../shapes/tree.ts'
import { label, ruleType, words } from './agent-fields.ts'

export type ItemKind = 'rule' | 'certified_query' | 'skill'

/** A rule, certified query or skill. */
export type Item = ItemFacts &
  (
    | { readonly kind: 'rule'; readonly value: RuleConfig }
    | { readonly kind: 'certified_query'; readonly value: CertifiedQueryConfig }
    | { readonly kind: 'skill'; readonly value: SkillConfig }
  )

interface ItemFacts {
  /** Of its name, or of itself where it has none. */
  readonly at: Position
  /** False: the name is made up, since nothing has to call it. */
  readonly isNamed: boolean
}

/** What a file beside its keys gives to the one item in it. */
export interface Document {
  /** From the file's name. */
  readonly name: string
  /** The text below the front matter. */
  readonly body: string
}

const documentFields = { kind: optional(words), space: optional(label) }

const fields = {
  rule: { name: optional(label), type: required(ruleType), description: optional(words), prompt: optional(words) },
  certified_query: {
    name: optional(label),
    userRequest: required(words),
    sqlQuery: optional(words),
    description: optional(words),
  },
  skill: {
    name: optional(label),
    title: required(words),
    description: required(words),
    instructions: optional(words),
  },
} as const

/** In a file of its own an item has two keys more, which say what it is and where it belongs. */
const fieldsInDocument: typeof fields = {
  rule: { ...documentFields, ...fields.rule },
  certified_query: { ...documentFields, ...fields.certified_query },
  skill: { ...documentFields, ...fields.skill },
}

const fieldsOf = (document: Document | null) => (document === null ? fields : fieldsInDocument)

interface Reading {
  readonly map: SourceMap
  /** In messages: `the rule 'x'`. */
  readonly of: string
  readonly name: string
  readonly source: ModelSource
  readonly document: Document | null
}

/** Reads the one item of a file or of a list. `undefined` where a problem was reported. */
export function readItem(
  kind: ItemKind,
  map: SourceMap,
  name: string,
  source: ModelSource,
  document: Document | null,
): Item | undefined {
  const reading = { map, of: `the ${kind.replace('_', ' ')} '${name}'`, name, source, document }
  if (kind === 'rule') return readRule(reading)
  return kind === 'skill' ? readSkill(reading) : readCertifiedQuery(reading)
}

/** A list of items in a settings file. */
export const itemList =
  (kind: ItemKind): Reader<readonly Item[]> =>
  (value, place, source) => {
    if (value.kind !== 'list') {
      source.log.report(source.at(value), 'not_array', { kind: place.key, of: place.of })
      return undefined
    }
    const items = value.items.map((item, index) => {
      if (!isMap(item)) return wrongType(item, place, 'a list of maps', source)
      return readItem(kind, item, nameIn(item) ?? `${kind}_${index + 1}`, source, null)
    })
    const read = items.filter(item => item !== undefined)
    return read.length === items.length ? read : undefined
  }

/** The name that is written in a map, for messages, whatever else is wrong with it. */
export function nameIn(map: SourceMap): string | undefined {
  const value = map.entries.find(entry => entry.name === 'name')?.value
  return value?.kind === 'scalar' && value.value !== null ? String(value.value).trim() || undefined : undefined
}

function readRule(reading: Reading): Item | undefined {
  const { map, of, name, source, document } = reading
  const read = readMap(map, of, { fields: fieldsOf(document).rule }, source)
  if (!read) return undefined
  const prompt = contentOf('prompt', read.prompt, reading)
  if (prompt === undefined) return undefined
  const facts = factsOf(read.name, reading)
  if (read.type === 'agent_requested' && (read.description ?? '').trim() === '') {
    source.log.report(facts.at, 'agents_rule_description', { rule: name })
    return undefined
  }
  const { type, description } = read
  return { kind: 'rule', value: { name, type, description, prompt }, ...facts }
}

function readCertifiedQuery(reading: Reading): Item | undefined {
  const { map, of, name, source, document } = reading
  const read = readMap(map, of, { fields: fieldsOf(document).certified_query }, source)
  if (!read) return undefined
  const sqlQuery = contentOf('sql_query', read.sqlQuery, reading)
  if (sqlQuery === undefined) return undefined
  const { userRequest, description } = read
  const value = { name, userRequest, sqlQuery: withoutFence(sqlQuery), description }
  return { kind: 'certified_query', value, ...factsOf(read.name, reading) }
}

function readSkill(reading: Reading): Item | undefined {
  const { map, of, name, source, document } = reading
  const read = readMap(map, of, { fields: fieldsOf(document).skill }, source)
  if (!read) return undefined
  const instructions = contentOf('instructions', read.instructions, reading)
  if (instructions === undefined) return undefined
  const { title, description } = read
  const value = { name, title, description, instructions }
  return { kind: 'skill', value, ...factsOf(read.name, reading) }
}

const factsOf = (name: Located<string> | null, { map, source, document }: Reading): ItemFacts => ({
  at: name?.at ?? source.at(map),
  isNamed: name !== null || document !== null,
})

/** The item's text: its key goes before the body of its file. */
function contentOf(key: string, written: string | null, reading: Reading): string | undefined {
  const { map, of, source, document } = reading
  const body = document?.body.trim() ?? ''
  const text = written?.trim() ?? ''
  if (text !== '' && body !== '') source.log.warn(source.at(map), 'agents_body', { key })
  const content = text === '' ? body : text
  if (content !== '') return content
  source.log.report(source.at(map), 'agents_content', { key, of, isDocument: document !== null })
  return undefined
}

/** A statement that is written as a block of code. */
const withoutFence = (sql: string) => /^(`{3,}|~{3,})[^\n]*\n([\s\S]*?)\n?\1$/.exec(sql)?.[2]?.trim() ?? sql
