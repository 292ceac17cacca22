import { oncePerObject } from '../once-per-object.ts'
import { memberSql } from '../resolve/check-references.ts'
import type { ModelIndex } from '../resolve/model-index.ts'
import type { BoundSql, Dimension, DimensionExpression, DimensionStage, Measure, Segment } from '../shapes/model.ts'
import { isOfOwnTable } from './own-table.ts'

/** A sub-query dimension. */
export interface SubQueryId {
  readonly cube: string
  readonly name: string
}

type SubQueryDimension = Dimension & { readonly expression: Extract<DimensionExpression, { kind: 'subQuery' }> }

export const isSubQuery = (member: Dimension | Measure | Segment): member is SubQueryDimension =>
  member.kind === 'dimension' && member.expression.kind === 'subQuery'

/** How a multi-stage dimension is computed; null for all other members. */
export const stageOfDimension = (member: Dimension | Measure | Segment): DimensionStage | null =>
  member.kind === 'dimension' && member.expression.kind === 'stage' ? member.expression.stage : null

/** By the graph, which all indexes of a model share. */
const known = oncePerObject((_: ModelIndex['graph']) => new Map<string, readonly SubQueryId[]>())

const none: readonly SubQueryId[] = []

/** The sub-query dimensions that a member's SQL stands on, itself included; not those inside of them. */
export function subQueriesOf(index: ModelIndex, cube: string, name: string): readonly SubQueryId[] {
  const member = index.member(cube, name)
  if (isOfOwnTable(index, cube, member)) return none
  const id = `${cube}.${name}`
  const found = known(index.graph).get(id)
  if (found) return found
  const stage = stageOfDimension(member)
  const sqls = isSubQuery(member) ? [withoutMeasures(index, member.expression.sql)] : memberSql(member)
  // A multi-stage dimension is joined by what it is grouped by.
  const inner = stage
    ? stage.include.flatMap(({ cube: owner, dimension }) => subQueriesOf(index, owner, dimension))
    : sqls.flatMap(sql => subQueriesIn(index, sql))
  const result = isSubQuery(member) ? [...inner, { cube, name }] : inner
  known(index.graph).set(id, result)
  return result
}

/** The sub-query dimensions that a piece of SQL stands on. */
export function subQueriesIn(index: ModelIndex, { parts }: BoundSql): readonly SubQueryId[] {
  let found: readonly SubQueryId[] = none
  for (const part of parts) {
    if (typeof part === 'string' || (part.kind !== 'member' && part.kind !== 'granularity')) continue
    const inner = subQueriesOf(index, part.cube, part.member)
    if (inner.length > 0) found = [...found, ...inner]
  }
  return found
}

/** What of a sub-query's SQL is evaluated outside of it: everything but its measures. */
export function withoutMeasures(index: ModelIndex, { parts }: BoundSql): BoundSql {
  return {
    parts: parts.filter(
      part =>
        typeof part === 'string' || part.kind !== 'member' || index.member(part.cube, part.member).kind !== 'measure',
    ),
  }
}
