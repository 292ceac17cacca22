import { measureKinds, typesOfRows } from '../shapes/measure-kinds.ts'
import type { Located, MeasureSpec, StageSpec } from '../shapes/tree.ts'
import { type MeasureType, measureTypes } from '../shapes/vocabulary.ts'
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

const camelCase = (word: string) => word.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
const camelCaseTypes: Readonly<Record<string, MeasureType>> = Object.fromEntries(
  measureTypes.map(type => [camelCase(type), type]),
)

const measureFields = {
  ...describedFields,
  ...stageFields,
  type: required(oneOf(measureTypes, { synonyms: camelCaseTypes })),
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
  const read = readMap(node, of, measureRules, source)
  if (!read) return undefined
  const stage = stageOf(read, node, of, source)
  if (stage === undefined) return undefined
  if (!hasItsSql(read, stage)) {
    source.log.report(source.at(node), stage?.cases ? 'case_and_sql' : 'required', { key: 'sql', of })
    return undefined
  }
  if (read.type === 'rank' && read.sql) {
    source.log.warn(source.at(node), 'no_effect', { what: `'sql' of ${of}` })
  }
  if (read.filters.length > 0 && (measureKinds[read.type].of === 'sql' || read.type === 'rank')) {
    source.log.report(source.at(node), 'filters_on_expression', { of, type: read.type })
    return undefined
  }
  // A window says which rows.
  if (read.rollingWindow && measureKinds[read.type].of !== 'rows') {
    source.log.report(source.at(node), 'window_type', { of, type: read.type, allowed: typesOfRows })
    return undefined
  }
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

function hasItsSql({ type, sql: given }: Pick<MeasureSpec, 'type' | 'sql'>, stage: StageSpec | null): boolean {
  if (stage?.cases) return given === null
  return given !== null || type === 'count' || type === 'rank'
}
