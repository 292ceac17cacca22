/**
 * The document is someone else's JSON: what has another shape than expected reads as empty.
 *
 * @param {unknown} value
 * @returns {Readonly<Record<string, unknown>>}
 */
export const asObject = value => (isObject(value) ? value : {})

/** @param {unknown} value @returns {value is Record<string, unknown>} */
export const isObject = value => typeof value === 'object' && value !== null && !Array.isArray(value)

/** @param {unknown} value @returns {readonly unknown[]} */
export const asList = value => (Array.isArray(value) ? value : [])

/** @param {unknown} value @returns {string} */
export const asText = value => (typeof value === 'string' ? value : '')

/** @param {unknown} value @returns {readonly string[]} */
export const asTexts = value => asList(value).filter(item => typeof item === 'string')

/**
 * Looks up a reference within the document (RFC 6901).
 *
 * @param {unknown} document
 * @param {string} reference such as `#/components/schemas/User`
 * @returns {unknown} undefined when it leads nowhere or outside
 */
export function lookUp(document, reference) {
  if (!reference.startsWith('#/')) return undefined
  let value = document
  for (const part of reference.slice(2).split('/')) {
    const key = decode(part).replaceAll('~1', '/').replaceAll('~0', '~')
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
    value = Reflect.get(value, key)
  }
  return value
}

/**
 * Follows a reference that stands in place of a parameter, body or response; for schemas see `settle`.
 *
 * @param {unknown} document
 * @param {unknown} value
 */
export function follow(document, value) {
  let found = asObject(value)
  for (let steps = 0; typeof found.$ref === 'string' && steps < 8; steps++)
    found = asObject(lookUp(document, found.$ref))
  return found
}

/** @param {string} part */
function decode(part) {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
