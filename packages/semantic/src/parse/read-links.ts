import type { LinkParameterSpec, LinkSpec, Located } from '../shapes/tree.ts'
import {
  boolean,
  listOf,
  locatedText,
  oneOf,
  optional,
  type Reader,
  readMap,
  required,
  sql,
  text,
  watchProblems,
} from './fields.ts'
import { checkName } from './named.ts'
import { describeNode, isMap, type SourceMap } from './source-node.ts'

const mapOr = <T>(read: (value: SourceMap) => T, ...[value, place, source]: Parameters<Reader<T>>): T | undefined => {
  if (isMap(value)) return read(value)
  source.log.report(source.at(value), 'wrong_type', { ...place, expected: 'a map', actual: describeNode(value) })
  return undefined
}

const parameter: Reader<LinkParameterSpec> = (value, place, source) =>
  mapOr(
    map => readMap(map, `'params' of ${place.of}`, { fields: { key: required(text), value: required(sql) } }, source),
    value,
    place,
    source,
  )

const link: Reader<LinkSpec> = (value, place, source) =>
  mapOr(
    map => {
      const fields = {
        name: required(locatedText),
        label: required(text),
        url: optional(sql),
        dashboard: optional(text),
        icon: optional(text),
        target: optional(oneOf(['blank', 'self'])),
        primary: optional(boolean, false),
        params: optional(listOf(parameter), []),
      }
      const isSound = watchProblems(source)
      const read = readMap(map, `a link of ${place.of}`, { fields }, source)
      if (!read) return undefined
      checkName(read.name, 'link', source)
      const { url, dashboard, primary: isPrimary, ...rest } = read
      if (url && dashboard === null) return { ...rest, isPrimary, to: { kind: 'url', sql: url } }
      if (!url && dashboard !== null) return { ...rest, isPrimary, to: { kind: 'dashboard', id: dashboard } }
      if (isSound()) source.log.report(source.at(map), 'link_target', { link: read.name.value, of: place.of })
      return undefined
    },
    value,
    place,
    source,
  )

/** Where a dimension's values lead to. */
export const links: Reader<readonly LinkSpec[]> = (value, place, source) => {
  const read = listOf(link)(value, place, source)
  if (!read) return undefined
  const seen = new Set<string>()
  for (const { name } of read) {
    if (seen.has(name.value)) source.log.report(name.at, 'link_duplicate', { link: name.value, of: place.of })
    seen.add(name.value)
  }
  const [, second] = read.filter(({ isPrimary }) => isPrimary).map(({ name }): Located<string> => name)
  if (second) source.log.report(second.at, 'link_primary', { of: place.of })
  return read
}
