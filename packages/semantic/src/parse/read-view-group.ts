import type { Located, ViewGroupSpec } from '../shapes/tree.ts'
import { listOf, locatedText, optional, type Reader, readMap, required, text } from './fields.ts'
import { checkName } from './named.ts'
import { isMap, type ModelSource, type SourceMap } from './source-node.ts'

const depthLimit = 16

/** A view by name, or a group inside the group. */
const item =
  (depth: number): Reader<Located<string> | ViewGroupSpec> =>
  (value, place, source) => {
    if (!isMap(value)) return locatedText(value, place, source)
    if (depth > depthLimit) {
      const expected = `nested at most ${depthLimit} deep`
      source.log.report(source.at(value), 'wrong_type', { ...place, expected, actual: 'deeper' })
      return undefined
    }
    const fields = {
      name: required(locatedText),
      title: optional(text),
      description: optional(text),
      includes: required(listOf(item(depth + 1))),
    }
    const read = readMap(value, `a view group of ${place.of}`, { fields }, source)
    if (read) checkName(read.name, 'view group', source)
    return read
  }

/** Reads one view group. */
export function readViewGroup(node: SourceMap, name: Located<string>, source: ModelSource): ViewGroupSpec | undefined {
  const fields = {
    name: required(locatedText),
    title: optional(text),
    description: optional(text),
    views: optional(listOf(locatedText)),
    includes: optional(listOf(item(0))),
  }
  const read = readMap(node, `view group '${name.value}'`, { fields }, source)
  if (!read) return undefined
  const { views, includes, ...rest } = read
  if (views && includes) {
    source.log.report(name.at, 'view_group_parts', { group: name.value })
  }
  return { ...rest, includes: includes ?? views ?? [] }
}
