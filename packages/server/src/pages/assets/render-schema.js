/** @import { SchemaChild, SchemaNode } from './types.d.ts' */
import { element, prose } from './elements.js'
import { childrenOf } from './schema-tree.js'

/**
 * The rows of a schema: its properties, or its alternatives. What is deeper is made when it is opened.
 *
 * @param {unknown} document
 * @param {SchemaNode} node
 * @returns {HTMLElement}
 */
export function fieldList(document, node) {
  const list = element('ul', { class: 'fields' })
  for (const child of childrenOf(document, node)) list.append(fieldRow(document, child))
  return list
}

/** @param {unknown} document @param {SchemaChild} child */
function fieldRow(document, { name, kind, required, node }) {
  const title =
    kind === 'property'
      ? element('code', { class: 'name' }, name)
      : element('span', { class: 'name' }, `either ${name}`)
  const head = element('span', { class: 'field' }, title, typeLine(node, required))
  return element('li', node.deprecated ? { class: 'deprecated' } : {}, head, ...remarks(document, node))
}

/**
 * Type, and what is to be known of it at a glance.
 *
 * @param {SchemaNode} node
 * @param {boolean} required
 */
export function typeLine(node, required) {
  const line = element('span', { class: 'type' }, node.type)
  if (required) line.append(' ', element('span', { class: 'required' }, 'required'))
  if (node.deprecated) line.append(' ', element('span', { class: 'flag' }, 'deprecated'))
  if (node.recursive !== null) line.append(' ', element('span', { class: 'flag' }, 'as above'))
  return line
}

/**
 * Description, limits, values and what can be opened.
 *
 * @param {unknown} document
 * @param {SchemaNode} node
 * @returns {HTMLElement[]}
 */
export function remarks(document, node) {
  return [
    node.description === '' ? null : element('p', {}, ...prose(node.description)),
    node.limits.length === 0 ? null : element('p', { class: 'limits' }, node.limits.join(' · ')),
    node.values.length === 0 ? null : valueList(node.values),
    node.expandable ? unfolding(document, node) : null,
  ].filter(part => part !== null)
}

/** @param {readonly string[]} values */
function valueList(values) {
  const line = element('p', { class: 'values' }, values.length === 1 ? 'Always ' : 'One of ')
  for (const value of values) line.append(element('code', {}, value), ' ')
  return line
}

/** @param {unknown} document @param {SchemaNode} node */
function unfolding(document, node) {
  const children = childrenOf(document, node)
  const [one, many] = children[0]?.kind === 'alternative' ? ['alternative', 'alternatives'] : ['property', 'properties']
  const words = `${children.length} ${children.length === 1 ? one : many}`
  const fold = element('details', { class: 'unfold' }, element('summary', {}, words))
  fold.addEventListener('toggle', () => fold.append(fieldList(document, node)), { once: true })
  return fold
}
