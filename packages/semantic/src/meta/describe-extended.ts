import type { MetaCube } from '../shapes/meta.ts'
import type { BoundSql, Cube, Model, SqlReference } from '../shapes/model.ts'
import { describePreAggregation } from './describe-pre-aggregation.ts'
import { textOf } from './sql-text.ts'

/** How a cube is made: what `/v1/meta?extended` adds to it (contract/behaviour/query.md section 6). */
export interface ExtendedCube extends MetaCube {
  readonly fileName?: string
  /** Absent where a policy keeps rows of the cube from somebody, or where it reads a cube that the caller is not shown. */
  readonly sql?: string
  readonly refreshKey?: object
  readonly joins?: readonly { readonly name: string; readonly relationship: string; readonly sql: string }[]
  readonly preAggregations?: readonly object[]
}

/**
 * Adds to each cube how it is made. What is said of other cubes and members is only of those that the caller is shown too.
 *
 * @param shown as `describeModel` gives them for the caller
 */
export function describeExtended({ cubes }: Model, shown: readonly MetaCube[]): ExtendedCube[] {
  const names = new Set(shown.map(({ name }) => name))
  const members = new Set(
    shown.flatMap(({ measures, dimensions, segments }) =>
      [...measures, ...dimensions, ...segments].map(({ name }) => name),
    ),
  )
  const isShown = (sql: BoundSql): boolean =>
    sql.parts.every(part => typeof part === 'string' || cubesOf(part).every(name => names.has(name)))
  return shown.map(meta => {
    const cube = meta.type === 'cube' ? cubes.find(({ name }) => name === meta.name) : undefined
    if (!cube) return meta
    const isOpen = cube.accessPolicies.length === 0
    return {
      ...meta,
      fileName: cube.file,
      ...(isOpen && isShown(cube.source.sql) ? { sql: textOf(cube.source.sql, cube.name) } : {}),
      refreshKey: describeRefreshKey(cube, isOpen),
      joins: cube.joins
        .filter(({ target, condition }) => names.has(target) && isShown(condition))
        .map(({ target, relationship, condition }) => ({
          name: target,
          relationship,
          sql: textOf(condition, cube.name),
        })),
      preAggregations: cube.preAggregations
        .filter(({ measures, dimensions, segments, timeDimensions }) =>
          [...measures, ...dimensions, ...segments, ...timeDimensions].every(part =>
            members.has(`${part.cube}.${part.member}`),
          ),
        )
        .map(each => describePreAggregation(each, cube.name, isOpen)),
    }
  })
}

function describeRefreshKey({ refreshKey, name }: Cube, isOpen: boolean): object {
  switch (refreshKey.kind) {
    case 'immutable':
      return { immutable: true }
    case 'every':
      return everyText(refreshKey.seconds)
    case 'schedule':
      return { ...everyText(refreshKey.seconds), timezone: refreshKey.timezone }
    case 'sql':
      return { ...(isOpen ? { sql: textOf(refreshKey.sql, name) } : {}), ...everyText(refreshKey.seconds) }
  }
}

const everyText = (seconds: number | null) => (seconds === null ? {} : { every: `${seconds} second` })

/** Cubes that a reference names. */
function cubesOf(part: SqlReference): readonly string[] {
  const inside = ({ parts }: BoundSql): string[] =>
    parts.flatMap(each => (typeof each === 'string' ? [] : cubesOf(each)))
  if ('cube' in part) return [part.cube]
  if (part.kind === 'filterParams') return part.params.flatMap(({ column }) => inside(column.sql))
  if (part.kind === 'localTime' || part.kind === 'urlEncoded') return inside(part.sql)
  return part.kind === 'securityContext' && part.column ? inside(part.column.sql) : []
}
