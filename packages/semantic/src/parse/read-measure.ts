import type { Located, MeasureSpec, StageSpec } from '../shapes/tree.ts'
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
import { stageFields, stageOf } from './read-stage.ts'
import { rollingWindow } from './read-window.ts'
import type { ModelSource, SourceMap } from './source-node.ts'

const measureFields = {
  ...describedFields,
  ...stageFields,
  type: required(
    oneOf(measureTypes, {
      synonyms: {
        countDistinct: 'count_distinct',
        countDistinctApprox: 'count_distinct_approx',
        runningTotal: 'running_total',
        numberAgg: 'number_agg',
      },
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
  rollingWindow: optional(rollingWindow),
}

const measureRules = {
  fields: measureFields,
  synonyms: { ...describedSynonyms, visible: 'public', drillMemberReferences: 'drillMembers' },
  inert: { aliases: listOf(text) },
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
  const stage = stageOf(read, node, of, source)
  if (stage === undefined) return undefined
  const at = source.at(node)
  if (!hasItsSql(read, stage)) {
    source.log.report(at, stage?.cases ? 'case_and_sql' : 'required', { key: 'sql', of })
    return undefined
  }
  if (read.type === 'rank' && read.sql) {
    source.log.warn(at, 'no_effect', { what: `'sql' of ${of}` })
  }
  if (read.filters.length > 0 && (calculatedTypes.includes(read.type) || read.type === 'rank')) {
    source.log.report(at, 'filters_on_expression', { of, type: read.type })
    return undefined
  }
  if (read.rollingWindow && !rollingTypes.includes(read.type)) {
    source.log.report(at, 'window_type', { of, type: read.type, allowed: rollingTypes })
    return undefined
  }
  const { multiStage, grain, groupBy, reduceBy, addGroupBy, filter, timeShift, orderBy, case: cases, ...rest } = read
  const { rollingWindow: window, cumulative: isCumulative, ...measure } = rest
  if (read.type !== 'running_total') return { ...measure, isCumulative, stage, window }
  source.log.warn(at, 'deprecated', {
    what: `type: running_total of ${of}`,
    instead: "Write type: sum with 'rolling_window: { trailing: unbounded }'.",
  })
  return { ...measure, isCumulative, stage, window: window ?? runningTotal }
}

const runningTotal = { kind: 'fixed', trailing: 'unbounded', leading: null, anchor: 'end' } as const

/** Types that aggregate rows, so that a window can say which. */
const rollingTypes: readonly string[] = [
  'count',
  'count_distinct',
  'count_distinct_approx',
  'sum',
  'avg',
  'min',
  'max',
  'running_total',
]

function hasItsSql({ type, sql: given }: Pick<MeasureSpec, 'type' | 'sql'>, stage: StageSpec | null): boolean {
  if (stage?.cases) return given === null
  return given !== null || type === 'count' || type === 'rank'
}
