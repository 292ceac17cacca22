import type { ProblemLog } from '../messages/model-messages.ts'
import { oncePerObject } from '../once-per-object.ts'
import type { CubeSpec, Located } from '../shapes/tree.ts'
import { extendSpecs } from './extend-specs.ts'
import { withLinkDimensions } from './link-dimensions.ts'

/**
 * Replaces `extends` by what it stands for: the parent's properties, and its members by name, where the child's own win.
 * The alias of a parent's tables is not inherited, as two cubes can't share one.
 */
export function extendCubes(
  specs: ReadonlyMap<string, CubeSpec>,
  mayBeCube: (name: string) => boolean,
  log: ProblemLog,
): Map<string, CubeSpec> {
  const extended = extendSpecs('Cube', specs, mergedInto, mayBeCube, log)
  for (const [name, spec] of extended) extended.set(name, withLinkDimensions(spec))
  return extended
}

/** A child of the same parent is merged once, so that what comes of it can be remembered. */
const mergedInto = oncePerObject((parent: CubeSpec) => oncePerObject((child: CubeSpec) => merge(parent, child)))

function merge(parent: CubeSpec, child: CubeSpec): CubeSpec {
  const hasSource = child.sql !== null || child.sqlTable !== null
  return {
    name: child.name,
    // What is left of it is what could not be found, which was reported where it is written.
    extends: parent.extends,
    title: child.title ?? parent.title,
    description: child.description ?? parent.description,
    public: child.public ?? parent.public,
    meta: child.meta ?? parent.meta,
    sql: hasSource ? child.sql : parent.sql,
    sqlTable: hasSource ? child.sqlTable : parent.sqlTable,
    sqlAlias: child.sqlAlias,
    dataSource: child.dataSource ?? parent.dataSource,
    calendar: child.calendar ?? parent.calendar,
    refreshKey: child.refreshKey ?? parent.refreshKey,
    // A second role of the same table is its child, and the parent's join to it is no join of the child to itself.
    joins: mergeNamed(
      parent.joins.filter(({ name }) => name.value !== child.name.value),
      child.joins,
    ),
    dimensions: mergeNamed(parent.dimensions, child.dimensions),
    measures: mergeNamed(parent.measures, child.measures),
    segments: mergeNamed(parent.segments, child.segments),
    hierarchies: mergeNamed(parent.hierarchies, child.hierarchies),
    preAggregations: mergeNamed(parent.preAggregations, child.preAggregations),
    accessPolicy: [...parent.accessPolicy, ...child.accessPolicy],
  }
}

function mergeNamed<T extends { readonly name: Located<string> }>(
  parent: readonly T[],
  child: readonly T[],
): readonly T[] {
  const own = new Map(child.map(member => [member.name.value, member]))
  const inherited = new Set(parent.map(({ name }) => name.value))
  return [
    ...parent.map(member => own.get(member.name.value) ?? member),
    ...child.filter(({ name }) => !inherited.has(name.value)),
  ]
}
