import { oneOf, optional, type Reader, readMap, required, wrongType } from '../parse/fields.ts'
import { isMap, isScalar } from '../parse/source-node.ts'
import type { Located } from '../shapes/tree.ts'

/** Text for people and for language models: braces and backslashes in it mean nothing. */
export const words: Reader<string> = (value, place, source) => {
  if (isScalar(value) && typeof value.value === 'string') return value.value
  return wrongType(value, place, 'text', source)
}

/** A name, or another text that must not be blank, with its place. */
export const label: Reader<Located<string>> = (value, place, source) => {
  const written = isScalar(value) && value.value !== null ? String(value.value).trim() : ''
  if (written === '' || !isScalar(value) || typeof value.value === 'boolean') {
    return wrongType(value, place, 'a name', source)
  }
  return { value: written, at: source.at(value) }
}

/** Names of language models that agents may be given (contract/behaviour/chat.md section 7). */
const modelNames = [
  'auto',
  'claude_3_5_sonnetv2',
  'claude_3_7_sonnet',
  'claude_3_7_sonnet_thinking',
  'claude_4_sonnet',
  'claude_4_5_sonnet',
  'claude_4_5_haiku',
  'claude_4_5_opus',
  'claude_4_6_sonnet',
  'claude_4_6_opus',
  'claude_4_7_opus',
  'gpt_4o',
  'gpt_4_1',
  'gpt_4_1_mini',
  'gpt_5',
  'gpt_5_mini',
  'gpt_5_3',
  'gpt_5_4',
  'o3',
  'o4_mini',
] as const

/** Of models that Hedron does not use: what is retrieved for agents is found by words. */
const embeddingNames = ['text-embedding-3-large', 'text-embedding-3-small'] as const

const byomFields = { name: optional(label), id: optional(label) }

const byom: Reader<{ readonly byom: string }> = (value, place, source) => {
  if (!isMap(value)) return wrongType(value, place, "a map with 'name' or 'id'", source)
  const read = readMap(value, `'byom' of ${place.of}`, { fields: byomFields }, source)
  if (!read) return undefined
  const [only, ...more] = [read.name, read.id].filter(part => part !== null)
  if (only && more.length === 0) return { byom: only.value }
  source.log.report(source.at(value), 'agents_byom', {})
  return undefined
}

const modelOf =
  <const T extends string>(names: readonly T[]): Reader<T | { readonly byom: string }> =>
  (value, place, source) => {
    if (!isMap(value)) return oneOf(names)(value, place, source)
    return readMap(value, `'${place.key}' of ${place.of}`, { fields: { byom: required(byom) } }, source)?.byom
  }

export const llm: Reader<string | { readonly byom: string }> = modelOf(modelNames)
export const embeddingLlm: Reader<unknown> = modelOf(embeddingNames)

export const runtime = oneOf(['plain', 'reasoning'])
export const memoryMode = oneOf(['space', 'user', 'disabled'])
export const ruleType = oneOf(['always', 'agent_requested'])
