import type { Format } from './model.ts'
import type { JsonValue } from './source.ts'

/** The cube object of `/v1/meta` (contract/core-data.yaml, V1CubeMeta; data-model.md, last paragraph). */
export interface MetaCube {
  readonly name: string
  readonly type: 'cube' | 'view'
  readonly title: string
  readonly description?: string
  readonly isVisible: boolean
  readonly public: boolean
  /** Groups to which the view itself belongs. */
  readonly viewGroups?: readonly string[]
  readonly connectedComponent: number
  readonly meta?: JsonValue
  readonly measures: readonly MetaMeasure[]
  readonly dimensions: readonly MetaDimension[]
  readonly segments: readonly MetaSegment[]
  readonly hierarchies: readonly MetaHierarchy[]
  readonly folders: readonly { readonly name: string; readonly members: readonly string[] }[]
  readonly nestedFolders: readonly MetaNestedFolder[]
}

export interface MetaViewGroup {
  readonly name: string
  readonly title?: string
  readonly description?: string
  readonly views: readonly string[]
  readonly includes: readonly (string | MetaViewGroup)[]
}

export interface MetaMember {
  readonly name: string
  readonly title: string
  readonly shortTitle: string
  readonly description?: string
  readonly meta?: JsonValue
  readonly isVisible: boolean
  readonly public: boolean
}

export interface MetaFormatting {
  readonly format?: Format
  readonly formatDescription?: { readonly name: string; readonly specifier: string; readonly currency?: string }
  readonly currency?: string
}

export interface MetaMeasure extends MetaMember, MetaFormatting {
  readonly type: string
  readonly aggType: string
  readonly cumulative: boolean
  readonly cumulativeTotal: boolean
  readonly drillMembers: readonly string[]
  readonly drillMembersGrouped: { readonly measures: readonly string[]; readonly dimensions: readonly string[] }
  readonly aliasMember?: string
}

export interface MetaGranularity {
  readonly name: string
  readonly title: string
  /** Absent where a calendar's SQL says when periods begin. */
  readonly interval?: string
  readonly offset?: string
  readonly origin?: string
}

export interface MetaDimension extends MetaMember, MetaFormatting {
  readonly type: string
  readonly suggestFilterValues: boolean
  readonly primaryKey: boolean
  readonly aliasMember?: string
  readonly order?: 'asc' | 'desc'
  /** Full name of the dimension that tells its values apart. */
  readonly key?: string
  readonly links?: readonly MetaLink[]
  /** Made for a link: it holds an address. */
  readonly synthetic?: true
  readonly granularities?: readonly MetaGranularity[]
}

export interface MetaLink {
  readonly name: string
  readonly label: string
  readonly dashboard?: string
  readonly icon?: string
  readonly target?: 'blank' | 'self'
  readonly primary?: true
  readonly params?: readonly string[]
}

export type MetaSegment = MetaMember & { readonly aliasMember?: string }

export interface MetaHierarchy {
  readonly name: string
  readonly title: string
  readonly levels: readonly string[]
  readonly public: boolean
  readonly isVisible: boolean
  readonly aliasMember?: string
}

export interface MetaNestedFolder {
  readonly name: string
  readonly members: readonly (string | MetaNestedFolder)[]
}

/** Presentation of each member in a query's answer, keyed by full name; time dimensions under `x.granularity` and `x`. */
export interface Annotation {
  readonly measures: Readonly<Record<string, AnnotatedMember>>
  readonly dimensions: Readonly<Record<string, AnnotatedMember>>
  readonly segments: Readonly<Record<string, AnnotatedMember>>
  readonly timeDimensions: Readonly<Record<string, AnnotatedMember>>
}

export interface AnnotatedMember extends MetaFormatting {
  readonly title: string
  readonly shortTitle: string
  readonly description?: string
  readonly type?: string
  readonly meta?: JsonValue
  readonly drillMembers?: readonly string[]
  readonly drillMembersGrouped?: { readonly measures: readonly string[]; readonly dimensions: readonly string[] }
  readonly granularities?: readonly MetaGranularity[]
  readonly granularity?: MetaGranularity
}
