import type { ModelIndex } from '../resolve/model-index.ts'
import type { BoundSql } from '../shapes/model.ts'
import type { JoinPath } from './join-paths.ts'
import { extendJoinTree, type JoinTree } from './join-tree.ts'

/**
 * A query's join paths with those that masks stand on, as far as they change nothing of how the query's own members are joined: policies
 * never do. Where they would, the mask is seen from the tree without them, by `seesWays`.
 */
export function withMaskWays(
  index: ModelIndex,
  paths: readonly JoinPath[],
  ways: readonly JoinPath[],
  own: () => JoinTree,
): readonly JoinPath[] {
  const further = ways.filter(way => way.length > 1)
  if (further.length === 0) return [...paths, ...ways]
  let tree = own()
  let chosen: readonly JoinPath[] = [[tree.root], ...paths]
  for (const way of further) {
    if (seesWays(index, tree, [way])) continue
    const more = [...chosen, ...segments(index, tree, way)]
    const next = extendJoinTree(index, tree.root, more)
    if (!next || !isWithin(tree, next)) continue
    tree = next
    chosen = more
  }
  return chosen
}

/** Whether tables are joined as these paths say, so that what they lead to are the rows that the owner of the paths means. */
export const seesWays = (index: ModelIndex, tree: JoinTree, ways: readonly JoinPath[]): boolean =>
  ways.every(way =>
    way.every((cube, position) => {
      const from = way[position - 1]
      return from === undefined ? tree.cubes.includes(cube) : isJoined(index, tree, from, cube)
    }),
  )

const isWithin = (part: JoinTree, whole: JoinTree): boolean =>
  part.root === whole.root &&
  part.edges.every(edge => whole.edges.some(({ from, to }) => from === edge.from && to === edge.to))

/** Whether a join of the tree puts the rows of two cubes together as the one from `from` to `to` does. */
const isJoined = (index: ModelIndex, { edges }: JoinTree, from: string, to: string): boolean =>
  edges.some(edge => edge.from === from && edge.to === to) ||
  (edges.some(edge => edge.from === to && edge.to === from) && isMirrored(index, from, to))

/** The parts of a path between joins of it that the tree has the other way round. */
function segments(index: ModelIndex, tree: JoinTree, way: JoinPath): readonly JoinPath[] {
  const parts: string[][] = []
  way.forEach((cube, position) => {
    const from = way[position - 1]
    const isReversed =
      from !== undefined &&
      tree.edges.some(edge => edge.from === cube && edge.to === from) &&
      isMirrored(index, from, cube)
    if (from === undefined || isReversed) parts.push([cube])
    else parts.at(-1)?.push(cube)
  })
  return parts
}

/** Whether the joins between two cubes, one from each, are about the same pairs of rows. `false` also where that can't be told. */
function isMirrored(index: ModelIndex, from: string, to: string): boolean {
  const there = index.graph.edge(from, to)
  const back = index.graph.edge(to, from)
  if (!there || !back) return false
  return conditionOf(index, there.join.condition) === conditionOf(index, back.join.condition)
}

/** A condition as text; equalities of columns, joined by `and`, in one order. */
function conditionOf(index: ModelIndex, { parts }: BoundSql): string {
  const text = parts
    .map(part => {
      if (typeof part === 'string') return part
      if (part.kind === 'table' && part.through.length <= 1) return `{${part.cube}}`
      if (part.kind !== 'member' || part.through.length > 1) return `{{${JSON.stringify(part)}}}`
      const member = index.member(part.cube, part.member)
      const sql = member.kind === 'dimension' && member.expression.kind === 'sql' ? member.expression.sql.parts : []
      const [first, second] = sql
      if (typeof first === 'string' && sql.length === 1 && /^\w+$/.test(first)) return `{${part.cube}}.${first}`
      const isColumn =
        sql.length === 2 && typeof first === 'object' && first.kind === 'table' && first.cube === part.cube
      if (isColumn && typeof second === 'string' && /^\.\w+$/.test(second)) return `{${part.cube}}${second}`
      return `{{${JSON.stringify(part)}}}`
    })
    .join('')
  const equalities = text.split(/\s+and\s+/i).map(equality => equality.split('=').map(side => side.trim()))
  const isPlain = equalities.every(sides => sides.length === 2 && sides.every(side => /^\{\w+\}\.\w+$/.test(side)))
  return isPlain
    ? equalities
        .map(sides => sides.toSorted().join(' = '))
        .toSorted()
        .join(' and ')
    : text
}
