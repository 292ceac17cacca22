import * as z from 'zod'

/**
 * Turns the strings of a path or query into the types that the schema names: numbers, booleans and lists. What cannot be turned
 * is left as it came, so that the schema's own check names the field and what is allowed. An empty string is an absent value
 * for anything but text, as clients of the field send `first=`.
 */
export function coerceStrings(
  schema: z.ZodObject,
  raw: Readonly<Record<string, string | string[] | undefined>>,
): Record<string, unknown> {
  const result: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(raw)) {
    if (value === undefined) continue
    const field = schema.shape[name]
    const coerced = field instanceof z.ZodType ? coerceValue(field, value) : value
    if (coerced !== undefined) result[name] = coerced
  }
  return result
}

function coerceValue(schema: z.ZodType, value: string | string[]): unknown {
  const core = unwrap(schema)
  if (core instanceof z.ZodArray) return Array.isArray(value) ? value : [value]
  if (Array.isArray(value)) return value
  if (core instanceof z.ZodNumber) {
    if (value === '') return undefined
    return /^-?\d{1,16}$/.test(value) ? Number(value) : value
  }
  if (core instanceof z.ZodBoolean) {
    if (value === '') return undefined
    return value === 'true' ? true : value === 'false' ? false : value
  }
  return value
}

function unwrap(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) {
    const inner = schema.unwrap()
    return inner instanceof z.ZodType ? unwrap(inner) : schema
  }
  return schema
}
