import { oncePerObject } from '../once-per-object.ts'
import type { JsonValue } from '../shapes/source.ts'
import type { Located, MemberPath, SqlSpec } from '../shapes/tree.ts'
import {
  describeNode,
  isEmpty,
  isList,
  isMap,
  isScalar,
  type ModelSource,
  type SourceMap,
  type SourceNode,
} from './source-node.ts'
import { isPlainSql, parseSql } from './sql-template.ts'

/** Where a value stands, for messages: the key that holds it and the construct around it. */
export interface Place {
  readonly key: string
  readonly of: string
  /** The definition itself, where it has members. */
  readonly owner?: Owner | undefined
}

/** A definition with members, such as a cube. */
export interface Owner {
  readonly name: string
  /** Takes the name of a member that could not be read. */
  readonly failed: (member: string) => void
  /** There may be members that could not be read, and nobody knows their names. */
  readonly lostMembers: () => void
}

/**
 * Reads one value. `undefined` means that a problem was reported and nothing stands for the value. What is read beside problems
 * is for finding more of them: a model with problems is never used.
 */
export type Reader<T> = (value: SourceNode, place: Place, source: ModelSource) => T | undefined

export interface Field<T> {
  readonly read: Reader<T>
  /** Present when the key may be left out. */
  readonly absent?: { readonly value: T }
}

export const required = <T>(read: Reader<T>): Field<T> => ({ read })
export function optional<T>(read: Reader<T>): Field<T | null>
export function optional<T>(read: Reader<T>, absent: T): Field<T>
export function optional<T>(read: Reader<T>, absent: T | null = null): Field<T | null> {
  return { read, absent: { value: absent } }
}

type Read<F> = { [K in keyof F]: F[K] extends Field<infer T> ? T : never }

export interface MapRules<F> {
  readonly fields: F
  /** Other spellings of a key, in camelCase. */
  readonly synonyms?: Readonly<Record<string, keyof F & string>>
  /** Keys of the language, in camelCase, that change nothing: they are checked, and the author is told. */
  readonly inert?: Readonly<Record<string, Reader<unknown>>>
}

export const camelCase = (key: string) =>
  key.includes('_') ? key.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase()) : key
/** Keys of the language, of which there are some hundred, as authors mostly write them. */
const snakeKeys = new Map<string, string>()

function snakeCase(key: string): string {
  const known = snakeKeys.get(key)
  if (known !== undefined) return known
  const snake = key.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)
  snakeKeys.set(key, snake)
  return snake
}

/** Spellings that authors should give up, where they are synonyms. */
const deprecatedKeys = ['shown', 'visible', 'drillMemberReferences']

type Fields = Readonly<Record<string, Field<unknown>>>

interface Known {
  readonly key: string
  readonly field: Field<unknown>
}

interface Prepared {
  /** Every key with what it is when it is left out: copied whole, which gives all maps one shape and costs little. */
  readonly absent: Readonly<Record<string, unknown>>
  readonly required: readonly string[]
  /** A field by both its spellings. */
  readonly byName: ReadonlyMap<string, Known>
}

/** What of some fields is the same for every map that they read: fields that are made once are prepared once. */
const prepare = oncePerObject((fields: Fields): Prepared => {
  const entries = Object.entries(fields)
  // Filled key by key in a loop, it would become a dictionary, and whatever is copied of it too.
  const absent = Object.fromEntries(entries.map(([key, field]) => [key, field.absent?.value]))
  const needed: string[] = []
  const byName = new Map<string, Known>()
  for (const [key, field] of entries) {
    if (!field.absent) needed.push(key)
    const known = { key, field }
    byName.set(key, known).set(snakeCase(key), known)
  }
  return { absent, required: needed, byName }
})

/**
 * Reads a map whose keys are known, in snake_case or camelCase. `undefined` when a required part could not be read; another such
 * part is reported and taken as absent, so that all else is read and checked too.
 *
 * @param owner the map as a definition with members
 */
export function readMap<F extends Fields>(
  node: SourceMap,
  of: string,
  rules: MapRules<F>,
  source: ModelSource,
  owner?: Owner,
): Read<F> | undefined {
  const { absent, required, byName } = prepare(rules.fields)
  // A spread here, of objects of many shapes, would take twice as long.
  const result: Record<string, unknown> = Object.assign({}, absent)
  const given: Known[] = []
  let complete = true
  for (const entry of node.entries) {
    const known = byName.get(entry.name) ?? otherKey(entry, of, rules, byName, source)
    if (!known) continue
    if (given.includes(known)) {
      source.log.report(source.at(entry.key), 'key_twice', { key: entry.name, of })
    } else {
      given.push(known)
      const { key, field } = known
      if (isEmpty(entry.value)) {
        if (!field.absent) source.log.report(source.at(entry.key), 'required', { key: snakeCase(key), of })
        complete &&= field.absent !== undefined
      } else {
        const read = field.read(entry.value, { key: entry.name, of, owner }, source)
        if (read !== undefined) result[key] = read
        else if (!field.absent) complete = false
      }
    }
  }
  for (const key of required) {
    if (given.some(known => known.key === key)) continue
    source.log.report(source.at(node), 'required', { key: snakeCase(key), of })
    complete = false
  }
  // Every key of `fields` was read by its own reader, which the type of a loop over keys can't say.
  return complete ? (result as Read<F>) : undefined
}

/** The field of a key in another spelling than its own two. */
function otherKey<F extends Fields>(
  entry: SourceMap['entries'][number],
  of: string,
  { fields, synonyms = {}, inert = {} }: MapRules<F>,
  byName: Prepared['byName'],
  source: ModelSource,
): Known | undefined {
  const camel = camelCase(entry.name)
  const key = Object.hasOwn(synonyms, camel) ? (synonyms[camel] ?? camel) : camel
  const at = source.at(entry.key)
  if (Object.hasOwn(inert, key)) {
    source.log.warn(at, 'no_effect', { what: `'${entry.name}' of ${of}` })
    inert[key]?.(entry.value, { key: entry.name, of }, source)
    return undefined
  }
  const known = byName.get(key)
  if (!known) {
    source.log.report(at, 'unknown_key', { key: entry.name, of, allowed: Object.keys(fields).map(snakeCase) })
    return undefined
  }
  if (key !== camel && deprecatedKeys.includes(camel)) {
    source.log.warn(at, 'deprecated', { what: `'${entry.name}' of ${of}`, instead: `Write '${snakeCase(key)}'.` })
  }
  return known
}

/**
 * Tells later whether nothing was wrong with what was read since. Rules over several keys are checked then alone, as a key that can't
 * be read seems to be absent.
 */
export function watchProblems({ log }: ModelSource): () => boolean {
  const { length } = log.problems
  return () => log.problems.length === length
}

/** Reports a value of another kind than its key has. */
export const wrongType = (value: SourceNode, place: Place, expected: string, source: ModelSource) => {
  source.log.report(source.at(value), 'wrong_type', { ...place, expected, actual: describeNode(value) })
  return undefined
}

const withoutEscapes = (text: string) => (text.includes('\\') ? text.replace(/\\([{}])/g, '$1') : text)

/** Text outside SQL. It cannot depend on who asks; other braces in it are nothing but braces. */
export const text: Reader<string> = (value, place, source) => {
  if (!isScalar(value) || typeof value.value !== 'string') return wrongType(value, place, 'text', source)
  if (value.isLiteral) return value.value
  if (!value.value.includes('{')) return withoutEscapes(value.value)
  if (/\{\s*COMPILE_CONTEXT\b/.test(value.value)) {
    source.log.report(source.at(value), 'compile_context', {})
    return undefined
  }
  const [braces] = /(?<!\\)\{[^{}]*\}/.exec(value.value) ?? []
  if (braces) source.log.warn(source.at(value), 'text_braces', { braces, what: `'${place.key}' of ${place.of}` })
  return withoutEscapes(value.value)
}

export const locatedText: Reader<Located<string>> = (value, place, source) => {
  const read = text(value, place, source)
  return read === undefined ? undefined : { value: read, at: source.at(value) }
}

export const boolean: Reader<boolean> = (value, place, source) => {
  if (isScalar(value) && typeof value.value === 'boolean') return value.value
  const written = isScalar(value) ? String(value.value).trim() : ''
  // Templates often give text where a word of YAML was meant.
  if (/^true$/i.test(written)) return true
  if (/^false$/i.test(written)) return false
  if (!written.includes('COMPILE_CONTEXT')) return wrongType(value, place, 'true or false', source)
  source.log.report(source.at(value), 'compile_context', {})
  return undefined
}

/** Reads; `instead` stands for what can't be read. */
export const orElse =
  <T>(read: Reader<T>, instead: T): Reader<T> =>
  (value, place, source) =>
    read(value, place, source) ?? instead

export const json: Reader<JsonValue> = (value, _place, source) => source.toJson(value)

export const locatedJson: Reader<Located<JsonValue>> = (value, _place, source) => ({
  value: source.toJson(value),
  at: source.at(value),
})

/** SQL; where it can't be read, none stands for it, so that its owner is there for others. */
export const sql: Reader<SqlSpec> = (value, place, source) => {
  const at = source.at(value)
  if (isMap(value)) {
    source.log.report(at, 'sql_is_map', { ...place })
    return { parts: [], at }
  }
  if (!isScalar(value)) {
    wrongType(value, place, 'SQL text', source)
    return { parts: [], at }
  }
  const written = value.written.trim()
  if (isPlainSql(written)) return { parts: written === '' ? [] : [written], at }
  return parseSql(written, at, `${place.key} of ${place.of}`, source.locator(value), source.log)
}

/** A map with `sql` alone, such as an item of `filters`. None stands for what can't be read. */
export const sqlMap: Reader<SqlSpec> = (value, place, source) => {
  if (!isMap(value)) wrongType(value, place, "a map with 'sql'", source)
  const read = isMap(value) && readMap(value, `'${place.key}' of ${place.of}`, { fields: sqlAlone }, source)
  return read ? read.sql : { parts: [], at: source.at(value) }
}

const sqlAlone = { sql: required(sql) }

const pathPattern = /^[_a-zA-Z]\w*(\.[_a-zA-Z]\w*)*$/

/** `member`, `cube.member` or a longer path; braces around it or around its first name are accepted. */
export const memberPath: Reader<MemberPath> = (value, place, source) => {
  if (!isScalar(value) || typeof value.value !== 'string') return wrongType(value, place, 'a name or a path', source)
  const written = value.value.trim().replace(/^\$?\{([^{}]*)\}/, '$1')
  if (pathPattern.test(written)) return { value: written.split('.'), at: source.at(value) }
  source.log.report(source.at(value), 'path_invalid', { ...place, path: value.value })
  return undefined
}

export function oneOf<const T extends string>(
  allowed: readonly T[],
  options: { synonyms?: Readonly<Record<string, T>> } = {},
): Reader<T> {
  const words = new Map<string, T>(allowed.map(word => [word, word]))
  return (value, place, source) => {
    if (!isScalar(value) || typeof value.value !== 'string') return wrongType(value, place, 'a word', source)
    const written = value.value
    const found = words.get(written)
    if (found) return found
    if (options.synonyms && Object.hasOwn(options.synonyms, written)) return options.synonyms[written]
    source.log.report(source.at(value), 'value_not_allowed', { ...place, value: written, allowed })
    return undefined
  }
}

/** A list, without the items that can't be read. */
export function listOf<T>(read: Reader<T>): Reader<readonly T[]> {
  return (value, place, source) => {
    if (!isList(value)) {
      source.log.report(source.at(value), 'not_array', { kind: place.key, of: place.of })
      return undefined
    }
    const result: T[] = []
    for (const item of value.items) {
      const one = isEmpty(item)
        ? wrongType(value, place, 'a list without empty items', source)
        : read(item, place, source)
      if (one !== undefined) result.push(one)
    }
    return result
  }
}

/** A filter whose values can't be read, for its member to be looked up all the same: with an operator that needs none. */
export const withoutValues = <T extends { readonly operator: Located<string> }>(filter: T): T => ({
  ...filter,
  operator: { value: 'set', at: filter.operator.at },
})

export const literalValues: Reader<readonly (string | null)[]> = (value, place, source) => {
  const items = isList(value) ? value.items : [value]
  const result: (string | null)[] = []
  for (const item of items) {
    if (!isScalar(item)) return wrongType(item, place, 'text, numbers, true, false or null', source)
    result.push(item.value === null ? null : String(item.value))
  }
  return result
}
