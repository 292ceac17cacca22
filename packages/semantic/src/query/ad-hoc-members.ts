import { type SecuredIndex, secureModel } from '../access/secured-index.ts'
import { queryError } from '../messages/query-messages.ts'
import { buildJoinTree, isMultiplied } from '../plan/join-tree.ts'
import type { Member } from '../resolve/model-index.ts'
import type { BoundSql, Cube, Dimension, Measure, Model, Segment, SqlReference, View } from '../shapes/model.ts'
import type { QueryContext } from '../shapes/query.ts'
import type { DimensionType, MeasureType } from '../shapes/vocabulary.ts'
import { findMember } from './find-member.ts'

/** Text of the source's dialect written by Hedron; a dimension or segment, as the caller may see it; or a value of the caller's. */
export type AdHocPart =
  | string
  | { readonly member: string }
  | { readonly type: 'text' | 'number' | 'boolean' | 'timestamp'; readonly value: string }

/** A member that one query defines. `id` is `cube.name` or `view.name` with a name that the source does not have. */
export type AdHocMember = {
  readonly id: string
  readonly sql: readonly AdHocPart[]
} & (
  | { readonly kind: 'dimension'; readonly type: DimensionType }
  | { readonly kind: 'segment' }
  | {
      readonly kind: 'measure'
      readonly type: MeasureType
      /** Rows that count; all where it is empty. */
      readonly filters: readonly (readonly AdHocPart[])[]
    }
)

/**
 * The model with members that only one query has: a dimension, measure or segment calculated from members of one source. They read
 * members masked as they are for the caller. The rights to those and the rows behind them are the query's own to ask for: it has
 * to name each of them, as a time dimension without granularity and range (`mentioned` of the plan) if nowhere else.
 *
 * Times in them are local times of the query's zone.
 *
 * @throws {QueryError} for members that there are not, or not for this caller; `foreign_cubes` for a measure of cubes that repeat
 * each other's rows
 */
export function withAdHocMembers(model: Model, context: QueryContext, members: readonly AdHocMember[]): Model {
  if (members.length === 0) return model
  const index = secureModel(model, context)
  const cubes = new Map<string, Addition>()
  const views = new Map<string, View['members'][number][]>()
  const additionOf = (cube: string): Addition => {
    const known = cubes.get(cube)
    if (known) return known
    const made: Addition = { dimensions: [], measures: [], segments: [] }
    cubes.set(cube, made)
    return made
  }
  for (const member of members) {
    const [sourceName = '', name = ''] = member.id.split('.')
    const owner = ownerOf(index, sourceName, member)
    const read = (parts: readonly AdHocPart[]): BoundSql => ({
      parts: parts.map(part => readPart(index, owner, additionOf, part)),
    })
    const presentation = { name, title: name, description: null, isPublic: true, meta: null, isAdHoc: true } as const
    add(additionOf(owner.cube), member, presentation, read)
    if (index.sources.get(sourceName)?.definition.kind !== 'view') continue
    const added = views.get(sourceName) ?? []
    views.set(sourceName, added)
    const { cube, joinPath } = owner
    added.push({ ...presentation, kind: member.kind, cube, member: name, joinPath, formatting: null })
  }
  return {
    ...model,
    cubes: model.cubes.map(cube => extended(cube, cubes.get(cube.name))),
    views: model.views.map(view => {
      const added = views.get(view.name)
      return added ? { ...view, members: [...view.members, ...added] } : view
    }),
  }
}

interface Addition {
  readonly dimensions: Dimension[]
  readonly measures: Measure[]
  readonly segments: Segment[]
}

function extended(cube: Cube, addition: Addition | undefined): Cube {
  if (!addition) return cube
  return {
    ...cube,
    dimensions: [...cube.dimensions, ...addition.dimensions],
    measures: [...cube.measures, ...addition.measures],
    segments: [...cube.segments, ...addition.segments],
  }
}

/** The cube that a member is calculated in, and the way to it. */
interface Owner {
  readonly cube: string
  readonly joinPath: readonly string[]
}

const referred = (parts: readonly AdHocPart[]) =>
  parts.flatMap(part => (typeof part !== 'string' && 'member' in part ? [part.member] : []))

function ownerOf(index: SecuredIndex, source: string, member: AdHocMember): Owner {
  const ids = referred([...member.sql, ...(member.kind === 'measure' ? member.filters.flat() : [])])
  const members = ids.map(id => findMember(index, id, () => true, 'members'))
  const [first] = members
  const rootCube = first?.joinPath[0] ?? rootOf(index, source)
  if (member.kind !== 'measure' || !first) return { cube: rootCube, joinPath: [rootCube] }
  const owners = [
    ...new Map(members.map(({ cube, joinPath }) => [joinPath.join('.'), { cube: cube.name, joinPath }])).values(),
  ]
  const [only] = owners
  if (only && owners.length === 1) return only
  const tree = buildJoinTree(
    index,
    owners.map(({ joinPath }) => joinPath),
  )
  const found = owners.find(({ cube }) => !isMultiplied(tree, cube))
  if (found) return found
  throw queryError('foreign_cubes', { member: first.id, cubes: owners.map(({ cube }) => cube) })
}

/** Where the rows of a source come from: itself, or the cube at which the join paths of a view begin. */
function rootOf(index: SecuredIndex, name: string): string {
  const source = index.sources.get(name)
  if (source?.definition.kind !== 'view') return name
  const [first] = source.definition.view.members
  return first?.joinPath[0] ?? first?.cube ?? name
}

function readPart(
  index: SecuredIndex,
  owner: Owner,
  additionOf: (cube: string) => Addition,
  part: AdHocPart,
): string | SqlReference {
  if (typeof part === 'string') return part
  if ('type' in part) return { kind: 'constant', type: part.type, value: part.value }
  const member = findMember(index, part.member, ({ definition }) => definition.kind !== 'measure', 'dimensions')
  const { cube, definition } = member
  const through = throughOf(owner, member)
  if (definition.kind === 'segment') return { kind: 'member', cube: cube.name, member: definition.name, through }
  if (definition.kind === 'measure') throw new Error(`'${part.member}' is a measure`)
  const shown = definition.masking ? shownCopy(additionOf(cube.name), definition) : definition.name
  const reference = { kind: 'member', cube: cube.name, member: shown, through } as const
  return definition.type === 'time' ? { kind: 'localTime', sql: { parts: [reference] } } : reference
}

/** From the cube that the member is calculated in where the way leads past it, else from the beginning. */
function throughOf(owner: Owner, { cube, joinPath }: Member): readonly string[] {
  if (cube.name === owner.cube) return []
  const position = joinPath.lastIndexOf(owner.cube)
  return position === -1 ? joinPath : joinPath.slice(position)
}

/** The dimension as the caller sees it, under a name that no author can give. */
function shownCopy({ dimensions }: Addition, definition: Dimension): string {
  const name = `${definition.name} shown ${dimensions.length + 1}`
  dimensions.push({ ...definition, name, isPublic: false, isAdHoc: true })
  return name
}

function add(
  addition: Addition,
  member: AdHocMember,
  presentation: Pick<Dimension, 'name' | 'title' | 'description' | 'isPublic' | 'meta'> & { readonly isAdHoc: true },
  read: (parts: readonly AdHocPart[]) => BoundSql,
): void {
  const formatting = { format: null, formatDescription: null, currency: null }
  if (member.kind === 'segment') {
    addition.segments.push({ ...presentation, kind: 'segment', sql: read(member.sql) })
  } else if (member.kind === 'dimension') {
    addition.dimensions.push({
      ...presentation,
      ...formatting,
      kind: 'dimension',
      type: member.type,
      expression: { kind: 'sql', sql: read(member.sql) },
      isPrimaryKey: false,
      suggestFilterValues: false,
      order: null,
      key: null,
      links: [],
      isSynthetic: false,
      mask: null,
      granularities: [],
      timeShifts: [],
    })
  } else {
    addition.measures.push({
      ...presentation,
      ...formatting,
      kind: 'measure',
      type: member.type,
      sql: member.sql.length > 0 ? read(member.sql) : null,
      filters: member.filters.map(read),
      drillFilters: [],
      mask: null,
      isCumulative: false,
      window: null,
      stage: null,
      drillMembers: [],
    })
  }
}
