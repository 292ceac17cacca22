/** What a model's author tells agents about a cube or member. */
export interface AgentWords {
  readonly context: string | null
  readonly synonyms: readonly string[]
}

/**
 * Reads `meta.ai_context` and `meta.synonyms` (contract/behaviour/data-model.md; chat.md section 6, step 4). The context is a text, or
 * an object whose texts are it and which may hold `synonyms`; synonyms are a list, or a text with commas. Other shapes are
 * another tool's business.
 */
export function wordsForAgents(meta: unknown): AgentWords {
  const context = part(meta, 'ai_context')
  const synonyms = [...listOf(part(meta, 'synonyms')), ...listOf(part(context, 'synonyms'))]
  return { context: textOf(context), synonyms: [...new Set(synonyms)] }
}

const part = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : undefined

function listOf(value: unknown): readonly string[] {
  const items = typeof value === 'string' ? value.split(',') : Array.isArray(value) ? value : []
  return items.flatMap(item => (typeof item === 'string' && item.trim() !== '' ? [item.trim()] : []))
}

function textOf(value: unknown): string | null {
  const texts =
    typeof value === 'object' && value !== null && !Array.isArray(value) ? otherTexts(value) : listOf([value])
  const items = Array.isArray(value) ? listOf(value) : texts
  return items.length > 0 ? items.join('\n') : null
}

const otherTexts = (value: object): readonly string[] =>
  Object.entries(value).flatMap(([name, item]) => (name === 'synonyms' ? [] : listOf([item])))
