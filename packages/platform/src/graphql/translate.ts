import type { FieldNode } from 'graphql'
import { collectFields, type SelectedField } from './collect-fields.ts'
import { problem } from './document-problem.ts'
import type { NamedCube, NamedMember } from './names.ts'
import type { ReadDocument } from './read-document.ts'
import { readValue } from './read-value.ts'
import type { RowShape } from './row-shape.ts'
import { cubeFilters, type FilterJson, rootFilters } from './where-filters.ts'

/** One `cube` field as the data API's query, and how its rows become the answer. */
export interface CubeQuery {
  readonly key: string
  readonly query: Readonly<Record<string, unknown>>
  readonly cache: string | undefined
  readonly shape: readonly RowShape[]
}

type DateRange = string | readonly (string | null)[]

/** Translates a `cube` field. @throws {DocumentProblem} where its parts contradict each other */
export function translateCube(
  field: SelectedField,
  document: ReadDocument,
  cubes: ReadonlyMap<string, NamedCube>,
): CubeQuery {
  const given = argumentsOf(field.node, document)
  const selected = collectFields(field.selectionSets, document).map(each => ({ ...each, cube: cubes.get(each.name) }))
  const measures = new Set<string>()
  const dimensions = new Set<string>()
  const periods = new Map<string, Set<string>>()
  const order = Object.entries(given.orderBy ?? {}).flatMap(([name, members]) => orderOf(cubes.get(name), members))
  const filters: FilterJson[] = []
  const ordered = new Set<string>()

  const shape = selected.map(({ key, name, node, selectionSets, cube }): RowShape => {
    if (!cube) return { key, constant: 'Result' }
    const { where, orderBy } = argumentsOf(node, document)
    if (selected.filter(each => each.name === name).length > 1 && where !== undefined && where !== null) {
      throw problem(
        `${name} is selected twice in one \`cube\`, whose conditions all hold together. Write a \`cube\` field for each condition.`,
      )
    }
    filters.push(...cubeFilters(where ?? {}, cube))
    order.push(...orderOf(cube, orderBy))
    const members = collectFields(selectionSets, document)
    return { key, fields: members.map(member => selectMember(member, cube)) }
  })
  filters.push(...rootFilters(given.where ?? {}, cubes))
  for (const [id] of order) {
    if (ordered.has(id)) throw problem(`The order names ${id} twice.`)
    ordered.add(id)
  }

  const { ranges, rest } = takeDateRanges(filters)
  const timeDimensions = [...new Set([...periods.keys(), ...ranges.keys()])].flatMap(dimension => {
    const dateRange = ranges.get(dimension)
    const range = dateRange === undefined ? {} : { dateRange }
    const granularities = [...(periods.get(dimension) ?? [])]
    if (granularities.length === 0) return [{ dimension, ...range }]
    return granularities.map(granularity => ({ dimension, granularity, ...range }))
  })
  return {
    key: field.key,
    shape,
    cache: typeof given.cache === 'string' ? given.cache : undefined,
    query: {
      ...(measures.size > 0 ? { measures: [...measures] } : {}),
      ...(dimensions.size > 0 ? { dimensions: [...dimensions] } : {}),
      ...(timeDimensions.length > 0 ? { timeDimensions } : {}),
      ...(order.length > 0 ? { order } : {}),
      ...(rest.length > 0 ? { filters: rest } : {}),
      ...present('limit', numberOf(given.limit)),
      ...present('offset', numberOf(given.offset)),
      ...present('timezone', given.timezone),
      ...present('renewQuery', given.renewQuery),
      ...present('ungrouped', given.ungrouped),
    },
  }

  function selectMember(selection: SelectedField, cube: NamedCube): RowShape {
    const { key, name } = selection
    const member = cube.members.find(({ field }) => field === name)
    if (!member) return { key, constant: `${cube.typeName}Members` }
    const { id, kind, type } = member
    const add = () => (kind === 'measure' ? measures : dimensions).add(id)
    if (type !== 'time') {
      add()
      return { key, column: id, type }
    }
    const parts = collectFields(selection.selectionSets, document)
    return { key, fields: parts.map(part => selectPeriod(part, member, cube, add)) }
  }

  function selectPeriod({ key, name }: SelectedField, member: NamedMember, cube: NamedCube, add: () => void): RowShape {
    const { id, kind, granularities } = member
    if (name === '__typename') {
      const own = granularities.length > 0 ? `${cube.typeName}_${member.field}_Time` : 'TimeDimension'
      return { key, constant: kind === 'measure' ? 'TimeMeasure' : own }
    }
    if (name === 'value') {
      add()
      return { key, column: id, type: 'time' }
    }
    const known = periods.get(id) ?? new Set<string>()
    periods.set(id, known.add(name))
    return { key, column: `${id}.${name}`, type: 'period' }
  }
}

/** Arguments as they were written. */
function argumentsOf({ arguments: given = [] }: FieldNode, { inputs }: ReadDocument): Record<string, unknown> {
  return Object.fromEntries(given.map(({ name, value }) => [name.value, readValue(value, inputs)]))
}

function orderOf(cube: NamedCube | undefined, members: unknown): [id: string, direction: unknown][] {
  if (typeof members !== 'object' || members === null) return []
  return Object.entries(members).flatMap(([name, direction]) => {
    const id = cube?.members.find(({ field }) => field === name)?.id
    return id === undefined || direction === null ? [] : [[id, direction]]
  })
}

/** The first range of dates of each dimension that holds for the whole query goes to the time dimensions, where rollups see it. */
function takeDateRanges(filters: readonly FilterJson[]) {
  const ranges = new Map<string, DateRange>()
  const rest = filters.filter(filter => {
    if (!('member' in filter) || filter.operator !== 'inDateRange' || ranges.has(filter.member)) return true
    const { member, values = [] } = filter
    const [first] = values
    const isRelative = values.length === 1 && typeof first === 'string' && !/^\d{4}-\d{2}-\d{2}/.test(first)
    ranges.set(member, isRelative ? first : values)
    return false
  })
  return { ranges, rest }
}

const numberOf = (value: unknown) => (typeof value === 'string' ? Number(value) : value)

const present = (name: string, value: unknown) => (value === undefined || value === null ? {} : { [name]: value })
