import { QueryError } from '../../messages/query-messages.ts'
import { type RollupMiss, rollupMiss } from '../../messages/rollup-misses.ts'
import type { Edge } from '../../resolve/join-graph.ts'
import { type DimensionMember, isDimension, type Member, type ModelIndex } from '../../resolve/model-index.ts'
import type { DialectName } from '../../shapes/compiled.ts'
import type { Join } from '../../shapes/model.ts'
import type { Expression } from '../../shapes/plan.ts'
import { isToOne } from '../join-tree.ts'
import { divides } from './divides.ts'
import { held, heldMeasure, wayTo } from './places.ts'
import { columnOf, dimensionOfColumn, plainColumn } from './plain-columns.ts'
import { type Rollup, rollupOf } from './rollup.ts'

/** One rollup of a `rollup_join`, under the name that it is read by. */
interface JoinedPart {
  readonly rollup: Rollup
  readonly alias: string
  /** Pairs of columns that are the same where rows belong together; none for the first part. */
  readonly on: readonly (readonly [Expression, Expression])[]
}

/** How the tables of a `rollup_join` are read as one: each row of the first part once, with what belongs to it. */
export interface JoinedRollup {
  readonly parts: readonly JoinedPart[]
  readonly columns: readonly { readonly name: string; readonly expression: Expression }[]
}

/** Databases whose usual collations take different texts for the same. */
const foldsText: readonly DialectName[] = ['mysql', 'sqlserver']

class Missed extends Error {
  readonly miss: RollupMiss
  constructor(miss: RollupMiss) {
    super(miss.reason)
    this.miss = miss
  }
}

/**
 * Puts the rollups of a `rollup_join` together (data-model.md, section 7), or says why their join would not be that of their sources.
 *
 * The first part has the measures and the root of the joins. Each other part has to have one row for each row of its own root, that
 * is its primary key, so that no join repeats a group; and its columns are plain ones, which are null where nothing is joined.
 */
export function joinRollups(
  index: ModelIndex,
  whole: Rollup,
  dialectOf: (dataSource: string) => DialectName,
): JoinedRollup | { readonly miss: RollupMiss } {
  try {
    const { rollups } = whole.definition
    const all = rollups.map(id => rollupOf(index, id))
    const first = all.find(({ tree }) => tree.root === whole.tree.root)
    if (!first) throw new Missed(rollupMiss('join_root', { cube: whole.tree.root }))
    const place = ({ tree }: Rollup) => whole.tree.edges.findIndex(({ to }) => to === tree.root)
    const others = all.filter(part => part !== first).toSorted((left, right) => place(left) - place(right))
    const ordered = [first, ...others]
    const parts = ordered.map((rollup, position) => ({ rollup, alias: `part_${position}` }))
    checkPlaces(index, whole, ordered)
    return {
      parts: parts.map(part => ({ ...part, on: part.rollup === first ? [] : conditionOf(part) })),
      columns: columnsOf(index, whole, parts),
    }

    function conditionOf({ rollup }: { readonly rollup: Rollup }): JoinedPart['on'] {
      const edge = whole.tree.edges.find(({ to }) => to === rollup.tree.root)
      if (!edge) throw new Missed(rollupMiss('join_unused', { rollup: nameOf(rollup) }))
      return joinKeys(index, edge).map(([left, right]) => {
        checkKey(left, right)
        return [keyColumn(left, edge), keyColumn(right, edge)]
      })
    }

    function keyColumn(member: DimensionMember, { from, to }: Edge): Expression {
      const cube = member.cube.name
      if (cube !== from && cube !== to) throw new Missed(rollupMiss('join_condition', { from, to }))
      const owner = parts.find(({ rollup }) => rollup.tree.cubes.includes(cube))
      const column = owner && held(owner.rollup.dimensions, member)
      if (!column) throw new Missed(rollupMiss('join_key', { member: member.id }))
      // Where nothing was joined, what is computed may have a value all the same.
      if (cube === from && owner.rollup !== first && !plainColumn(index, member)) {
        throw new Missed(rollupMiss('join_computed', { member: member.id }))
      }
      return columnOf(owner.alias, column.name)
    }

    function checkKey(left: DimensionMember, right: DimensionMember): void {
      const { type } = left.definition
      if (type !== right.definition.type || !['number', 'string', 'boolean'].includes(type)) {
        throw new Missed(rollupMiss('join_condition', { from: left.cube.name, to: right.cube.name }))
      }
      const folds = [left, right].map(({ cube }) => dialectOf(index.cube(cube.name).dataSource))
      const dialect = type === 'string' ? folds.find(name => foldsText.includes(name)) : undefined
      if (dialect) throw new Missed(rollupMiss('collation', { member: left.id, dialect }))
    }
  } catch (error) {
    if (error instanceof Missed) return { miss: error.miss }
    if (error instanceof QueryError) return { miss: rollupMiss('not_joined', { reason: error.message }) }
    throw error
  }
}

const nameOf = ({ id: { cube, name } }: Rollup) => `${cube}.${name}`

/** That each cube is in one part and reached as the joins of the whole lead to it, and that joins of parts repeat nothing. */
function checkPlaces(index: ModelIndex, { tree }: Rollup, [first, ...others]: readonly Rollup[]): void {
  const seen = new Set<string>()
  for (const part of first ? [first, ...others] : []) {
    const rollup = nameOf(part)
    for (const cube of part.tree.cubes) {
      if (seen.has(cube)) throw new Missed(rollupMiss('join_twice', { cube }))
      seen.add(cube)
      if (!tree.cubes.includes(cube)) continue
      const own = [wayTo(tree, part.tree.root), ...wayTo(part.tree, cube).split('.').slice(1)].join('.')
      const query = wayTo(tree, cube)
      if (own !== query) throw new Missed(rollupMiss('place', { member: cube, query, rollup: own }))
    }
    if (part === first) continue
    const { root } = part.tree
    const { primaryKey } = index.cube(root)
    const isKeyed =
      primaryKey.length > 0 &&
      primaryKey.every(name => part.dimensions.some(({ member }) => isOwn(member, root, name))) &&
      part.tree.cubes.every(cube => isToOne(part.tree, root, cube))
    const edge = tree.edges.find(({ to }) => to === root)
    if (!isKeyed || edge?.relationship === 'one_to_many') throw new Missed(rollupMiss('join_repeats', { rollup }))
  }
  const foreign = tree.cubes.find(cube => !seen.has(cube))
  if (foreign !== undefined) throw new Missed(rollupMiss('join_cube', { cube: foreign }))
}

const isOwn = ({ cube, definition }: Member, owner: string, name: string) =>
  cube.name === owner && definition.name === name

type NamedPart = Pick<JoinedPart, 'rollup' | 'alias'>

function columnsOf(index: ModelIndex, whole: Rollup, parts: readonly NamedPart[]): JoinedRollup['columns'] {
  const ownerOf = (member: Member): NamedPart => {
    const owner = parts.find(({ rollup }) => rollup.tree.cubes.includes(member.cube.name))
    if (!owner) throw new Missed(rollupMiss('join_cube', { cube: member.cube.name }))
    if (owner !== parts[0] && !(isDimension(member) && plainColumn(index, member))) {
      throw new Missed(rollupMiss('join_computed', { member: member.id }))
    }
    return owner
  }
  return [
    ...whole.dimensions.map(({ name, member }) => {
      const { rollup, alias } = ownerOf(member)
      const column = held(rollup.dimensions, member)
      if (!column) throw new Missed(rollupMiss('dimension', { member: member.id }))
      return { name, expression: columnOf(alias, column.name) }
    }),
    ...whole.times.map(({ name, member, granularity }) => {
      const { rollup, alias } = ownerOf(member)
      const own = rollup.times.filter(time => held([time], member))
      const same = own.find(time => time.granularity.name === granularity.name)
      if (same) return { name, expression: columnOf(alias, same.name) }
      const finer = own.find(time => divides(time.granularity, granularity))
      const { bucket } = granularity
      if (!finer || bucket.kind === 'calendar') throw new Missed(rollupMiss('dimension', { member: member.id }))
      const time = columnOf(alias, finer.name)
      return { name, expression: { kind: 'bucket', time, bucket, timezone: 'UTC' } as const }
    }),
    ...whole.segments.map(({ name, member }) => {
      const { rollup, alias } = ownerOf(member)
      const column = held(rollup.segments, member)
      if (!column) throw new Missed(rollupMiss('segment', { member: member.id }))
      return { name, expression: columnOf(alias, column.name) }
    }),
    ...whole.measures.map(({ name, member }) => {
      const { rollup, alias } = ownerOf(member)
      const column = heldMeasure(rollup.measures, member)
      if (!column) throw new Missed(rollupMiss('measure', { member: member.id }))
      return { name, expression: columnOf(alias, column.name) }
    }),
  ]
}

/** Dimensions that a join says to be the same. @throws {Missed} when it says anything else */
function joinKeys(index: ModelIndex, { from, to, join }: Edge<Join>): [DimensionMember, DimensionMember][] {
  const refuse = (): never => {
    throw new Missed(rollupMiss('join_condition', { from, to }))
  }
  const members: DimensionMember[] = []
  let shape = ''
  const { parts } = join.condition
  for (const [position, part] of parts.entries()) {
    const before = parts[position - 1]
    if (typeof part === 'string') {
      const isOfTable = typeof before === 'object' && before.kind === 'table'
      shape += isOfTable ? part.replace(/^\."?\w+"?/, '') : part
      continue
    }
    const next = parts[position + 1]
    const [, column] = part.kind === 'table' && typeof next === 'string' ? (/^\.("?\w+"?)/.exec(next) ?? []) : []
    const member =
      part.kind === 'member'
        ? index.sources.get(part.cube)?.members.get(part.member)
        : part.kind === 'table' && column !== undefined
          ? dimensionOfColumn(index, part.cube, column)
          : undefined
    if (!member || !isDimension(member)) return refuse()
    members.push(member)
    shape += '?'
  }
  if (!/^\s*\(*\s*\?\s*=\s*\?\s*\)*(\s+and\s+\(*\s*\?\s*=\s*\?\s*\)*)*\s*$/i.test(shape)) return refuse()
  const pairs: [DimensionMember, DimensionMember][] = []
  for (let position = 0; position < members.length; position += 2) {
    const [left, right] = members.slice(position, position + 2)
    if (!left || !right) return refuse()
    pairs.push([left, right])
  }
  return pairs
}
