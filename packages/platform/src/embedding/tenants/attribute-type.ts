import { CodedError } from '@hedron/contract'
import type { AttributeType, AttributeValue } from '@hedron/store'

const isFiniteNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value)

/** Whether a value is of each type. */
const checks: Readonly<Record<AttributeType, (value: unknown) => value is AttributeValue>> = {
  string: (value): value is string => typeof value === 'string',
  number: isFiniteNumber,
  boolean: (value): value is boolean => typeof value === 'boolean',
  string_array: (value): value is string[] => Array.isArray(value) && value.every(item => typeof item === 'string'),
  number_array: (value): value is number[] => Array.isArray(value) && value.every(isFiniteNumber),
}

const isOfType = (type: AttributeType, value: unknown): value is AttributeValue => checks[type](value)

/** Whether a number is what its digits said: whole numbers beyond 2^53 are rounded when JSON is read. */
const isExact = (value: number): boolean => !Number.isInteger(value) || Number.isSafeInteger(value)

/** @throws {CodedError} `attribute_value_invalid`, naming the attribute, its type, and what was sent. */
export function requireValue(name: string, type: AttributeType, value: unknown): AttributeValue {
  if (isOfType(type, value)) {
    const rounded = [value].flat().some(item => typeof item === 'number' && !isExact(item))
    if (!rounded) return value
    const received = 'a number that is too large to be kept exactly (an attribute of type string can)'
    throw new CodedError('attribute_value_invalid', { name, type, received })
  }
  throw new CodedError('attribute_value_invalid', { name, type, received: nameOf(value) })
}

/**
 * The default value of a definition, which is written as text: a string as it is, everything else as JSON.
 *
 * @returns undefined where the text is none of that type.
 */
export function readDefault(type: AttributeType, text: string): AttributeValue | undefined {
  if (type === 'string') return text
  try {
    const value: unknown = JSON.parse(text)
    return isOfType(type, value) ? value : undefined
  } catch {
    return undefined
  }
}

/** @throws {CodedError} `attribute_default_invalid` where the default value of a definition is not of its type. */
export function requireDefault(definition: {
  readonly name: string
  readonly type: AttributeType
  readonly defaultValue?: string | null | undefined
}): void {
  const { name, type, defaultValue } = definition
  if (defaultValue === undefined || defaultValue === null) return
  if (readDefault(type, defaultValue) === undefined) {
    throw new CodedError('attribute_default_invalid', { name, type, value: defaultValue })
  }
}

function nameOf(value: unknown): string {
  if (value === null) return 'null'
  if (!Array.isArray(value)) return typeof value === 'object' ? 'an object' : `a ${typeof value}`
  const kinds = new Set(value.map(item => (item === null ? 'null' : typeof item)))
  return `an array of ${kinds.size === 0 ? 'nothing' : [...kinds].join(' and ')}`
}
