import { oncePerObject } from '../once-per-object.ts'
import type { ModelIndex } from '../resolve/model-index.ts'
import { measureKinds } from '../shapes/measure-kinds.ts'
import type { BoundSql, Measure } from '../shapes/model.ts'

const aggregateCall =
  /\b(sum|count|avg|min|max|median|mode|stddev\w*|var_\w+|variance|quantile\w*|percentile\w*|approx_\w+|string_agg|array_agg|list|bool_and|bool_or|every|any_value|first|last|arg_max|arg_min|max_by|min_by|corr|covar_\w+|regr_\w+|product|histogram|group_concat|listagg)\s*\(/i

/** A measure that only calculates with other measures; one that aggregates in its own SQL is a leaf like a sum. */
export function isCalculation(index: ModelIndex, measure: Measure): boolean {
  if (measureKinds[measure.type].aggregate || !measure.sql) return false
  let refersTo = 0
  for (const part of measure.sql.parts) {
    if (typeof part === 'string') continue
    if (part.kind !== 'member' || index.member(part.cube, part.member).kind !== 'measure') return false
    refersTo += 1
  }
  return refersTo > 0 && !callsAggregate(measure.sql)
}

const callsAggregate = oncePerObject(({ parts }: BoundSql) =>
  parts.some(part => typeof part === 'string' && aggregateCall.test(part)),
)
