/** @import { Access, Answer, Operation, Parameter, Refusal } from './types.d.ts' */
import { copyable } from './copy.js'
import { curlOf } from './curl.js'
import { element, pathCode, prose } from './elements.js'
import { fieldList, remarks, typeLine } from './render-schema.js'
import { describeSchema } from './schema-tree.js'

/**
 * One line of the reference, which unfolds into all that is known of the operation. The inside is made at the first opening.
 *
 * @param {unknown} document
 * @param {Operation} operation
 * @param {string} baseUrl
 * @returns {HTMLDetailsElement}
 */
export function operationFold(document, operation, baseUrl) {
  const { id, method, path, summary, deprecated } = operation
  const line = element(
    'summary',
    {},
    element('span', { class: `method ${method.toLowerCase()}` }, method),
    pathCode(path),
    element('span', { class: 'says' }, summary, deprecated ? element('span', { class: 'flag' }, 'deprecated') : null),
  )
  const fold = element('details', { class: 'operation', id }, line)
  fold.addEventListener('toggle', () => fold.append(operationBody(document, operation, baseUrl)), { once: true })
  return fold
}

/** @param {unknown} document @param {Operation} operation @param {string} baseUrl */
function operationBody(document, operation, baseUrl) {
  const { description, parameters, body, answers, refusals } = operation
  return element(
    'div',
    { class: 'inside' },
    description === '' ? null : element('p', { class: 'prose' }, ...prose(description)),
    facts(operation, baseUrl),
    copyable(curlOf(document, operation, baseUrl), 'the request'),
    parameters.length === 0 ? null : part('Parameters', parameterTable(document, parameters)),
    body === null
      ? null
      : schemaPart(document, 'Body', body.schema, `${body.mediaType}${body.required ? '' : ', may be left out'}`),
    ...answers.map(answer => answerPart(document, answer)),
    refusals.length === 0 ? null : part('Errors', refusalTable(document, refusals)),
  )
}

/** @param {Operation} operation @param {string} baseUrl */
function facts({ id, access }, baseUrl) {
  const address = `${baseUrl}/#${encodeURIComponent(id)}`
  return element(
    'dl',
    { class: 'facts' },
    element('div', {}, element('dt', {}, 'Needs'), element('dd', {}, ...needs(access))),
    element(
      'div',
      { 'data-copyable': true },
      element('dt', {}, 'Operation id'),
      element('dd', {}, element('code', { 'data-copy-source': true }, id), ' ', copyButton('the operation id')),
    ),
    element(
      'div',
      { 'data-copyable': true },
      element('dt', {}, 'Link'),
      element(
        'dd',
        {},
        element('a', { href: address, 'data-copy-source': true }, address),
        ' ',
        copyButton('the link'),
      ),
    ),
  )
}

/** @param {string} what */
const copyButton = what =>
  element('button', { type: 'button', class: 'copy bare', 'data-copy': true, 'aria-label': `Copy ${what}` }, 'Copy')

/** @param {Access} access @returns {(Node | string)[]} */
function needs(access) {
  if (access.kind !== 'permission') return [openNeeds[access.kind]]
  return access.anyOf.flatMap((name, index) => [...(index === 0 ? [] : [' or ']), element('code', {}, name)])
}

const openNeeds = {
  public: 'nothing: open to everyone',
  caller: 'any valid key',
  embed: 'the token of an embed session',
  admin: 'the key of an administrator',
}

/** @param {string} title @param {...Node} children */
const part = (title, ...children) => element('section', { class: 'part' }, element('h4', {}, title), ...children)

/** @param {unknown} document @param {readonly Parameter[]} parameters */
function parameterTable(document, parameters) {
  const rows = parameters.map(({ name, place, required, deprecated, description, schema }) => {
    const node = describeSchema(document, schema)
    const shown = { ...node, deprecated: node.deprecated || deprecated, description: description || node.description }
    return element(
      'tr',
      shown.deprecated ? { class: 'deprecated' } : {},
      element('th', { scope: 'row' }, element('code', { class: 'name' }, name)),
      element('td', { class: 'place' }, place),
      element('td', {}, typeLine(shown, required)),
      element('td', {}, ...remarks(document, shown)),
    )
  })
  return table(['Name', 'In', 'Type', 'Meaning'], rows, 'parameters')
}

/** @param {unknown} document @param {string} title @param {unknown} schema @param {string} note */
function schemaPart(document, title, schema, note) {
  const node = describeSchema(document, schema)
  const type = element('p', { class: 'shape' }, typeLine(node, false), ` · ${note}`)
  const inside = node.expandable ? [fieldList(document, node)] : remarks(document, node)
  const says =
    node.expandable && node.description !== '' ? [element('p', { class: 'prose' }, ...prose(node.description))] : []
  return part(title, type, ...says, ...inside)
}

/** @param {unknown} document @param {Answer} answer */
function answerPart(document, { status, description, mediaType, schema }) {
  const title = `Answer ${status}`
  if (schema === undefined) return part(title, element('p', {}, ...prose(description || 'Without a body.')))
  return schemaPart(document, title, schema, mediaType)
}

/** @param {unknown} document @param {readonly Refusal[]} refusals */
function refusalTable(document, refusals) {
  const rows = refusals.map(({ status, meaning, codes }) =>
    element(
      'tr',
      {},
      element('th', { scope: 'row', class: 'status' }, status),
      element('td', { class: 'codes' }, ...codes.flatMap(code => [element('code', {}, code), ' '])),
      element('td', {}, ...prose(meaning)),
    ),
  )
  const shapes = new Map(refusals.map(({ schema }) => [JSON.stringify(schema), schema]))
  const bodies = [...shapes.values()]
    .filter(schema => schema !== undefined)
    .map(schema => {
      const node = describeSchema(document, schema)
      return element(
        'div',
        { class: 'shape' },
        'Each comes as ',
        typeLine(node, false),
        ...remarks(document, { ...node, description: '' }),
      )
    })
  return element('div', {}, table(['Status', 'Codes', 'Meaning'], rows, 'errors'), ...bodies)
}

/** @param {readonly string[]} heads @param {readonly HTMLElement[]} rows @param {string} kind */
function table(heads, rows, kind) {
  const head = element('tr', {}, ...heads.map(text => element('th', { scope: 'col' }, text)))
  return element('table', { class: kind }, element('thead', {}, head), element('tbody', {}, ...rows))
}
