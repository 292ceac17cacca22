/** @import { Operation } from './types.d.ts' */

/**
 * Whether an operation has every word of the filter in its method, path, summary or operation id, in capitals or not.
 *
 * @param {Operation} operation
 * @param {string} filter
 * @returns {boolean}
 */
export function matches({ method, path, summary, id }, filter) {
  const text = `${method} ${path} ${summary} ${id}`.toLowerCase()
  return filter
    .toLowerCase()
    .split(/\s+/)
    .every(word => text.includes(word))
}
