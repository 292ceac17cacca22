import { measureKinds, typesOfRows } from '../shapes/measure-kinds.ts'
import type { Located, MeasureSpec } from '../shapes/tree.ts'
import { type MeasureType, measureTypes } from '../shapes/vocabulary.ts'
import {
  boolean,
  listOf,
  locatedJson,
  locatedText,
  memberPath,
  oneOf,
  optional,
  orElse,
  readMap,
  required,
  sql,
  sqlMap,
  text,
  watchProblems,
} from './fields.ts'
import { describedFields, describedSynonyms } from './named.ts'
import { mask } from './read-mask.ts'
import { followsStageRules, type StageParts, stageFields, stageOf } from './read-stage.ts'
import { rollingWindow } from './read-window.ts'
import type { ModelSource, SourceMap } from './source-node.ts'

const camelCase = (word: string) => word.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
const camelCaseTypes: Readonly<Record<string, MeasureType>> = Object.fromEntries(
  measureTypes.map(type => [camelCase(type), type]),
)

const measureFields = {
  ...describedFields,
  ...stageFields,
  type: required(orElse(oneOf(measureTypes, { synonyms: camelCaseTypes }), 'number')),
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

/** Reads one measure and the rules that need nothing but the measure itself. */
export function readMeasure(
  node: SourceMap,
  name: Located<string>,
  cube: string,
  source: ModelSource,
): MeasureSpec | undefined {
  const of = `measure '${name.value}' of cube '${cube}'`
  const isSound = watchProblems(source)
  const read = readMap(node, of, measureRules, source)
  if (!read) return undefined
  if (isSound()) checkRules(read, node, of, source)
  const stage = stageOf(read)
  const { name: ownName, title, description, meta, type, filters, drillFilters, format, currency, drillMembers } = read
  const measure: MeasureSpec = {
    name: ownName,
    title,
    description,
    public: read.public,
    meta,
    type,
    sql: read.sql,
    filters,
    drillFilters,
    mask: read.mask,
    isCumulative: read.cumulative,
    window: read.rollingWindow,
    stage,
    format,
    currency,
    drillMembers,
  }
  if (type !== 'running_total') return measure
  source.log.warn(source.at(node), 'deprecated', {
    what: `type: running_total of ${of}`,
    instead: "Write type: sum with 'rolling_window: { trailing: unbounded }'.",
  })
  return { ...measure, window: measure.window ?? runningTotal }
}

const runningTotal = { kind: 'fixed', trailing: 'unbounded', leading: null, anchor: 'end' } as const

interface Checked extends StageParts {
  readonly sql: unknown
  readonly filters: readonly unknown[]
  readonly rollingWindow: unknown
}

/** The rules over several parts of a measure; the first that is broken is told. */
function checkRules(read: Checked, node: SourceMap, of: string, { log, at }: ModelSource): void {
  if (!followsStageRules(read, node, of, { log, at })) return
  const { type, sql: given, multiStage, case: cases } = read
  const { of: kind } = measureKinds[type]
  const hasCases = multiStage && cases !== null
  if (type === 'rank' && given) log.warn(at(node), 'no_effect', { what: `'sql' of ${of}` })
  if (hasCases && given) log.report(at(node), 'case_and_sql', { of })
  else if (!hasCases && !given && type !== 'count' && type !== 'rank')
    log.report(at(node), 'required', { key: 'sql', of })
  else if (read.filters.length > 0 && (kind === 'sql' || type === 'rank')) {
    log.report(at(node), 'filters_on_expression', { of, type })
  } else if (read.rollingWindow && kind !== 'rows') {
    // A window says which rows.
    log.report(at(node), 'window_type', { of, type, allowed: typesOfRows })
  }
}
