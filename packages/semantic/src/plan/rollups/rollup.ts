import { oncePerObject } from '../../once-per-object.ts'
import { memberSql } from '../../resolve/check-references.ts'
import {
  type DimensionMember,
  findGranularity,
  isDimension,
  isMeasure,
  isSegment,
  type MeasureMember,
  type Member,
  type ModelIndex,
  type SegmentMember,
} from '../../resolve/model-index.ts'
import type { Granularity, PreAggregation, PreAggregationMember } from '../../shapes/model.ts'
import type { PartitionGranularity } from '../../shapes/vocabulary.ts'
import { createAliases, snakeCase } from '../aliases.ts'
import { isCalculation } from '../calculations.ts'
import { type JoinPath, joinPathsIn, joinPathsOf } from '../join-paths.ts'
import { buildJoinTree, buildJoinTreeFrom, isMultiplied, type JoinTree } from '../join-tree.ts'
import { isSubQuery, subQueriesOf } from '../sub-query-members.ts'
import { divides } from './divides.ts'

export interface RollupId {
  readonly cube: string
  readonly name: string
}

interface Column<M> {
  /** In the rollup's table. */
  readonly name: string
  readonly member: M
}

/** A rollup with its members looked up: what its table holds, and from which rows. */
export interface Rollup {
  readonly id: RollupId
  readonly definition: PreAggregation
  readonly tree: JoinTree
  /** Cubes whose rows it is made of, those of sub-queries too. */
  readonly reads: readonly string[]
  readonly dimensions: readonly Column<DimensionMember>[]
  readonly times: readonly (Column<DimensionMember> & { readonly granularity: Granularity })[]
  readonly segments: readonly Column<SegmentMember>[]
  /** Leaves of its measures. What joins repeat can't be added up over groups. */
  readonly measures: readonly (Column<MeasureMember> & { readonly isRepeated: boolean })[]
}

const known = oncePerObject((_: ModelIndex['graph']) => new Map<PreAggregation, Rollup>())

/**
 * Looks a rollup up. A rollup_lambda without members of its own has those of its first rollup.
 *
 * @throws {QueryError} when its members can't be joined
 */
export function rollupOf(index: ModelIndex, { cube, name }: RollupId): Rollup {
  const definition = index.cube(cube).preAggregations.find(candidate => candidate.name === name)
  if (!definition) throw new Error(`The model has no pre-aggregation '${cube}.${name}'`)
  const found = known(index.graph).get(definition)
  if (found) return found
  const [first] = definition.rollups
  const { measures, dimensions, segments, timeDimensions } = definition
  const hasOwn = measures.length + dimensions.length + segments.length + timeDimensions.length > 0
  const source =
    definition.type === 'rollup_lambda' && !hasOwn && first ? rollupOf(index, first).definition : definition
  const own =
    definition.type === 'original_sql'
      ? describeRows(index, { cube, name }, definition)
      : describe(index, { cube, name }, definition, source)
  const rollup = definition.type === 'rollup_join' ? overParts(index, own) : own
  known(index.graph).set(definition, rollup)
  return rollup
}

/** What a rollup_join is made of is what its rollups are made of. */
function overParts(index: ModelIndex, whole: Rollup): Rollup {
  const parts = whole.definition.rollups.map(id => rollupOf(index, id))
  const isRepeated = (id: string) =>
    parts.some(part => part.measures.some(each => each.isRepeated && each.member.id === id))
  return {
    ...whole,
    reads: [...new Set([...whole.reads, ...parts.flatMap(({ reads }) => reads)])],
    measures: whole.measures.map(column => ({
      ...column,
      isRepeated: column.isRepeated || isRepeated(column.member.id),
    })),
  }
}

/** The rows of a cube alone, cut by a time of its own. What is a value of other cubes' rows can't cut them. */
function describeRows(index: ModelIndex, id: RollupId, definition: PreAggregation): Rollup {
  const { partitionGranularity: unit, timeDimensions } = definition
  const times = unit === null ? [] : timeDimensions.slice(0, 1).map(time => ({ ...time, granularity: unit }))
  const whole = describe(index, id, definition, { ...definition, timeDimensions: times })
  return whole.reads.every(cube => cube === id.cube) && whole.tree.cubes.length === 1
    ? whole
    : describe(index, id, definition, { ...definition, timeDimensions: [] })
}

function describe(index: ModelIndex, id: RollupId, definition: PreAggregation, source: PreAggregation): Rollup {
  const dimensions = source.dimensions.map(part => memberOf(index, part, isDimension))
  const segments = source.segments.map(part => memberOf(index, part, isSegment))
  const times = source.timeDimensions.flatMap(part => {
    const member = memberOf(index, part, isDimension)
    const granularity = part.granularity === null ? null : findGranularity(member.definition, part.granularity)
    return granularity ? [{ member, granularity }] : []
  })
  const measures = distinct(source.measures.flatMap(part => leaves(index, memberOf(index, part, isMeasure))))
  const members = [...measures, ...dimensions, ...segments, ...times.map(({ member }) => member)]
  const paths = members.flatMap(({ cube, definition: own, joinPath }) =>
    joinPathsOf(index, cube.name, own.name, joinPath),
  )
  const tree = buildJoinTree(index, paths.length > 0 ? paths : [[id.cube]])
  const names = createAliases()
  const named = <M extends Member>(member: M, suffix = ''): Column<M> => {
    const { cube, definition: own } = member
    return { member, name: names.take(`${snakeCase(cube.name)}__${snakeCase(own.name)}${suffix}`) }
  }
  return {
    id,
    definition,
    tree,
    reads: [...new Set([...tree.cubes, ...paths.flat(), ...subQueryCubes(index, members)])],
    dimensions: dimensions.map(member => named(member)),
    times: times.map(({ member, granularity }) => ({
      ...named(member, `_${snakeCase(granularity.name)}`),
      granularity,
    })),
    segments: segments.map(member => named(member)),
    measures: measures.map(member => ({ ...named(member), isRepeated: isMultiplied(tree, member.cube.name) })),
  }
}

function memberOf<M extends Member>(
  index: ModelIndex,
  { cube, member, path }: PreAggregationMember,
  accepts: (member: Member) => member is M,
): M {
  const found = index.sources.get(cube)?.members.get(member)
  if (!found || !accepts(found)) throw new Error(`A pre-aggregation has '${cube}.${member}', which is none of its kind`)
  return { ...found, joinPath: path }
}

/** Cubes that sub-queries join to compute these members, however deep. */
function subQueryCubes(index: ModelIndex, members: readonly Member[]): string[] {
  const seen = new Map<string, readonly string[]>()
  const visit = (cube: string, name: string): void => {
    for (const subQuery of subQueriesOf(index, cube, name)) {
      const id = `${subQuery.cube}.${subQuery.name}`
      const member = index.member(subQuery.cube, subQuery.name)
      if (seen.has(id) || !isSubQuery(member)) continue
      const paths = joinPathsIn(index, member.expression.sql, [subQuery.cube])
      const own = buildJoinTreeFrom(index, subQuery.cube, paths)
      seen.set(id, own.cubes)
      for (const part of member.expression.sql.parts) {
        if (typeof part !== 'string' && part.kind === 'member') visit(part.cube, part.member)
      }
    }
  }
  for (const { cube, definition } of members) visit(cube.name, definition.name)
  return [...seen.values()].flat()
}

/**
 * By what a rollup's tables are cut. Steps of time that do not lie within one partition would be in two of them, and what can't be
 * added up would have two values, so such a rollup is one table.
 */
export function partitionGranularityOf({ definition, times: [time] }: Rollup): PartitionGranularity | null {
  const { partitionGranularity: unit } = definition
  if (unit === null || !time) return null
  const partition = { ...time.granularity, name: unit, bucket: { kind: 'unit', unit } } as const
  const isStep = time.granularity.name === unit && time.granularity.bucket.kind === 'unit'
  return isStep || (time.granularity.name !== unit && divides(time.granularity, partition)) ? unit : null
}

/**
 * What has to be aggregated from rows for a measure, each with the way to its cube. Windows and stages are computed from groups of
 * rows, so that a rollup keeps what those are made of.
 */
export function leaves(index: ModelIndex, member: MeasureMember): MeasureMember[] {
  const { cube, definition, joinPath } = member
  if (!definition.stage && !isCalculation(index, definition)) {
    const found = index.sources.get(cube.name)?.members.get(definition.name)
    return found ? [{ ...found, definition: { ...definition, window: null }, joinPath }] : []
  }
  return memberSql(definition).flatMap(({ parts }) =>
    parts.flatMap(part => {
      if (typeof part === 'string' || part.kind !== 'member') return []
      const found = index.sources.get(part.cube)?.members.get(part.member)
      if (!found || !isMeasure(found)) return []
      const way = part.cube === cube.name ? joinPath : wayOn(index, joinPath, part.cube)
      return leaves(index, { ...found, joinPath: way })
    }),
  )
}

function wayOn(index: ModelIndex, path: JoinPath, cube: string): JoinPath {
  const position = path.lastIndexOf(cube)
  if (position !== -1) return path.slice(0, position + 1)
  const onward = index.graph.path(path.at(-1) ?? cube, cube)
  return onward ? [...path, ...onward.slice(1)] : [cube]
}

export const distinct = (members: readonly MeasureMember[]): MeasureMember[] => [
  ...new Map(members.map(member => [member.id, member])).values(),
]
