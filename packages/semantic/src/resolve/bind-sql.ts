import type { BoundSql, SqlReference } from '../shapes/model.ts'
import type { Position } from '../shapes/source.ts'
import type { DimensionSpec, ReferenceSpec, SqlSpec } from '../shapes/tree.ts'
import { timeUnits } from '../shapes/vocabulary.ts'
import { bindContext } from './bind-context.ts'
import { type MemberSpec, mayBeJoined, type Names } from './names.ts'

/**
 * Where SQL stands. `row` is evaluated for each row, `aggregate` is the input of an aggregation, `measure` calculates
 * with measures, `stage` with measures and dimensions of an earlier stage, `source` is a cube's own query.
 */
export interface SqlPlace {
  readonly cube: string
  readonly of: string
  readonly level: 'row' | 'aggregate' | 'measure' | 'stage' | 'source'
  /** The measure's type, for messages. */
  readonly type?: string
}

/** Binds every reference of one piece of SQL. A reference that can't be bound is reported and left out. */
export function bindSql(sql: SqlSpec, place: SqlPlace, names: Names): BoundSql {
  const first = sql.parts[0]
  if (sql.parts.length === 1 && typeof first === 'string') {
    if (place.level === 'stage' && /^[_a-zA-Z]\w*$/.test(first)) {
      names.log.report(sql.at, 'stage_column', { of: place.of, column: first })
    }
    return { parts: [first] }
  }
  const parts: (string | SqlReference)[] = []
  let position = 0
  for (const part of sql.parts) {
    position += 1
    if (typeof part === 'string') {
      parts.push(part)
      continue
    }
    const next = sql.parts[position]
    if (part.kind !== 'reference' && place.level === 'stage') {
      names.log.report(part.at, 'stage_column', { of: place.of, column: 'a context variable' })
      continue
    }
    const bound =
      part.kind === 'reference'
        ? bindReference(part, place, names, typeof next === 'string' && next.startsWith('.'))
        : bindContext(part, sql => bindSql(sql, contextPlace(place), names), place.cube, names)
    if (bound) parts.push(bound)
  }
  return { parts }
}

/** What is filtered are rows, whatever stands around it. */
const contextPlace = (place: SqlPlace): SqlPlace => (place.level === 'source' ? place : { ...place, level: 'row' })

/** @param hasColumn a column's name follows, so that a table must be meant */
function bindReference(
  reference: ReferenceSpec,
  place: SqlPlace,
  names: Names,
  hasColumn: boolean,
): SqlReference | null {
  const { cube, rest, through } = walkPath(reference.path, place.cube, names, hasColumn)
  if (reference.call === 'sql') {
    if (place.level !== 'source') {
      names.log.report(reference.at, 'source_in_member', { of: place.of, cube: reference.path.join('.') })
      return null
    }
    if (rest.length === 0 && cube !== place.cube) return { kind: 'source', cube }
    return unresolved(reference, cube, rest, names)
  }
  if (place.level === 'source') {
    names.log.report(reference.at, 'member_in_source', { of: place.of, reference: reference.path.join('.') })
    return null
  }
  if (names.isIncomplete(cube, rest[0])) return null
  if (!checkPath(through, reference, names)) return null
  const member = rest[0]
  const granularity = rest[1]
  if (member === undefined && place.level === 'stage') {
    names.log.report(reference.at, 'stage_column', { of: place.of, column: `{${reference.path.join('.')}}` })
    return null
  }
  if (member === undefined) return { kind: 'table', cube, through }
  const found = names.membersOf(cube)?.get(member)
  if (!found || found.kind === 'hierarchy' || rest.length > 2) return unresolved(reference, cube, rest, names)
  if (!isAllowed(found, `${cube}.${member}`, place, reference.at, names)) return null
  if (granularity !== undefined) return bindGranularity(reference, found, cube, granularity, through, names)
  return { kind: 'member', cube, member, through }
}

interface WalkedPath {
  readonly cube: string
  readonly rest: readonly string[]
  readonly through: readonly string[]
}

const nothing: readonly string[] = []

/** Follows cube names from the left. A cube's own member hides a cube of the same name, unless a table must be meant. */
export function walkPath(path: readonly string[], own: string, names: Names, isTable = false): WalkedPath {
  const first = path[0] ?? ''
  const isCube = (name: string) => names.membersOf(name) !== undefined || names.isIncomplete(name)
  const isOwnMember = path.length === 1 && names.membersOf(own)?.has(first) && !(isTable && isCube(first))
  if (isOwnMember) return { cube: own, rest: path, through: nothing }
  // The commonest of all.
  if (path.length === 1 && first === 'CUBE' && isCube(own)) return { cube: own, rest: nothing, through: nothing }
  const expanded = first === 'CUBE' ? [own, ...path.slice(1)] : path
  let count = 0
  while (count < expanded.length && isCube(expanded[count] ?? '')) {
    // The last name of a longer path is a member if the cube before it has one of that name.
    const before = expanded[count - 1]
    if (before !== undefined && count === expanded.length - 1) {
      if (names.membersOf(before)?.has(expanded[count] ?? '')) break
    }
    count += 1
  }
  const cubes = expanded.slice(0, count)
  const through = cubes[0] === own ? cubes.slice(1) : cubes
  return { cube: cubes.at(-1) ?? own, rest: expanded.slice(count), through }
}

/** Whether each step of a written path can be joined. */
function checkPath(through: readonly string[], { path, at }: ReferenceSpec, names: Names): boolean {
  if (through.length < 2) return true
  for (const [index, to] of through.entries()) {
    const from = through[index - 1]
    if (from === undefined || names.joins.isJoined(from, to) || mayBeJoined(from, to, names)) continue
    names.log.report(at, 'reference_path', { path: path.join('.'), from, to })
    return false
  }
  return true
}

function unresolved(reference: ReferenceSpec, cube: string, rest: readonly string[], names: Names): null {
  const [first = ''] = reference.path
  if (names.isIncomplete(cube, rest[0]) || (rest[0] === first && names.mayBeCube(first))) return null
  const known = [...(names.membersOf(cube)?.keys() ?? []), ...(reference.path.length === 1 ? names.cubeNames() : [])]
  names.log.report(reference.at, 'unresolved', { cube, name: rest.join('.') || `${cube}.sql()`, known })
  return null
}

function bindGranularity(
  reference: ReferenceSpec,
  found: MemberSpec,
  cube: string,
  granularity: string,
  through: readonly string[],
  names: Names,
): SqlReference | null {
  const member = found.spec.name.value
  const known = found.kind === 'dimension' ? granularityNames(found.spec) : []
  if (found.kind !== 'dimension' || found.spec.type !== 'time') {
    return unresolved(reference, cube, [member, granularity], names)
  }
  if (!known.includes(granularity)) {
    names.log.report(reference.at, 'granularity_missing', { dimension: `${cube}.${member}`, name: granularity, known })
    return null
  }
  return { kind: 'granularity', cube, member, granularity, through }
}

/** The names of all granularities that a time dimension has. */
export const granularityNames = (dimension: DimensionSpec): string[] => [
  ...timeUnits,
  ...dimension.granularities.map(({ name }) => name.value),
]

function isAllowed(found: MemberSpec, measure: string, place: SqlPlace, at: Position, names: Names): boolean {
  if (found.kind === 'dimension' && found.spec.stage && place.level !== 'stage') {
    names.log.report(at, 'stage_in_sql', { of: place.of, dimension: measure })
    return false
  }
  if (found.kind === 'dimension' && found.spec.type === 'switch' && place.level !== 'stage') {
    names.log.report(at, 'switch_in_sql', { of: place.of, dimension: measure })
    return false
  }
  if (found.kind !== 'measure' || place.level === 'measure' || place.level === 'stage') return true
  if (place.level === 'aggregate') {
    names.log.report(at, 'measure_in_aggregate', { of: place.of, measure, type: place.type ?? '' })
  } else {
    names.log.report(at, 'measure_in_row_sql', { of: place.of, measure })
  }
  return false
}

/** Authors end statements with a semicolon, which nothing may follow. */
export function withoutEnd({ parts }: BoundSql): BoundSql {
  const last = parts.at(-1)
  return typeof last === 'string' ? { parts: [...parts.slice(0, -1), last.replace(/[\s;]+$/, '')] } : { parts }
}
