/** @import { Settled } from './types.d.ts' */
import { asList, asObject, asTexts, isObject, lookUp } from './json.js'

/**
 * Follows references, merges `allOf` and takes `null` out of alternatives, so that what is left has one plain meaning.
 *
 * @param {unknown} document
 * @param {unknown} schema
 * @param {readonly string[]} trail references that were followed on the way here
 * @returns {Settled}
 */
export function settle(document, schema, trail) {
  /** @type {Settled} */
  const start = { schema: asObject(schema), name: null, nullable: false, trail, recursive: null, missing: null }
  return mergeParts(document, dropNull(document, followReferences(document, start)))
}

/** @param {unknown} document @param {Settled} settled @returns {Settled} */
function followReferences(document, settled) {
  const { $ref: reference, ...beside } = settled.schema
  if (typeof reference !== 'string') return settled
  const name = settled.name ?? reference.slice(reference.lastIndexOf('/') + 1)
  if (settled.trail.includes(reference)) return { ...settled, schema: beside, name, recursive: name }
  const target = lookUp(document, reference)
  if (!isObject(target)) return { ...settled, schema: beside, missing: reference }
  // What stands beside a reference says more about it here (OpenAPI 3.1), for example a description.
  const next = { ...settled, schema: { ...target, ...beside }, name, trail: [...settled.trail, reference] }
  return followReferences(document, next)
}

/** @param {unknown} document @param {Settled} settled @returns {Settled} */
function dropNull(document, settled) {
  const { schema } = settled
  if (Array.isArray(schema.type) && schema.type.includes('null')) {
    const types = schema.type.filter(type => type !== 'null')
    return { ...settled, nullable: true, schema: { ...schema, type: types.length === 1 ? types[0] : types } }
  }
  const key = Array.isArray(schema.anyOf) ? 'anyOf' : 'oneOf'
  const alternatives = asList(schema[key])
  const others = alternatives.filter(alternative => asObject(alternative).type !== 'null')
  if (others.length === alternatives.length && others.length !== 1) return settled
  const nullable = settled.nullable || others.length < alternatives.length
  const { [key]: _, ...rest } = schema
  if (others.length !== 1) return { ...settled, nullable, schema: { ...rest, [key]: others } }
  const only = settle(document, others[0], settled.trail)
  const { nullable: inner, name } = only
  return { ...only, nullable: nullable || inner, name: name ?? settled.name, schema: { ...only.schema, ...rest } }
}

/** @param {unknown} document @param {Settled} settled @returns {Settled} */
function mergeParts(document, settled) {
  const { allOf, ...own } = settled.schema
  if (!Array.isArray(allOf)) return settled
  let { trail } = settled
  /** @type {Record<string, unknown>} */
  let merged = {}
  for (const part of [...allOf, own]) {
    const inner = settle(document, part, trail)
    if (inner.missing !== null || inner.recursive !== null) continue
    trail = [...new Set([...trail, ...inner.trail])]
    const properties = { ...asObject(merged.properties), ...asObject(inner.schema.properties) }
    const required = [...new Set([...asTexts(merged.required), ...asTexts(inner.schema.required)])]
    merged = { ...merged, ...inner.schema, properties, required }
  }
  if (Object.keys(asObject(merged.properties)).length === 0) delete merged.properties
  return { ...settled, trail, schema: merged }
}
