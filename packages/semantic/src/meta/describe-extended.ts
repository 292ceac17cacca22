import type { MetaCube } from '../shapes/meta.ts'
import type { BoundSql, Cube, FilterColumn, Model, PreAggregation, SqlReference } from '../shapes/model.ts'

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
      preAggregations: cube.preAggregations.flatMap(each => describePreAggregation(each, cube.name, isOpen, members)),
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

/** Absent where one of its members is not shown. */
function describePreAggregation(
  definition: PreAggregation,
  cube: string,
  isOpen: boolean,
  shown: ReadonlySet<string>,
): object[] {
  const { name, type, measures, dimensions, segments, timeDimensions, refreshKey, rollups } = definition
  const ids = (list: readonly { readonly cube: string; readonly member: string }[]) =>
    list.map(part => `${part.cube}.${part.member}`)
  if (!ids([...measures, ...dimensions, ...segments, ...timeDimensions]).every(id => shown.has(id))) return []
  const { every, sql, incremental } = refreshKey
  const seconds = typeof every === 'number' ? every : every.seconds
  return [
    {
      name,
      type,
      measures: ids(measures),
      dimensions: ids(dimensions),
      segments: ids(segments),
      timeDimensions: timeDimensions.map(({ cube: owner, member, granularity }) => ({
        dimension: `${owner}.${member}`,
        granularity,
      })),
      partitionGranularity: definition.partitionGranularity,
      refreshKey: { every: `${seconds} second`, incremental, ...(sql && isOpen ? { sql: textOf(sql, cube) } : {}) },
      scheduledRefresh: definition.scheduledRefresh,
      external: definition.external,
      ...(rollups.length > 0 ? { rollups: rollups.map(id => `${id.cube}.${id.name}`) } : {}),
    },
  ]
}

/** SQL as an author writes it, with `{CUBE}` for the cube whose it is. */
function textOf({ parts }: BoundSql, own: string): string {
  return parts.map(part => (typeof part === 'string' ? part : referenceText(part, own))).join('')
}

function referenceText(part: SqlReference, own: string): string {
  const of = (cube: string) => (cube === own ? 'CUBE' : cube)
  switch (part.kind) {
    case 'table':
      return `{${of(part.cube)}}`
    case 'source':
      return `{${of(part.cube)}.sql()}`
    case 'member':
      return `{${of(part.cube)}.${part.member}}`
    case 'granularity':
      return `{${of(part.cube)}.${part.member}.${part.granularity}}`
    case 'filterParams':
      return `{FILTER_GROUP(${part.params.map(({ member, column }) => `FILTER_PARAMS.${member}.filter(${columnText(column, own)})`).join(', ')})}`
    case 'localTime':
      return `{SQL_UTILS.convertTz(${JSON.stringify(textOf(part.sql, own))})}`
    case 'urlEncoded':
      return textOf(part.sql, own)
    case 'securityContext':
      return `{SECURITY_CONTEXT.${part.path.join('.')}.${part.use}(${part.column ? columnText(part.column, own) : ''})}`
    case 'constant':
      return part.value
    case 'argument':
      return `\${${part.position}}`
  }
}

const columnText = ({ sql }: FilterColumn, own: string) => JSON.stringify(textOf(sql, own))

/** Cubes that a reference names. */
function cubesOf(part: SqlReference): readonly string[] {
  const inside = ({ parts }: BoundSql): string[] =>
    parts.flatMap(each => (typeof each === 'string' ? [] : cubesOf(each)))
  if ('cube' in part) return [part.cube]
  if (part.kind === 'filterParams') return part.params.flatMap(({ column }) => inside(column.sql))
  if (part.kind === 'localTime' || part.kind === 'urlEncoded') return inside(part.sql)
  return part.kind === 'securityContext' && part.column ? inside(part.column.sql) : []
}
