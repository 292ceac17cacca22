import { oncePerObject } from '../once-per-object.ts'
import type { AccessPolicy } from '../shapes/access.ts'
import type {
  Cube,
  Dimension,
  Formatting,
  Granularity,
  Join,
  Measure,
  Model,
  Presentation,
  Segment,
  View,
  ViewGroup,
} from '../shapes/model.ts'
import { defaultGranularities } from './granularities.ts'
import { createJoinGraph, type JoinGraph } from './join-graph.ts'

interface MemberBase<D> {
  /** As queries name it: `cube.member` or `view.member`. */
  readonly id: string
  readonly presentation: Presentation
  readonly formatting: Formatting | null
  /** Where it is defined. */
  readonly cube: Cube
  readonly definition: D
  /** From the view's root to the cube; the cube alone for its own member. */
  readonly joinPath: readonly string[]
  readonly isVisible: boolean
  /** Of a member inside of another one that is computed in stages; a query's own members have none. */
  readonly referral?: Referral
}

/** How a member that others refer to is joined, beside its own `joinPath`. */
export interface Referral {
  /** Whether its joins may begin anywhere: so may those of the query's member that it is inside of. */
  readonly isFree: boolean
  /** Where they may: the join paths of those that refer to it and that its own does not go on from, outermost first. */
  readonly beside: readonly (readonly string[])[]
}

export type DimensionMember = MemberBase<Dimension>
export type MeasureMember = MemberBase<Measure>
export type SegmentMember = MemberBase<Segment>
export type Member = DimensionMember | MeasureMember | SegmentMember

/** A cube or a view, as something that can be queried. */
export interface Source {
  readonly name: string
  readonly title: string
  readonly definition: { readonly kind: 'cube'; readonly cube: Cube } | { readonly kind: 'view'; readonly view: View }
  readonly members: ReadonlyMap<string, Member>
}

/** A model with everything findable in one step. */
export interface ModelIndex {
  readonly sources: ReadonlyMap<string, Source>
  readonly graph: JoinGraph<Join>
  /** The groups to which a view itself belongs, by its name. */
  readonly viewGroups: ReadonlyMap<string, readonly string[]>
  cube(name: string): Cube
  member(cube: string, name: string): Dimension | Measure | Segment
  /** The member of that id, as it is defined. */
  find(id: string): FoundMember | undefined
  /** Whether a view has default filters. */
  readonly hasDefaultFilters: boolean
  /** Whether a cube or view has policies: without, nothing depends on who asks, and no member is masked. */
  readonly hasPolicies: boolean
}

export interface FoundMember {
  readonly member: Member
  readonly source: Source
  /** Whether neither its source nor its cube has policies, so that everybody is shown it as it is. */
  readonly isOpen: boolean
}

/** Indexes a model. The work is done once for each model object and kept for as long as that object lives. */
export const indexModel = oncePerObject((model: Model): ModelIndex => {
  const cubes = new Map(model.cubes.map(cube => [cube.name, cube]))
  const sources = new Map<string, Source>()
  for (const cube of model.cubes) sources.set(cube.name, cubeSource(cube))
  const definition = (cube: string, name: string) => {
    const member = sources.get(cube)?.members.get(name)
    if (!member) throw new Error(`The model has no member '${cube}.${name}'`)
    return member
  }
  for (const view of model.views) sources.set(view.name, viewSource(view, definition))
  const found = new Map<string, FoundMember>()
  const lookUp = (id: string): FoundMember | undefined => {
    const end = id.indexOf('.')
    const source = sources.get(id.slice(0, end))
    const member = source?.members.get(id.slice(end + 1))
    if (!source || !member) return undefined
    const isOpen = policiesOf(source).length === 0 && member.cube.accessPolicies.length === 0
    const result = { member, source, isOpen }
    // Never more than there are members.
    found.set(member.id, result)
    return result
  }
  const edges = model.cubes.flatMap(({ name, joins }) =>
    joins.map(join => ({ from: name, to: join.target, relationship: join.relationship, join })),
  )
  return {
    sources,
    graph: createJoinGraph(edges),
    viewGroups: groupsOfViews(model.viewGroups),
    cube(name) {
      const cube = cubes.get(name)
      if (!cube) throw new Error(`The model has no cube '${name}'`)
      return cube
    },
    member: (cube, name) => definition(cube, name).definition,
    find: id => found.get(id) ?? lookUp(id),
    hasDefaultFilters: model.views.some(({ defaultFilters }) => defaultFilters.length > 0),
    hasPolicies: [...model.cubes, ...model.views].some(({ accessPolicies }) => accessPolicies.length > 0),
  }
})

export const policiesOf = ({ definition }: Source): readonly AccessPolicy[] =>
  definition.kind === 'cube' ? definition.cube.accessPolicies : definition.view.accessPolicies

function groupsOfViews(groups: readonly ViewGroup[]): Map<string, readonly string[]> {
  const found = new Map<string, readonly string[]>()
  const visit = ({ name, includes }: ViewGroup): void => {
    for (const item of includes) {
      if (typeof item === 'string') found.set(item, [...(found.get(item) ?? []), name])
      else visit(item)
    }
  }
  for (const group of groups) visit(group)
  return found
}

const cubeSource = oncePerObject((cube: Cube) =>
  createSource({ name: cube.name, title: cube.title, definition: { kind: 'cube', cube } }, () => {
    const members = new Map<string, Member>()
    const joinPath = [cube.name]
    for (const measure of cube.measures) members.set(measure.name, cubeMember(cube, measure, measure, joinPath))
    for (const dimension of cube.dimensions) {
      members.set(dimension.name, cubeMember(cube, dimension, dimension, joinPath))
    }
    for (const segment of cube.segments) members.set(segment.name, cubeMember(cube, segment, null, joinPath))
    return members
  }),
)

const createSource = (source: Omit<Source, 'members'>, list: () => ReadonlyMap<string, Member>): Source =>
  new LazySource(source, list)

/**
 * A source whose members are listed when they are first asked for: most queries of a large model are about few. A class, since an
 * accessor in an object literal gives each object a shape of its own, and code that meets many shapes is slow.
 */
class LazySource implements Source {
  readonly name: string
  readonly title: string
  readonly definition: Source['definition']
  readonly #list: () => ReadonlyMap<string, Member>
  #members: ReadonlyMap<string, Member> | undefined

  constructor({ name, title, definition }: Omit<Source, 'members'>, list: () => ReadonlyMap<string, Member>) {
    this.name = name
    this.title = title
    this.definition = definition
    this.#list = list
  }

  get members(): ReadonlyMap<string, Member> {
    this.#members ??= this.#list()
    return this.#members
  }
}

function cubeMember<D extends Presentation>(
  cube: Cube,
  definition: D,
  formatting: Formatting | null,
  joinPath: readonly string[],
): MemberBase<D> {
  return {
    id: `${cube.name}.${definition.name}`,
    presentation: definition,
    formatting,
    cube,
    definition,
    joinPath,
    isVisible: cube.isPublic && definition.isPublic,
  }
}

function viewSource(view: View, find: (cube: string, member: string) => Member): Source {
  const { name, title } = view
  return createSource({ name, title, definition: { kind: 'view', view } }, () => viewMembers(view, find))
}

function viewMembers(view: View, find: (cube: string, member: string) => Member): ReadonlyMap<string, Member> {
  const members = new Map<string, Member>()
  for (const included of view.members) {
    const target = find(included.cube, included.member)
    members.set(included.name, {
      ...target,
      id: `${view.name}.${included.name}`,
      presentation: included,
      formatting: included.formatting ?? target.formatting,
      joinPath: included.joinPath,
      isVisible: view.isPublic && included.isPublic,
    })
  }
  return members
}

export const isDimension = (member: Member): member is DimensionMember => member.definition.kind === 'dimension'
export const isMeasure = (member: Member): member is MeasureMember => member.definition.kind === 'measure'
export const isSegment = (member: Member): member is SegmentMember => member.definition.kind === 'segment'

/** The granularity of that name, own ones before the default ones. */
export function findGranularity(dimension: Dimension, name: string): Granularity | undefined {
  const isIt = (granularity: Granularity) => granularity.name === name
  return dimension.granularities.find(isIt) ?? defaultGranularities.find(isIt)
}

export function granularitiesOf(dimension: Dimension): readonly Granularity[] {
  return [...dimension.granularities, ...defaultGranularities]
}
