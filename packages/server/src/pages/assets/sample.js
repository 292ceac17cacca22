import { asList, asObject, asText, asTexts, isObject } from './json.js'
import { settle } from './schema-settle.js'
import { alternativesOf, valuesOf } from './schema-words.js'

/**
 * A value that a schema accepts as far as it can be known, with what only the caller knows in capitals. An object gets its
 * required properties, or where none is required the first one.
 *
 * @param {unknown} document
 * @param {unknown} schema
 * @param {string} name of the property or parameter; becomes the placeholder
 * @param {readonly string[]} [trail]
 * @returns {unknown}
 */
export function sampleOf(document, schema, name, trail = []) {
  const settled = settle(document, schema, trail)
  if (settled.recursive !== null || settled.missing !== null) return null
  const given = firstGiven(settled.schema)
  if (given !== undefined) return given
  const [alternative] = alternativesOf(settled.schema)
  if (alternative !== undefined) return sampleOf(document, alternative, name, settled.trail)
  if (isObject(settled.schema.properties)) return sampleObject(document, settled.schema, settled.trail)
  if (settled.schema.type === 'array' || isObject(settled.schema.items)) {
    return [sampleOf(document, settled.schema.items, name, settled.trail)]
  }
  if (settled.schema.type === 'object') return {}
  return sampleScalar(settled.schema, name)
}

/** @param {Readonly<Record<string, unknown>>} schema */
function firstGiven(schema) {
  if (schema.default !== undefined) return schema.default
  if (schema.example !== undefined) return schema.example
  return asList(schema.examples)[0] ?? valuesOf(schema)[0]
}

/** @param {unknown} document @param {Readonly<Record<string, unknown>>} schema @param {readonly string[]} trail */
function sampleObject(document, schema, trail) {
  const properties = Object.entries(asObject(schema.properties))
  const required = new Set(asTexts(schema.required))
  const wanted = properties.filter(([name]) => required.has(name))
  const usual = properties.filter(([, property]) => asObject(property).deprecated !== true)
  const shown = wanted.length > 0 ? wanted : usual.slice(0, 1)
  return Object.fromEntries(shown.map(([name, property]) => [name, sampleOf(document, property, name, trail)]))
}

/** @param {Readonly<Record<string, unknown>>} schema @param {string} name */
function sampleScalar(schema, name) {
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type
  switch (type) {
    case 'integer':
    case 'number':
      return typeof schema.minimum === 'number' ? Math.max(schema.minimum, 1) : 1
    case 'boolean':
      return true
    case 'null':
      return null
    default:
      return formats[asText(schema.format)] ?? placeholder(name)
  }
}

/** @type {Readonly<Record<string, string>>} */
const formats = {
  date: '2026-01-31',
  'date-time': '2026-01-31T12:00:00.000Z',
  email: 'someone@example.com',
  uri: 'https://example.com',
  uuid: '00000000-0000-4000-8000-000000000000',
}

/** `branchName` becomes `BRANCH_NAME`. @param {string} name */
const placeholder = name =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/[^A-Za-z0-9]+/g, '_')
    .toUpperCase() || 'VALUE'
