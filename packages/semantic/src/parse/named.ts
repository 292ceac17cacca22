import type { Located, MemberPath } from '../shapes/tree.ts'
import {
  boolean,
  type Field,
  json,
  locatedText,
  memberPath,
  optional,
  type Place,
  type Reader,
  required,
  text,
  watchProblems,
} from './fields.ts'
import {
  isList,
  isMap,
  isScalar,
  type ModelSource,
  type SourceEntry,
  type SourceMap,
  type SourceNode,
} from './source-node.ts'

const namePattern = /^[_a-zA-Z][_a-zA-Z0-9]*$/

/** Python's keywords: the field's models are written for it, and `CUBE` stands for the cube itself. */
const reserved = new Set(
  (
    'False None True and as assert async await break class continue def del elif else except finally for from global if ' +
    'import in is lambda nonlocal not or pass raise return try while with yield CUBE'
  ).split(' '),
)

export const describedFields = {
  name: required(locatedText),
  title: optional(text),
  description: optional(text),
  public: optional(boolean),
  meta: optional(json),
} satisfies Record<string, Field<unknown>>

/** Older spellings. */
export const describedSynonyms = { shown: 'public' } as const

/** What a definition extends: who can't say that has members that nobody knows. */
export const parent: Reader<MemberPath> = (value, place, source) => {
  const read = memberPath(value, place, source)
  if (!read) place.owner?.lostMembers()
  return read
}

/** Names whose definition could not be read, or not all of it: a reference to one of them is no further problem. */
export type Incomplete = Set<string>

/** Reads a list of things with names. What could not be read is left out, and its name kept in `incomplete`. */
export function namedList<T>(
  kind: string,
  read: (node: SourceMap, name: Located<string>, source: ModelSource) => T | undefined,
  incomplete: (name: string) => void,
): Reader<readonly T[]> {
  return (value, place, source) => readNamed(value, place, source, kind, read, incomplete)
}

/** Reads the members of a definition, which is told the names of those that could not be read, or not all of whose keys could. */
export function memberList<T>(
  kind: string,
  read: (node: SourceMap, name: Located<string>, owner: string, source: ModelSource) => T | undefined,
): Reader<readonly T[]> {
  return (value, place, source) => {
    const { owner } = place
    if (!owner) throw new Error(`'${place.key}' of ${place.of} was read without its owner`)
    const readMember = (item: SourceMap, name: Located<string>) => {
      const isSound = watchProblems(source)
      const member = read(item, name, owner.name, source)
      if (!isSound()) owner.failed(name.value)
      return member
    }
    return readNamed(value, place, source, kind, readMember, owner.failed)
  }
}

function readNamed<T>(
  value: SourceNode,
  place: Place,
  source: ModelSource,
  kind: string,
  read: (node: SourceMap, name: Located<string>, source: ModelSource) => T | undefined,
  incomplete: (name: string) => void,
): readonly T[] | undefined {
  if (!isList(value)) {
    source.log.report(source.at(value), 'not_array', { kind: place.key, of: place.of })
    // Written as a map, as other languages have it, it says at least which names there are.
    if (isMap(value)) for (const { name } of value.entries) incomplete(name)
    else place.owner?.lostMembers()
    return undefined
  }
  const result: T[] = []
  for (const item of value.items) {
    const name = isMap(item) ? nameOf(item, source) : null
    if (!isMap(item) || !name) {
      const written = JSON.stringify(source.toJson(item))
      source.log.report(source.at(item), 'name_missing', { kind, written: written.slice(0, 200) })
      continue
    }
    checkName(name, kind, source)
    const definition = read(item, name, source)
    if (definition === undefined) incomplete(name.value)
    else result.push(definition)
  }
  return result
}

function nameOf(map: SourceMap, source: ModelSource): Located<string> | null {
  const value = map.entries.find(isName)?.value
  return isScalar(value) && typeof value.value === 'string' ? { value: value.value, at: source.at(value) } : null
}

const isName = ({ name }: SourceEntry) => name === 'name'

export function checkName(name: Located<string>, kind: string, source: ModelSource): void {
  if (!namePattern.test(name.value)) source.log.report(name.at, 'name_invalid', { name: name.value, kind })
  else if (reserved.has(name.value)) source.log.report(name.at, 'name_reserved', { name: name.value, kind })
}
