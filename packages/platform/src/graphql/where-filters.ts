import { problem } from './document-problem.ts'
import { groupWords, type NamedCube, type NamedMember } from './names.ts'

/** A filter of a data-API query. */
export type FilterJson =
  | { readonly member: string; readonly operator: string; readonly values?: readonly (string | null)[] }
  | { readonly and: readonly FilterJson[] }
  | { readonly or: readonly FilterJson[] }

/** The filters of a `where` of the whole query. @throws {DocumentProblem} for a condition that says nothing */
export function rootFilters(where: unknown, cubes: ReadonlyMap<string, NamedCube>): FilterJson[] {
  return entriesOf(where).flatMap(([key, value]) => {
    if (groupWords.has(key)) return [group(key, value, item => rootFilters(item, cubes))]
    const cube = cubes.get(key)
    if (!cube) throw new Error(`a condition on ${key} is valid and names no cube`)
    if (value === null) throw sayNothing(key)
    return cubeFilters(value, cube)
  })
}

/** The filters of a cube's `where`. */
export function cubeFilters(where: unknown, cube: NamedCube): FilterJson[] {
  const entries = entriesOf(where)
  const filters = entries.flatMap(([key, value]) => {
    if (groupWords.has(key)) return [group(key, value, item => cubeFilters(item, cube))]
    const member = cube.members.find(({ field }) => field === key)
    if (!member) throw new Error(`a condition on ${cube.name}.${key} is valid and names no member`)
    if (value === null) throw sayNothing(member.id)
    return entriesOf(value).map(([operator, operand]) => memberFilter(member, operator, operand))
  })
  // Beside a group, conditions belong together wherever the whole of them stands.
  const isJoined = entries.length > 1 && entries.some(([key]) => groupWords.has(key))
  return isJoined ? [{ and: filters }] : filters
}

function group(word: string, items: unknown, read: (item: unknown) => FilterJson[]): FilterJson {
  if (items === null) throw sayNothing(word)
  const filters = listOf(items).flatMap(read)
  if (filters.length === 0) throw problem(`${word} holds no condition. Leave it out, or give it one.`)
  return word === 'OR' ? { or: filters } : { and: filters }
}

function memberFilter({ id }: NamedMember, operator: string, operand: unknown): FilterJson {
  if (operator === 'set') {
    if (operand === null) throw sayNothing(`${id}: ${operator}`)
    return { member: id, operator: operand === true ? 'set' : 'notSet' }
  }
  const isEquality = operator === 'equals' || operator === 'notEquals'
  if (operand === null && !isEquality) throw sayNothing(`${id}: ${operator}`)
  return { member: id, operator: operators[operator] ?? operator, values: listOf(operand).map(textOf) }
}

/** Operators that queries know by another name. */
const operators: Readonly<Record<string, string>> = { in: 'equals', notIn: 'notEquals' }

const textOf = (value: unknown): string | null => (value === null ? null : String(value))

/** GraphQL takes one value where a list is wanted. */
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value])

const entriesOf = (value: unknown): [string, unknown][] =>
  typeof value === 'object' && value !== null ? Object.entries(value) : []

const sayNothing = (what: string) =>
  problem(`The condition ${what} is null, which neither holds nor fails. Leave it out, or use set: false.`)
