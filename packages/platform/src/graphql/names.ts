import type { MetaCube } from '@hedron/semantic'

/** A measure or dimension under the name that GraphQL knows it by. */
export interface NamedMember {
  /** `orders.count`. */
  readonly id: string
  readonly field: string
  readonly kind: 'measure' | 'dimension'
  readonly type: 'string' | 'number' | 'time'
  readonly description: string | undefined
  /** Names of granularities beside the usual ones. */
  readonly granularities: readonly string[]
}

export interface NamedCube {
  readonly name: string
  /** Its field below `cube`. */
  readonly field: string
  /** What the names of its types begin with. */
  readonly typeName: string
  readonly description: string | undefined
  readonly members: readonly NamedMember[]
}

export interface NamedModel {
  readonly cubes: readonly NamedCube[]
  /** What GraphQL has no name for, in sentences. */
  readonly omitted: readonly string[]
}

/** Names of types that every schema has. */
const ownTypes = [
  'Query',
  'Result',
  'TimeDimension',
  'TimeMeasure',
  'DateTime',
  'OrderBy',
  'FloatFilter',
  'StringFilter',
  'DateTimeFilter',
  'RootWhereInput',
  'RootOrderByInput',
]

/** Words of the filter language, which no cube or member can be filtered under. */
export const groupWords: ReadonlySet<string> = new Set(['AND', 'OR'])

/** GraphQL names are ASCII, and those with two underscores are its own. */
const isSpellable = (name: string) => /^(?!__)[A-Za-z_]\w*$/.test(name)

/**
 * Names what a caller sees of a model (contract/behaviour/query.md section 8): a cube `Orders` or `orders` is the field
 * `orders`, with types `OrdersMembers` and so on. Where two cubes would have one name, the second keeps its own spelling.
 */
export function nameModel(described: readonly MetaCube[]): NamedModel {
  const omitted: string[] = []
  const members = new Map(described.map(cube => [cube, nameMembers(cube, omitted)]))
  const cubes = described.filter(cube => {
    const reason = isSpellable(cube.name) ? (members.get(cube)?.length ? null : hasNothing) : notSpellable
    if (reason !== null) omitted.push(`${cube.name}: ${reason}`)
    return reason === null
  })
  const fields = chooseNames(cubes, groupWords, ({ name }) => [unCapitalize(name), name])
  const typeNames = chooseNames(cubes, reservedTypeNames(), ({ name }) => [camelize(name), name])
  const named = cubes.map(cube => ({
    name: cube.name,
    field: fields.get(cube) ?? cube.name,
    typeName: typeNames.get(cube) ?? cube.name,
    description: cube.description,
    members: members.get(cube) ?? [],
  }))
  return { cubes: named, omitted }
}

function nameMembers({ measures, dimensions }: MetaCube, omitted: string[]): NamedMember[] {
  const named = [
    ...measures.map(measure => nameMember(measure, 'measure')),
    ...dimensions.map(dimension => nameMember(dimension, 'dimension')),
  ]
  return named.filter(({ id, field }) => {
    if (!isSpellable(field)) omitted.push(`${id}: ${notSpellable}`)
    else if (groupWords.has(field)) omitted.push(`${id} in filters: ${field} joins conditions there`)
    return isSpellable(field)
  })
}

const notSpellable = 'GraphQL cannot spell its name'
const hasNothing = 'it has neither measures nor dimensions to show'

function nameMember(
  member: MetaCube['measures'][number] | MetaCube['dimensions'][number],
  kind: NamedMember['kind'],
): NamedMember {
  const granularities = 'granularities' in member ? (member.granularities ?? []) : []
  return {
    id: member.name,
    field: member.name.slice(member.name.indexOf('.') + 1),
    kind,
    type: member.type === 'number' || member.type === 'time' ? member.type : 'string',
    description: member.description,
    granularities: granularities.map(({ name }) => name).filter(isSpellable),
  }
}

/** A name for each cube, none twice: whoever is spelt exactly so has it, then the first one that asks. */
function chooseNames(
  cubes: readonly MetaCube[],
  reserved: ReadonlySet<string>,
  candidates: (cube: MetaCube) => readonly [wanted: string, own: string],
): Map<MetaCube, string> {
  const chosen = new Map<MetaCube, string>()
  const taken = new Set(reserved)
  const exact = cubes.filter(cube => candidates(cube)[0] === cube.name)
  for (const cube of [...exact, ...cubes]) {
    if (chosen.has(cube)) continue
    const [wanted, own] = candidates(cube)
    let name = taken.has(wanted) ? own : wanted
    while (taken.has(name)) name += '_'
    taken.add(name)
    chosen.set(cube, name)
  }
  return chosen
}

/** A type name is taken for a cube where one of the types made from it is one of every schema. */
function reservedTypeNames(): ReadonlySet<string> {
  return new Set(ownTypes.map(name => name.replace(/(Members|WhereInput|OrderByInput)$/, '')))
}

const unCapitalize = (name: string) => name.charAt(0).toLowerCase() + name.slice(1)

const capitalize = (name: string) => name.charAt(0).toUpperCase() + name.slice(1)

/** `order_items` becomes `OrderItems`. */
const camelize = (name: string) =>
  name
    .split('_')
    .map((part, index) => capitalize(index === 0 ? part : part.toLowerCase()))
    .join('')
