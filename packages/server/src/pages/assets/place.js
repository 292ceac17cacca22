/** @import { Place } from './types.d.ts' */

/**
 * The address is the state: `/?filter=branch#commitChanges`.
 *
 * @param {{ readonly search: string, readonly hash: string }} location
 * @returns {Place}
 */
export function readPlace({ search, hash }) {
  return { filter: new URLSearchParams(search).get('filter') ?? '', target: decode(hash.slice(1)) }
}

/**
 * The reverse of `readPlace`, as a relative address.
 *
 * @param {string} path of the page
 * @param {Place} place
 * @returns {string}
 */
export function addressOf(path, { filter, target }) {
  const search = filter === '' ? '' : `?${new URLSearchParams({ filter })}`
  return `${path}${search}${target === '' ? '' : `#${encodeURIComponent(target)}`}`
}

/** @param {string} text */
function decode(text) {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
