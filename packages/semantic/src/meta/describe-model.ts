import { findShown, type SecuredIndex, secureModel, shownSource } from '../access/secured-index.ts'
import {
  type DimensionMember,
  isDimension,
  isMeasure,
  isSegment,
  type MeasureMember,
  type Member,
  type Source,
} from '../resolve/model-index.ts'
import type {
  MetaCube,
  MetaDimension,
  MetaHierarchy,
  MetaMeasure,
  MetaMember,
  MetaNestedFolder,
} from '../shapes/meta.ts'
import type { Folder, Hierarchy, Model } from '../shapes/model.ts'
import type { QueryContext } from '../shapes/query.ts'
import { flatFolders, nestedFolders } from './describe-folders.ts'
import {
  aggregationType,
  aliasMember,
  dimensionValueType,
  drillMembers,
  isCumulative,
  keyMember,
  measureValueType,
  metaFormatting,
  metaGranularity,
  metaLink,
  present,
} from './present-member.ts'

/**
 * The cubes of `/v1/meta`: cubes first, then views, each in the order of the files (data-model.md, last paragraph).
 *
 * @param context who asks; what policies hide from him is left out, whatever else is asked for
 * @param options.includeHidden also what is not public; without it, hidden members and cubes without members are left out
 * @param options.nestedFoldersDelimiter between the names of folders inside each other, where tools get one level of them
 */
export function describeModel(
  model: Model,
  context: QueryContext,
  options: { includeHidden?: boolean; nestedFoldersDelimiter?: string } = {},
): MetaCube[] {
  const index = secureModel(model, context)
  const sources = [...index.sources.values()].flatMap(source => shownSource(index, source) ?? [])
  const described = sources.map(source => describeSource(index, source, options.nestedFoldersDelimiter ?? ''))
  return options.includeHidden ? described : described.map(withoutHidden).filter(hasMembers)
}

function describeSource(index: SecuredIndex, source: Source, foldersDelimiter: string): MetaCube {
  const { definition } = source
  const groups = index.viewGroups.get(source.name) ?? []
  const presentation = definition.kind === 'cube' ? definition.cube : definition.view
  const members = [...source.members.values()]
  const find = (id: string) => findShown(index, id)
  const folders = definition.kind === 'view' ? shownFolders(definition.view.folders, source) : []
  const hierarchies = definition.kind === 'cube' ? definition.cube.hierarchies : definition.view.hierarchies
  return {
    name: source.name,
    type: definition.kind,
    title: presentation.title,
    ...present({ description: presentation.description, meta: presentation.meta }),
    isVisible: presentation.isPublic,
    public: presentation.isPublic,
    ...(groups.length > 0 ? { viewGroups: groups } : {}),
    connectedComponent:
      definition.kind === 'cube' ? definition.cube.connectedComponent : (members[0]?.cube.connectedComponent ?? 0),
    measures: members.filter(isMeasure).map(member => describeMeasure(member, source, find)),
    dimensions: members.filter(isDimension).map(member => describeDimension(member, source)),
    segments: members
      .filter(isSegment)
      .map(member => ({ ...describeMember(member, source), ...aliasMember(member, source) })),
    hierarchies: hierarchies.flatMap(hierarchy => {
      const levels = hierarchy.levels.filter(level => find(level) !== undefined)
      return levels.length > 0 ? [describeHierarchy({ ...hierarchy, levels }, source.name)] : []
    }),
    folders: definition.kind === 'view' ? flatFolders({ ...definition.view, folders }, foldersDelimiter) : [],
    nestedFolders: definition.kind === 'view' ? nestedFolders({ ...definition.view, folders }) : [],
  }
}

export function describeMember({ id, presentation, isVisible }: Member, source: Source): MetaMember {
  return {
    name: id,
    title: `${source.title} ${presentation.title}`,
    shortTitle: presentation.title,
    ...present({ description: presentation.description, meta: presentation.meta }),
    isVisible,
    public: isVisible,
  }
}

function describeMeasure(member: MeasureMember, source: Source, find: (id: string) => Member | undefined): MetaMeasure {
  return {
    ...describeMember(member, source),
    ...metaFormatting(member),
    type: measureValueType(member.definition),
    aggType: aggregationType(member.definition),
    cumulative: isCumulative(member.definition),
    cumulativeTotal: isCumulative(member.definition),
    ...drillMembers(member, source, find),
    ...aliasMember(member, source),
  }
}

function describeDimension(member: DimensionMember, source: Source): MetaDimension {
  const { definition } = member
  return {
    ...describeMember(member, source),
    ...metaFormatting(member),
    type: dimensionValueType(definition),
    suggestFilterValues: definition.suggestFilterValues,
    primaryKey: source.definition.kind === 'cube' && definition.isPrimaryKey,
    ...aliasMember(member, source),
    ...present({ order: definition.order }),
    ...keyMember(member, source),
    ...(definition.links.length > 0 ? { links: definition.links.map(metaLink) } : {}),
    ...(definition.isSynthetic ? { synthetic: true } : {}),
    ...(definition.granularities.length > 0 ? { granularities: definition.granularities.map(metaGranularity) } : {}),
  }
}

function describeHierarchy(hierarchy: Hierarchy & { readonly aliasMember?: string }, source: string): MetaHierarchy {
  return {
    name: `${source}.${hierarchy.name}`,
    title: hierarchy.title,
    levels: hierarchy.levels,
    public: hierarchy.isPublic,
    isVisible: hierarchy.isPublic,
    aliasMember: hierarchy.aliasMember ?? `${source}.${hierarchy.name}`,
  }
}

/** Folders with the members that the source has. */
const shownFolders = (folders: readonly Folder[], { members }: Pick<Source, 'members'>): Folder[] =>
  folders.map(({ name, members: items }) => ({
    name,
    members: items.flatMap((item): (string | Folder)[] =>
      typeof item === 'string' ? (members.has(item) ? [item] : []) : shownFolders([item], { members }),
    ),
  }))

function withoutHidden(cube: MetaCube): MetaCube {
  const visible = <T extends { readonly isVisible: boolean }>(members: readonly T[]) =>
    members.filter(member => member.isVisible)
  const measures = visible(cube.measures)
  const dimensions = visible(cube.dimensions)
  const segments = visible(cube.segments)
  const shown = new Set([...measures, ...dimensions, ...segments].map(({ name }) => name))
  const shownFolder = (folder: MetaNestedFolder): MetaNestedFolder => ({
    name: folder.name,
    members: folder.members.flatMap((member): (string | MetaNestedFolder)[] => {
      if (typeof member !== 'string') return [shownFolder(member)]
      return shown.has(member) ? [member] : []
    }),
  })
  return {
    ...cube,
    measures,
    dimensions,
    segments,
    hierarchies: visible(cube.hierarchies).filter(() => cube.isVisible),
    folders: cube.folders.map(({ name, members }) => ({ name, members: members.filter(member => shown.has(member)) })),
    nestedFolders: cube.nestedFolders.map(shownFolder),
  }
}

const hasMembers = ({ measures, dimensions, segments }: MetaCube) =>
  measures.length + dimensions.length + segments.length > 0
