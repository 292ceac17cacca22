/** @import { Access, Operation, Parameter, Reference } from './types.d.ts' */
import { asList, asObject, asText, asTexts, follow, isObject } from './json.js'

/**
 * Reads the operations out of an OpenAPI 3.1 document, grouped by their first tag in the order of the document's tags.
 *
 * @param {unknown} document
 * @returns {Reference}
 */
export function readReference(document) {
  const { info, tags } = asObject(document)
  const { title, version, description } = asObject(info)
  /** @type {Map<string, Operation[]>} */
  const byTag = new Map(asList(tags).map(tag => [asText(asObject(tag).name), []]))
  const operations = readOperations(document)
  for (const { tag, operation } of operations) byTag.set(tag, [...(byTag.get(tag) ?? []), operation])
  const describe = new Map(asList(tags).map(tag => [asObject(tag).name, asText(asObject(tag).description)]))
  const groups = [...byTag]
    .filter(([, members]) => members.length > 0)
    .map(([name, members], index) => ({
      name,
      slug: `${name
        .toLowerCase()
        .replace(/[^a-z0-9]+/g, '-')
        .replace(/^-|-$/g, '')}-${index + 1}`,
      description: describe.get(name) ?? '',
      operations: members,
    }))
  return {
    title: asText(title),
    version: asText(version),
    description: asText(description),
    groups,
    count: operations.length,
  }
}

const methods = ['get', 'post', 'put', 'patch', 'delete', 'head', 'options', 'trace']

/** @param {unknown} document */
function readOperations(document) {
  const { paths, security } = asObject(document)
  /** @type {{ tag: string, operation: Operation }[]} */
  const found = []
  /** @type {Set<string>} */
  const ids = new Set()
  for (const [path, value] of Object.entries(asObject(paths))) {
    const item = follow(document, value)
    for (const method of methods.filter(name => isObject(item[name]))) {
      const raw = asObject(item[method])
      const id = unique(asText(raw.operationId) || `${method}-${path.replace(/[^A-Za-z0-9]+/g, '-')}`, ids)
      const parameters = readParameters(document, [...asList(item.parameters), ...asList(raw.parameters)])
      const { answers, refusals } = readResponses(document, raw.responses)
      const operation = {
        id,
        method: method.toUpperCase(),
        path,
        summary: asText(raw.summary),
        description: asText(raw.description),
        deprecated: raw.deprecated === true,
        access: readAccess(
          raw,
          security,
          refusals.some(({ codes }) => codes.includes('admin_required')),
        ),
        parameters,
        body: readBody(document, raw.requestBody),
        answers,
        refusals,
      }
      found.push({ tag: asTexts(raw.tags)[0] ?? 'Other', operation })
    }
  }
  return found
}

/** @param {string} wanted @param {Set<string>} taken */
function unique(wanted, taken) {
  let id = wanted
  for (let number = 2; taken.has(id); number++) id = `${wanted}-${number}`
  taken.add(id)
  return id
}

/**
 * @param {Readonly<Record<string, unknown>>} raw
 * @param {unknown} usual security of the document
 * @param {boolean} administrators
 * @returns {Access}
 */
function readAccess(raw, usual, administrators) {
  const permission = raw['x-permission']
  const anyOf = typeof permission === 'string' ? [permission] : asTexts(permission)
  if (anyOf.length > 0) return { kind: 'permission', anyOf }
  const said = raw['x-access']
  if (said === 'public' || said === 'caller' || said === 'embed' || said === 'admin') return { kind: said }
  const isOpen = asList(raw.security ?? usual).length === 0
  return { kind: isOpen ? 'public' : administrators ? 'admin' : 'caller' }
}

/**
 * An operation's own parameter replaces the path's of the same name and place.
 *
 * @param {unknown} document
 * @param {readonly unknown[]} list
 */
function readParameters(document, list) {
  /** @type {Map<string, Parameter>} */
  const byPlace = new Map()
  for (const entry of list) {
    const raw = follow(document, entry)
    const [name, place] = [asText(raw.name), asText(raw.in)]
    byPlace.set(`${place} ${name}`, {
      name,
      place,
      required: raw.required === true || place === 'path',
      deprecated: raw.deprecated === true,
      description: asText(raw.description),
      schema: raw.schema,
    })
  }
  return [...byPlace.values()]
}

/** @param {unknown} document @param {unknown} value */
function readBody(document, value) {
  const raw = follow(document, value)
  const content = firstContent(raw)
  return content === null ? null : { ...content, required: raw.required === true }
}

/** @param {Readonly<Record<string, unknown>>} holder */
function firstContent({ content }) {
  const [first] = Object.entries(asObject(content))
  return first === undefined ? null : { mediaType: first[0], schema: asObject(first[1]).schema }
}

/** @param {unknown} document @param {unknown} responses */
function readResponses(document, responses) {
  const all = Object.entries(asObject(responses)).map(([status, value]) => {
    const raw = follow(document, value)
    const { mediaType, schema } = firstContent(raw) ?? { mediaType: '', schema: undefined }
    return { status, description: asText(raw.description), mediaType, schema }
  })
  const isRefusal = (/** @type {string} */ status) => /^[45]/.test(status) || status === 'default'
  const answers = all.filter(({ status }) => !isRefusal(status))
  const refusals = all
    .filter(({ status }) => isRefusal(status))
    .map(({ status, description, schema }) => ({ status, schema, ...splitCodes(description) }))
  return { answers, refusals }
}

/** The document ends the description of a refusal with `Codes: a, b.` @param {string} description */
function splitCodes(description) {
  const found = /^(.*?)\s*Codes: ([\w, ]+)\.$/s.exec(description)
  if (found === null) return { meaning: description, codes: [] }
  const [, meaning = '', codes = ''] = found
  return { meaning, codes: codes.split(',').map(code => code.trim()) }
}
