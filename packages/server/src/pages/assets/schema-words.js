/** @import { Settled } from './types.d.ts' */
import { asList, asText, isObject } from './json.js'
import { settle } from './schema-settle.js'

/**
 * The type of a schema as a person would say it: `list of Branch`, `string (date-time) or null`.
 *
 * @param {unknown} document
 * @param {Settled} settled
 * @returns {string}
 */
export function typeWords(document, settled) {
  const words = plainWords(document, settled)
  return settled.nullable && words !== 'null' ? `${words} or null` : words
}

/** @param {unknown} document @param {Settled} settled @returns {string} */
function plainWords(document, settled) {
  const { schema, name, missing, recursive, trail } = settled
  if (missing !== null) return `unknown (${missing})`
  if (recursive !== null) return recursive
  /** @param {unknown} inner */
  const wordsOf = inner => typeWords(document, settle(document, inner, trail))
  const alternatives = alternativesOf(schema)
  if (alternatives.length > 0) return name ?? [...new Set(alternatives.map(wordsOf))].join(' or ')
  if (schema.type === 'array' || isObject(schema.items)) {
    return isObject(schema.items) ? `list of ${wordsOf(schema.items)}` : 'list'
  }
  if (isObject(schema.properties)) return name ?? 'object'
  if (isObject(schema.additionalProperties)) {
    const values = wordsOf(schema.additionalProperties)
    return name ?? (values === 'any value' ? 'object' : `map of ${values}`)
  }
  return scalarWords(schema)
}

/** @param {Settled['schema']} schema */
function scalarWords(schema) {
  const format = asText(schema.format)
  if (Array.isArray(schema.type)) return schema.type.join(' or ')
  const type = asText(schema.type) || typeOfValues(schema)
  if (type === '') return 'any value'
  return format === '' ? type : `${type} (${format})`
}

/** @param {Settled['schema']} schema */
function typeOfValues(schema) {
  const types = new Set(valuesOf(schema).map(value => (value === null ? 'null' : typeof value)))
  return [...types].join(' or ')
}

/** @param {Settled['schema']} schema @returns {readonly unknown[]} */
export const alternativesOf = schema => (Array.isArray(schema.anyOf) ? schema.anyOf : asList(schema.oneOf))

/** @param {Settled['schema']} schema @returns {readonly unknown[]} */
export const valuesOf = schema => (Object.hasOwn(schema, 'const') ? [schema.const] : asList(schema.enum))

/**
 * Limits of a schema in words. The bounds of what JavaScript counts exactly limit nobody and are left out.
 *
 * @param {Settled['schema']} schema
 * @returns {readonly string[]}
 */
export function limitWords(schema) {
  const words = [
    range(bound(schema, 'minimum', 'exclusiveMinimum'), bound(schema, 'maximum', 'exclusiveMaximum')),
    range(bound(schema, 'minLength'), bound(schema, 'maxLength'), [' character', ' characters']),
    range(bound(schema, 'minItems'), bound(schema, 'maxItems'), [' item', ' items']),
    range(bound(schema, 'minProperties'), bound(schema, 'maxProperties'), [' entry', ' entries']),
    typeof schema.multipleOf === 'number' ? `multiple of ${schema.multipleOf}` : '',
    typeof schema.pattern === 'string' ? `matches ${schema.pattern}` : '',
    schema.uniqueItems === true ? 'no duplicates' : '',
    schema.readOnly === true ? 'read only' : '',
    schema.writeOnly === true ? 'write only' : '',
    schema.default === undefined ? '' : `default ${JSON.stringify(schema.default)}`,
  ]
  const ofItems = isObject(schema.items) ? limitWords(schema.items).map(limit => `each ${limit}`) : []
  return [...words.filter(limit => limit !== ''), ...ofItems]
}

/** @param {string} low @param {string} high @param {readonly [one: string, many: string]} [unit] */
function range(low, high, [one, many] = ['', '']) {
  const unit = (high === '' ? low : high) === '1' ? one : many
  if (low !== '' && low === high) return `exactly ${low}${unit}`
  if (low !== '' && high !== '') return `${low} to ${high}${unit}`
  if (low !== '') return `at least ${low}${unit}`
  return high === '' ? '' : `at most ${high}${unit}`
}

/** @param {Settled['schema']} schema @param {string} name @param {string} [exclusive] */
function bound(schema, name, exclusive = '') {
  const excluded = schema[exclusive]
  if (typeof excluded === 'number') return `${grouped(excluded)} (not included)`
  const value = schema[name]
  return typeof value !== 'number' || Math.abs(value) >= Number.MAX_SAFE_INTEGER ? '' : grouped(value)
}

/** @param {number} value */
const grouped = value => value.toLocaleString('en-US', { maximumFractionDigits: 20 })
