import {
  addsUp,
  type CompiledQuery,
  compileQuery,
  type DialectName,
  expandQueries,
  type Model,
  type NormalizedQuery,
  type QueryContext,
  withAdHocMembers,
} from '@hedron/semantic'
import { unsupported } from '../messages/sql-error.ts'
import type { SqlType } from '../shapes/types.ts'
import { joinHintsOf } from './join-hints.ts'
import type { PartBuilder, PartOutput } from './part.ts'

/** A question to the model that a statement is made of, ready to run. */
export interface SqlPart {
  /** As the rest of the statement calls its table. */
  readonly name: string
  /** As `/v1/load` takes it; it is the whole question unless it has members of its own (`isPlain`). */
  readonly input: Readonly<Record<string, unknown>>
  readonly isPlain: boolean
  /** Members whose missing values come first, as in PostgreSQL in descending order; in the data API they come last. */
  readonly nullsFirst: readonly string[]
  /** It has members of its own, which no rollup has. */
  readonly hasAdHocMembers: boolean
  readonly query: NormalizedQuery
  readonly compiled: CompiledQuery
  /** Of the compiled statement, in its order. */
  readonly columns: readonly { readonly name: string; readonly type: SqlType }[]
}

export interface PartSurroundings {
  readonly model: Model
  readonly context: QueryContext
  readonly now: Date
  readonly timezone: string
  readonly dialectOf: (dataSource: string) => DialectName
}

/**
 * @param isInside whether expressions of the caller are computed around it by the same data source
 * @throws {QueryError} as any query of the data API
 */
export function compilePart(
  around: PartSurroundings,
  part: PartBuilder,
  parametersBefore: number,
  isInside = false,
): SqlPart {
  const { now, timezone, dialectOf } = around
  const context = { ...around.context, keepsRowsApart: isInside || part.adHoc.size > 0 }
  const model = withAdHocMembers(around.model, context, [...part.adHoc.values()])
  const outputs = [...part.outputs.values()]
  const input = inputOf(part, outputs, around)
  const all = Number.POSITIVE_INFINITY
  const options = { now, defaultTimezone: timezone, defaultLimit: all, maximumLimit: all, context }
  const [normalized] = expandQueries(model, input, options).queries
  if (!normalized) throw new Error('one query is one query')
  const query: NormalizedQuery = {
    ...normalized,
    // The rights to what ad hoc members are made of, and the rows behind it, are asked for by naming it.
    timeDimensions: [...normalized.timeDimensions, ...[...part.mentioned].map(dimension => ({ dimension }))],
    order: normalized.order.map((key, position) => ({ ...key, nullsFirst: part.order[position]?.nullsFirst ?? false })),
  }
  if (part.addedUpAt !== null && !addsUp(model, query, context)) {
    const hint = 'Aggregate measures in a sub-query without it'
    throw unsupported(
      'A calculated group or condition by a table that repeats rows in a SELECT that aggregates measures',
      part.addedUpAt,
      hint,
    )
  }
  const compiled = compileQuery(model, query, context, dialectOf, parametersBefore)
  const columns = compiled.columns.map(({ kind, member, granularity, alias }) => {
    const found = outputs.find(
      output =>
        output.id === member &&
        (output.kind === 'time') === (kind === 'timeDimension') &&
        (output.granularity ?? undefined) === granularity,
    )
    if (!found) throw new Error(`Nobody asked for the column ${alias}`)
    return { name: found.name, type: found.type }
  })
  return {
    name: part.id,
    input,
    isPlain: part.adHoc.size === 0,
    nullsFirst: part.order.flatMap(({ nullsFirst, output }) => (nullsFirst ? [output.id] : [])),
    hasAdHocMembers: part.adHoc.size > 0,
    query,
    compiled,
    columns,
  }
}

function inputOf(
  part: PartBuilder,
  outputs: readonly PartOutput[],
  { model, timezone }: Pick<PartSurroundings, 'model' | 'timezone'>,
): Readonly<Record<string, unknown>> {
  const of = (kind: PartOutput['kind']) => outputs.filter(output => output.kind === kind)
  const { relations, order, limit, offset, filters, segments, isUngrouped } = part
  const cubes = relations.map(({ source }) => source)
  const measures = of('measure').map(({ id }) => id)
  const dimensions = of('dimension').map(({ id }) => id)
  const timeDimensions = of('time').map(({ id, granularity }) => ({ dimension: id, granularity }))
  return {
    ...(measures.length > 0 ? { measures } : {}),
    ...(dimensions.length > 0 ? { dimensions } : {}),
    ...(timeDimensions.length > 0 ? { timeDimensions } : {}),
    ...(segments.size > 0 ? { segments: [...segments] } : {}),
    ...(filters.length > 0 ? { filters } : {}),
    order: order.map(({ output: { id, granularity }, descending }) => [
      granularity === null ? id : `${id}.${granularity}`,
      descending ? 'desc' : 'asc',
    ]),
    ...(limit === null ? {} : { limit }),
    ...(offset === null ? {} : { offset }),
    ...(timezone === 'UTC' ? {} : { timezone }),
    ...(isUngrouped ? { ungrouped: true } : {}),
    ...(cubes.length > 1 && cubes.every(({ kind }) => kind === 'cube')
      ? {
          joinHints: joinHintsOf(
            model,
            cubes.map(({ name }) => name),
          ),
        }
      : {}),
  }
}
