/** @import { SchemaChild, SchemaNode, Settled } from './types.d.ts' */
import { asObject, asText, asTexts, isObject } from './json.js'
import { settle } from './schema-settle.js'
import { alternativesOf, limitWords, typeWords, valuesOf } from './schema-words.js'

/**
 * One schema as a node in words. References are followed only as far as this node needs, so a schema that contains itself is
 * met again only when someone opens it, and then says so.
 *
 * @param {unknown} document
 * @param {unknown} schema
 * @param {readonly string[]} [trail]
 * @returns {SchemaNode}
 */
export function describeSchema(document, schema, trail = []) {
  const settled = settle(document, schema, trail)
  const open = settled.missing === null && settled.recursive === null
  return {
    type: typeWords(document, settled),
    description: asText(settled.schema.description),
    limits: open ? limitWords(settled.schema) : [],
    values: open ? valueWords(valuesOf(valuesHolder(document, settled).schema)) : [],
    deprecated: settled.schema.deprecated === true,
    recursive: settled.recursive,
    expandable: open && hasChildren(document, settled),
    settled,
  }
}

/**
 * What is directly below a node: properties of an object (of the items of a list, of the values of a map), or alternatives.
 *
 * @param {unknown} document
 * @param {SchemaNode} node
 * @returns {readonly SchemaChild[]}
 */
export function childrenOf(document, { settled, expandable }) {
  if (!expandable) return []
  const { schema, trail } = innermost(document, settled)
  const alternatives = alternativesOf(schema)
  if (alternatives.length > 0) {
    return alternatives.map((alternative, index) => ({
      name: String(index + 1),
      kind: 'alternative',
      required: false,
      node: describeSchema(document, alternative, trail),
    }))
  }
  const required = new Set(asTexts(schema.required))
  return Object.entries(asObject(schema.properties)).map(([name, property]) => ({
    name,
    kind: 'property',
    required: required.has(name),
    node: describeSchema(document, property, trail),
  }))
}

/** A list or map is as deep as what it holds. @param {unknown} document @param {Settled} settled @returns {Settled} */
function innermost(document, settled) {
  const held = heldBy(settled)
  return held === null ? settled : innermost(document, settle(document, held, settled.trail))
}

/** @param {Settled} settled */
function heldBy({ schema, recursive }) {
  if (recursive !== null || isObject(schema.properties) || alternativesOf(schema).length > 0) return null
  if (isObject(schema.items)) return schema.items
  return isObject(schema.additionalProperties) ? schema.additionalProperties : null
}

/** @param {unknown} document @param {Settled} settled */
function hasChildren(document, settled) {
  const { schema, recursive, missing } = innermost(document, settled)
  if (recursive !== null || missing !== null) return false
  if (Object.keys(asObject(schema.properties)).length > 0) return true
  return alternativesOf(schema).some(alternative => {
    const { expandable, limits, values, description } = describeSchema(document, alternative, settled.trail)
    return expandable || limits.length > 0 || values.length > 0 || description !== ''
  })
}

/** Allowed values of a list stand on its items. @param {unknown} document @param {Settled} settled @returns {Settled} */
const valuesHolder = (document, settled) =>
  isObject(settled.schema.items) ? settle(document, settled.schema.items, settled.trail) : settled

/** Among nothing but strings the quotes say nothing. @param {readonly unknown[]} values @returns {readonly string[]} */
function valueWords(values) {
  const texts = values.filter(value => typeof value === 'string' && value !== '')
  return texts.length === values.length ? values.map(String) : values.map(value => JSON.stringify(value))
}
