/**
 * An element with attributes and children. Text is always inserted as text; an attribute of `false` or `undefined` is left out.
 *
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Readonly<Record<string, string | boolean | undefined>>} [attributes]
 * @param {...(Node | string | null)} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) made.setAttribute(name, '')
    else if (typeof value === 'string') made.setAttribute(name, value)
  }
  made.append(...children.filter(child => child !== null))
  return made
}

/**
 * An element that the page was served with.
 *
 * @template {HTMLElement} Kind
 * @param {string} id
 * @param {new () => Kind} kind
 * @returns {Kind}
 */
export function served(id, kind) {
  const found = document.getElementById(`page-${id}`)
  if (!(found instanceof kind)) throw new TypeError(`The page has no ${kind.name} with the id "page-${id}"`)
  return found
}

/**
 * Text in which `code` between backquotes is set as code, and long words may break after slashes.
 *
 * @param {string} text
 * @returns {Node[]}
 */
export const prose = text =>
  text
    .split(/(`[^`]+`)/)
    .map(part =>
      part.startsWith('`') && part.length > 2 ? element('code', {}, part.slice(1, -1)) : document.createTextNode(part),
    )

/**
 * A path whose parameters stand out, which may break after each slash and whose common beginning steps back.
 *
 * @param {string} path
 * @returns {HTMLElement}
 */
export function pathCode(path) {
  const [, prefix = ''] = /^((?:\/build)?\/api\/v\d+)\//.exec(path) ?? []
  const code = element('code', { class: 'path' })
  if (prefix !== '') code.append(element('span', { class: 'prefix' }, prefix))
  for (const part of path.slice(prefix.length).split(/(?=\/)/)) {
    const isParameter = /^\/\{.*\}$/.test(part)
    code.append(
      element('wbr'),
      ...(isParameter ? ['/', element('span', { class: 'variable' }, part.slice(1))] : [part]),
    )
  }
  return code
}
