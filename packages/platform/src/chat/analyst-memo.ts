import type { Question } from '@hedron/analyst'
import * as z from 'zod'

const measure = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('measure'), member: z.string() }),
  z.object({
    kind: z.literal('aggregate'),
    function: z.enum(['avg', 'sum', 'min', 'max', 'distinct']),
    member: z.string(),
  }),
  z.object({ kind: z.literal('ratio'), of: z.string(), per: z.string() }),
])
const comparison = z.enum(['gt', 'gte', 'lt', 'lte', 'equals', 'notEquals'])
const filter = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('values'),
    member: z.string(),
    operator: z.enum(['equals', 'notEquals', 'contains', 'notContains']),
    values: z.array(z.string()),
  }),
  z.object({ kind: z.literal('number'), member: z.string(), operator: comparison, value: z.number() }),
  z.object({ kind: z.literal('flag'), member: z.string(), value: z.boolean() }),
  z.object({ kind: z.literal('segment'), member: z.string(), isNegated: z.boolean() }),
])
const range = z.object({ from: z.string().nullable(), to: z.string().nullable() })

const Memo = z.object({
  question: z.object({
    source: z.string(),
    measures: z.array(measure),
    dimensions: z.array(z.string()),
    filters: z.array(filter),
    having: z.array(z.object({ measure, operator: comparison, value: z.number() })),
    time: z
      .object({
        dimension: z.string(),
        range: range.nullable(),
        grain: z.string().nullable(),
        part: z.enum(['weekday', 'weekend', 'hour', 'month']).nullable(),
        days: z.array(z.number().int().min(1).max(7)).nullable().default(null),
      })
      .nullable(),
    compare: range.nullable(),
    share: z.union([z.literal('ofTotal'), z.object({ filters: z.array(filter) })]).nullable(),
    changes: z.boolean(),
    // Threads of before these could be asked go on.
    course: z
      .object({ from: z.string().nullable().default(null), before: z.string() })
      .nullable()
      .default(null),
    running: z.boolean().default(false),
    average: z.enum(['periods', 'groups']).nullable().default(null),
    extremes: z.string().nullable().default(null),
    order: z.object({ by: z.enum(['measure', 'dimension', 'change']), descending: z.boolean() }).nullable(),
    limit: z.number().nullable(),
    chart: z.enum(['bar', 'line', 'area', 'pie', 'scatter', 'table']).nullable(),
  }),
})

/** The question before, as the analyst left it with the thread; null where another agent did, or none. */
export function readMemo(memo: unknown): Question | null {
  const { success, data } = Memo.safeParse(memo)
  return success ? data.question : null
}
