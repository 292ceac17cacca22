import type { CompiledQuery, CompiledRefreshKey, DialectName, Statement } from '../shapes/compiled.ts'
import type { GivenValues, Origin } from '../shapes/plan.ts'
import type { Recording } from '../sql/sql-writer.ts'

/** A compiled query into which the values of another query of its shape can be filled. */
export interface Template {
  readonly compiled: CompiledQuery
  readonly dialectName: DialectName
  readonly recording: Recording
}

/** The query with other values; null where its text would be another one. */
export function fillTemplate({ compiled, recording }: Template, given: GivenValues): CompiledQuery | null {
  const { origins, texts } = recording
  for (const { origin, write, text } of texts) if (write(origin(given)) !== text) return null
  // Both pages, and the total, have much the same parameters.
  const made = new Map<Origin, string>()
  const make = (origin: Origin): string => {
    const known = made.get(origin)
    if (known !== undefined) return known
    const value = origin(given)
    made.set(origin, value)
    return value
  }
  const filled = ({ sql, parameters }: Statement): Statement => ({
    sql,
    parameters: fill(parameters, origins.get(parameters), make),
  })
  const { oneMore, columns, dataSource, cubes, refreshKeys, total } = compiled
  return {
    ...filled(compiled),
    oneMore: filled(oneMore),
    columns,
    dataSource,
    cubes,
    refreshKeys: refreshKeys.map(
      (key): CompiledRefreshKey => (key.kind === 'sql' ? { ...key, statement: filled(key.statement) } : key),
    ),
    total: total && filled(total),
  }
}

function fill(
  parameters: Statement['parameters'],
  origins: readonly (Origin | undefined)[] | undefined,
  make: (origin: Origin) => string,
): Statement['parameters'] {
  if (origins === undefined) throw new Error('A statement of a template was not recorded')
  return parameters.map((parameter, position) => {
    const origin = origins[position]
    return origin === undefined ? parameter : make(origin)
  })
}

/** How much memory it takes, roughly: in bytes. */
export function sizeOf({ compiled }: Template): number {
  const statements: Statement[] = [compiled, compiled.oneMore, ...(compiled.total ? [compiled.total] : [])]
  for (const key of compiled.refreshKeys) if (key.kind === 'sql') statements.push(key.statement)
  const lengths = statements.reduce(
    (sum, { sql, parameters }) =>
      sum + sql.length + parameters.reduce<number>((length, value) => length + 100 + String(value).length, 0),
    0,
  )
  return 2_000 + 2 * lengths + 200 * (compiled.columns.length + compiled.cubes.length)
}
