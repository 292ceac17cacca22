import type { Located, MeasureSpec } from '../shapes/tree.ts'
import { measureTypes } from '../shapes/vocabulary.ts'
import {
  boolean,
  listOf,
  locatedJson,
  locatedText,
  memberPath,
  oneOf,
  optional,
  readMap,
  required,
  sql,
  sqlMap,
  text,
} from './fields.ts'
import { describedFields, describedSynonyms } from './named.ts'
import { mask } from './read-mask.ts'
import type { ModelSource, SourceMap } from './source-node.ts'

const measureUnsupported = [
  'rollingWindow',
  'multiStage',
  'grain',
  'groupBy',
  'reduceBy',
  'addGroupBy',
  'filter',
  'timeShift',
  'orderBy',
  'case',
]

const measureFields = {
  ...describedFields,
  type: required(
    oneOf(measureTypes, {
      synonyms: { countDistinct: 'count_distinct', countDistinctApprox: 'count_distinct_approx' },
      unsupported: ['running_total', 'runningTotal', 'rank', 'number_agg', 'numberAgg'],
    }),
  ),
  sql: optional(sql),
  filters: optional(listOf(sqlMap), []),
  drillFilters: optional(listOf(sqlMap), []),
  mask: optional(mask),
  cumulative: optional(boolean, false),
  format: optional(locatedJson),
  currency: optional(locatedText),
  drillMembers: optional(listOf(memberPath), []),
}

const measureRules = {
  fields: measureFields,
  synonyms: { ...describedSynonyms, visible: 'public', drillMemberReferences: 'drillMembers' },
  inert: { aliases: listOf(text) },
  unsupported: measureUnsupported,
} as const

const calculatedTypes: readonly string[] = ['number', 'string', 'time', 'boolean']

/** Reads one measure and the rules that need nothing but the measure itself. */
export function readMeasure(
  node: SourceMap,
  name: Located<string>,
  cube: string,
  source: ModelSource,
): MeasureSpec | undefined {
  const of = `measure '${name.value}' of cube '${cube}'`
  const read = readMap(node, of, measureRules, source)
  if (!read) return undefined
  if (!read.sql && read.type !== 'count') {
    source.log.report(source.at(node), 'required', { key: 'sql', of })
    return undefined
  }
  if (read.filters.length > 0 && calculatedTypes.includes(read.type)) {
    source.log.report(source.at(node), 'filters_on_expression', { of, type: read.type })
    return undefined
  }
  const { cumulative: isCumulative, ...rest } = read
  return { ...rest, isCumulative }
}
