import type { ModelFilterSpec } from '../shapes/tree.ts'
import {
  listOf,
  literalValues,
  locatedText,
  memberPath,
  optional,
  type Reader,
  readMap,
  required,
  watchProblems,
  withoutValues,
  wrongType,
} from './fields.ts'
import { isMap, type SourceMap } from './source-node.ts'

/** Filters of a query, written in a model: `member`, `operator` and `values`, or groups of them under `and` and `or`. */
export const modelFilter: Reader<ModelFilterSpec> = (value, place, source) => {
  if (!isMap(value)) return wrongType(value, place, "a map with 'member', 'operator' and 'values'", source)
  const of = `'${place.key}' of ${place.of}`
  const group = groupOf(value)
  if (group === 'and') {
    const read = readMap(value, of, { fields: { and: required(listOf(modelFilter)) } }, source)
    return read && { and: read.and }
  }
  if (group === 'or') {
    const read = readMap(value, of, { fields: { or: required(listOf(modelFilter)) } }, source)
    return read && { or: read.or }
  }
  const fields = {
    member: required(memberPath),
    operator: required(locatedText),
    values: optional(literalValues, []),
  }
  const isSound = watchProblems(source)
  const read = readMap(value, of, { fields }, source)
  return read && (isSound() ? read : withoutValues(read))
}

const groupOf = ({ entries }: SourceMap) =>
  entries.some(({ name }) => name === 'and') ? 'and' : entries.some(({ name }) => name === 'or') ? 'or' : null
