import { oncePerObject } from '../once-per-object.ts'
import { memberSql } from '../resolve/check-references.ts'
import type { Member, ModelIndex, Referral } from '../resolve/model-index.ts'
import { memberReferences } from '../resolve/sql-references.ts'
import type { BoundSql, DimensionStage } from '../shapes/model.ts'
import { isOfOwnTable } from './own-table.ts'
import { isSubQuery, stageOfDimension, withoutMeasures } from './sub-query-members.ts'

/** Cubes to be joined in this order; one cube alone may be joined in any way. */
export type JoinPath = readonly string[]

/** The join paths that a member needs: the one to its own cube first, then those of all that its SQL refers to. */
export function joinPathsOf(index: ModelIndex, cube: string, member: string, path: JoinPath): readonly JoinPath[] {
  if (path.at(-1) === cube && isOfOwnTable(index, cube, index.member(cube, member))) return [path]
  return remembered(index, cube, member, path, false)
}

/**
 * The same for a query that has yet to choose with which cube it begins. What a member refers to that may be joined in any way may be,
 * too: where joins lead both ways, the order of the query's members decides, and not which of them refers to the other.
 */
export function freePathsOf(
  index: ModelIndex,
  cube: string,
  member: string,
  path: JoinPath,
  referral: Referral | undefined,
): readonly JoinPath[] {
  if (path.at(-1) === cube && isOfOwnTable(index, cube, index.member(cube, member))) return [path]
  return remembered(index, cube, member, path, referral ? referral.isFree : path.length === 1)
}

function remembered(index: ModelIndex, cube: string, member: string, path: JoinPath, isFree: boolean) {
  const paths = known(index.graph)
  const key = `${cube}.${member} ${path.join('.')}${isFree ? ' free' : ''}`
  const found = paths.get(key)
  if (found) return found
  const walk = createWalk(index, isFree)
  walk.member(cube, member, path)
  const result = walk.paths()
  paths.set(key, result)
  return result
}

/** By the graph, which all indexes of a model share. The model alone says which paths there are. */
const known = oncePerObject((_: ModelIndex['graph']) => new Map<string, readonly JoinPath[]>())

/** The join paths that a piece of SQL needs, seen from the end of `path`. */
export function joinPathsIn(index: ModelIndex, sql: BoundSql, path: JoinPath): JoinPath[] {
  const walk = createWalk(index)
  walk.sql(sql, path)
  return walk.paths()
}

function createWalk(index: ModelIndex, isFree = false) {
  const paths = new Map<string, JoinPath>()
  const visit = (owner: string, name: string, way: JoinPath): void => {
    const key = `${name} ${way.join('.')}`
    if (paths.has(key)) return
    const stage = stageOfDimension(index.member(owner, name))
    if (stage && stage.include.length > 0) {
      visitIncluded(stage, way)
      return
    }
    paths.set(key, way)
    if (stage) return
    const member = index.member(owner, name)
    if (!isSubQuery(member)) {
      for (const sql of memberSql(member)) visitSql(sql, way)
      return
    }
    // The measures of a sub-query are joined inside it; here it needs its cube's key and whatever else it refers to.
    for (const key of index.cube(owner).primaryKey) visit(owner, key, way)
    visitSql(withoutMeasures(index, member.expression.sql), way)
  }
  /** Rows have a multi-stage dimension by what it is grouped by; what it is computed from is read elsewhere. */
  const visitIncluded = ({ include }: DimensionStage, way: JoinPath): void => {
    for (const reference of include) {
      const next = onwardPath(index, way, reference, isFree)
      if (isFree) paths.set(way.join('.'), way)
      visit(reference.cube, reference.dimension, next)
    }
  }
  const visitSql = (sql: BoundSql, way: JoinPath): void => {
    for (const part of memberReferences(sql)) {
      if (part.kind === 'source') continue
      const next = onwardPath(index, way, part, isFree)
      if (part.kind === 'table') paths.set(next.join('.'), next)
      else visit(part.cube, part.member, next)
    }
  }
  return { member: visit, sql: visitSql, paths: () => [...paths.values()] }
}

type Reference = { readonly cube: string; readonly through: readonly string[] }

/** The way to what SQL refers to: by itself where it may be joined in any way, otherwise from the end of the way so far. */
const onwardPath = (index: ModelIndex, way: JoinPath, { cube, through }: Reference, isFree: boolean): JoinPath =>
  isFree && isApart(way, through) ? through : extendPath(index, way, cube, through)

/**
 * How a member that another refers to is joined, where it is computed apart from that one: by the paths that `freePathsOf` gives for
 * both of them as one.
 */
export function referredPath(
  index: ModelIndex,
  { joinPath, referral }: Pick<Member, 'joinPath' | 'referral'>,
  reference: Reference,
): Required<Pick<Member, 'joinPath' | 'referral'>> {
  const { isFree, beside } = referral ?? { isFree: joinPath.length === 1, beside: [] }
  const next = onwardPath(index, joinPath, reference, isFree)
  const isOnward = !isFree || joinPath.every((cube, position) => cube === next[position])
  return { joinPath: next, referral: { isFree, beside: isOnward ? beside : [...beside, joinPath] } }
}

/** Whether a reference begins at another cube than the only one of the way. */
const isApart = ([only, ...rest]: JoinPath, [first]: readonly string[]) =>
  rest.length === 0 && first !== undefined && first !== only

/** The way to a cube that SQL refers to: back along the way so far, on from its end, or by itself where no join leads on. */
export function extendPath(index: ModelIndex, way: JoinPath, cube: string, through: readonly string[]): JoinPath {
  const [first = cube] = through
  const position = way.lastIndexOf(first)
  if (position !== -1) return [...way.slice(0, position + 1), ...through.slice(1)]
  const last = way.at(-1) ?? first
  const onward = index.graph.path(last, first)
  return onward ? [...way, ...onward.slice(1), ...through.slice(1)] : through
}
