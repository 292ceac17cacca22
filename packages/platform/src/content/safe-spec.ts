import { findExpressionProblem } from './safe-expression.ts'

/** What of a chart is refused, and where. */
export interface SpecProblem {
  /** Such as `spec.layer[0].data.url`. */
  readonly path: string
  readonly reason: string
}

const deepest = 40
const mostParts = 50_000
const longestText = 1_000_000

/**
 * Finds what would make a chart load something, lead somewhere or run code: data and shapes from an address, pictures other than
 * those written out, links, options of the page that draws it, and expressions beyond Vega's language. The rest of Vega-Lite is for
 * who draws it to judge.
 *
 * Charts are drawn in the pages of an account's customers. One that loads tells its author who looks, when and from where; a link in
 * it is one that the page did not make.
 */
export function findSpecProblem(spec: unknown, path = 'spec'): SpecProblem | null {
  let [parts, characters] = [0, 0]
  return look(spec, '', path, 0)

  function look(value: unknown, key: string, at: string, depth: number): SpecProblem | null {
    parts += 1
    if (parts > mostParts) return { path, reason: `it has more than ${mostParts} parts` }
    if (depth > deepest) return { path: at, reason: `it nests deeper than ${deepest} levels` }
    if (typeof value === 'string') {
      characters += value.length
      return characters > longestText ? { path, reason: `its texts are longer than ${longestText} characters` } : null
    }
    if (typeof value !== 'object' || value === null) return null
    if (Array.isArray(value)) {
      for (const [index, item] of value.entries()) {
        const problem = lookInside(key, item, `${at}[${index}]`) ?? look(item, key, `${at}[${index}]`, depth + 1)
        if (problem) return problem
      }
      return null
    }
    for (const [name, part] of Object.entries(value)) {
      const place = `${at}.${name}`
      // Rows that are written into a chart are data whatever their columns are called; only their size counts.
      const isData = key === 'data' && name === 'values'
      const isDataset = key === 'datasets' || key === rows
      const problem =
        isData || isDataset
          ? look(part, rows, place, depth + 1)
          : (refusal(name, part, key, place) ?? lookInside(name, part, place) ?? look(part, name, place, depth + 1))
      if (problem) return problem
    }
    return null
  }
}

/** Stands for the key of what is data, under which no key means anything. */
const rows = Symbol('rows').toString()

const loads =
  'charts load nothing. Ask for rows with the query; write a picture out as a data: address of PNG, JPEG, GIF or WebP'

/** What a key may not say, whatever it stands in. */
function refusal(key: string, value: unknown, parent: string, path: string): SpecProblem | null {
  if (key === 'url') return isWrittenOut(value) ? null : { path, reason: loads }
  if (key === 'href') return { path, reason: 'charts have no links' }
  if (key === 'loader' || key === 'baseURL' || key === 'async') return { path, reason: loads }
  if (key === 'embedOptions') return { path, reason: 'the options of the page that draws a chart are that page’s own' }
  if (key === 'element' && parent === 'bind')
    return { path, reason: 'charts listen to nothing of the page around them' }
  if (key === '__proto__' || key === 'constructor' || key === 'prototype')
    return { path, reason: 'no chart has this part' }
  return null
}

/** Expressions stand under these keys, in Vega-Lite and in Vega. */
const expressions = new Set(['expr', 'signal', 'calculate', 'filter', 'test', 'update', 'init', 'labelExpr', 'toggle'])

/** Which events a chart listens to stands under these; the conditions in brackets are expressions. */
const selectors = new Set(['on', 'clear', 'events', 'translate', 'zoom'])

function lookInside(key: string, value: unknown, path: string): SpecProblem | null {
  if (typeof value !== 'string') return null
  const text = expressions.has(key) ? value : selectors.has(key) ? value.replaceAll('@', '') : ''
  const reason = findExpressionProblem(text)
  return reason === null ? null : { path, reason }
}

/** A picture in the text itself, or the channel of image marks with one. A column of the rows could hold any address. */
function isWrittenOut(value: unknown): boolean {
  if (value === null) return true
  if (typeof value === 'string') return /^data:image\/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/=]*$/.test(value)
  if (typeof value !== 'object' || Array.isArray(value)) return false
  return Object.entries(value).every(([key, part]) => key === 'value' && typeof part === 'string' && isWrittenOut(part))
}
