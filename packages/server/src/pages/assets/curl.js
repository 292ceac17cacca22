/** @import { Operation, Parameter } from './types.d.ts' */
import { asObject } from './json.js'
import { sampleOf } from './sample.js'
import { settle } from './schema-settle.js'

/**
 * A command to copy that calls an operation, with what it requires and nothing else. The key comes from the shell's
 * environment, so that it stands in no history.
 *
 * @param {unknown} document
 * @param {Operation} operation
 * @param {string} baseUrl without a slash at its end
 * @returns {string}
 */
export function curlOf(document, operation, baseUrl) {
  const { method, access, body } = operation
  const curl = method === 'GET' ? 'curl -s' : `curl -s -X ${shellWord(method)}`
  const parts = [`${curl} ${shellWord(baseUrl + addressOf(document, operation))}`]
  if (access.kind !== 'public') parts.push('-H "Authorization: Api-Key $HEDRON_API_KEY"')
  for (const { name, schema } of requiredIn(operation, 'header')) {
    parts.push(`-H ${shellWord(`${name}: ${sampleOf(document, schema, name)}`)}`)
  }
  if (body?.mediaType === 'multipart/form-data') parts.push(...formParts(document, body.schema))
  else if (body !== null) {
    parts.push(`-H ${shellWord(`Content-Type: ${body.mediaType}`)}`)
    parts.push(`-d ${shellWord(JSON.stringify(sampleOf(document, body.schema, 'body')))}`)
  }
  return parts.join(' \\\n  ')
}

/** @param {unknown} document @param {Operation} operation */
function addressOf(document, operation) {
  let { path } = operation
  for (const { name, schema } of requiredIn(operation, 'path')) {
    path = path.replaceAll(`{${name}}`, encodeURIComponent(String(sampleOf(document, schema, name))))
  }
  const query = requiredIn(operation, 'query').map(({ name, schema }) => [
    name,
    String(sampleOf(document, schema, name)),
  ])
  return query.length === 0 ? path : `${path}?${new URLSearchParams(query)}`
}

/** @param {Operation} operation @param {string} place @returns {readonly Parameter[]} */
const requiredIn = ({ parameters }, place) =>
  parameters.filter(parameter => parameter.required && parameter.place === place)

/** @param {unknown} document @param {unknown} schema */
function formParts(document, schema) {
  const properties = asObject(settle(document, schema, []).schema.properties)
  return Object.entries(asObject(sampleOf(document, schema, 'body'))).map(([name, value]) => {
    if (asObject(properties[name]).format === 'binary') return `-F ${shellWord(`${name}=@FILE`)}`
    return `--form-string ${shellWord(`${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`)}`
  })
}

/**
 * A word as a POSIX shell takes it literally.
 *
 * @param {string} text
 */
export const shellWord = text => (/^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`)
