import { isDeepStrictEqual } from 'node:util'

/** Where two descriptions of a model differ: `cube.member.property` with both values. */
export interface MetaDifference {
  readonly at: string
  readonly ours: unknown
  readonly theirs: unknown
}

/** Compares the cubes of two `/v1/meta` answers, by the names of cubes and members. */
export function compareMeta(ours: readonly unknown[], theirs: readonly unknown[]): MetaDifference[] {
  return differences('', byName(plain(ours)), byName(plain(theirs)))
}

/** As JSON: what is undefined is absent. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

/** Lists of named things as maps, so that a difference has a name; their order is compared too. */
function byName(value: unknown): unknown {
  if (!Array.isArray(value)) {
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, byName(inner)]))
  }
  if (value.length === 0 || !value.every(isNamed)) return value.map(byName)
  return {
    order: value.map(({ name }) => name),
    ...Object.fromEntries(value.map(item => [lastPart(item.name), byName(item)])),
  }
}

const isNamed = (value: unknown): value is { readonly name: string } =>
  typeof value === 'object' && value !== null && typeof Reflect.get(value, 'name') === 'string'

const lastPart = (name: string) => name.slice(name.lastIndexOf('.') + 1)

function differences(at: string, ours: unknown, theirs: unknown): MetaDifference[] {
  if (isDeepStrictEqual(ours, theirs)) return []
  if (!isMap(ours) || !isMap(theirs)) return [{ at, ours, theirs }]
  const keys = new Set([...Object.keys(ours), ...Object.keys(theirs)])
  return [...keys].flatMap(key => differences(at === '' ? key : `${at}.${key}`, ours[key], theirs[key]))
}

const isMap = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
