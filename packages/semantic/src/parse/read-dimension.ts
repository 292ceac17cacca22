import type {
  CaseSpec,
  DimensionSpec,
  DimensionStageSpec,
  GranularitySpec,
  LabelSpec,
  Located,
  SwitchSpec,
} from '../shapes/tree.ts'
import { dimensionTypes } from '../shapes/vocabulary.ts'
import {
  boolean,
  listOf,
  locatedJson,
  locatedText,
  memberPath,
  oneOf,
  optional,
  orElse,
  type Place,
  type Reader,
  readMap,
  required,
  sql,
  sqlMap,
  text,
  watchProblems,
} from './fields.ts'
import { describedFields, describedSynonyms, namedList } from './named.ts'
import { calendarShifts } from './read-calendar-shift.ts'
import { links } from './read-links.ts'
import { mask } from './read-mask.ts'
import { stageFilter, switchCase } from './read-stage.ts'
import { isMap, type ModelSource, type SourceMap, type SourceNode } from './source-node.ts'

const label: Reader<LabelSpec> = (value, place, source) => {
  if (isMap(value)) {
    const read = sqlMap(value, place, source)
    return read && { sql: read }
  }
  const read = text(value, place, source)
  return read === undefined ? undefined : { text: read }
}

const branch: Reader<CaseSpec['when'][number]> = (value, place, source) => {
  if (!isMap(value)) {
    source.log.report(source.at(value), 'case_label', { of: place.of })
    return undefined
  }
  const fields = { sql: required(sql), label: required(orElse(label, { text: '' })) }
  const read = readMap(value, `'when' of ${place.of}`, { fields }, source)
  return read && { condition: read.sql, label: read.label }
}

const otherwise: Reader<LabelSpec> = (value, place, source) => {
  if (!isMap(value)) {
    source.log.report(source.at(value), 'case_label', { of: place.of })
    return undefined
  }
  return readMap(value, `'else' of ${place.of}`, { fields: { label: required(label) } }, source)?.label
}

type CasesSpec =
  | { readonly kind: 'conditions'; readonly cases: CaseSpec }
  | { readonly kind: 'choice'; readonly choice: SwitchSpec }

const cases: Reader<CasesSpec> = (value, place, source) => {
  if (!isMap(value)) {
    source.log.report(source.at(value), 'case_label', { of: place.of })
    return undefined
  }
  if (value.entries.some(({ name }) => name === 'switch')) {
    const choice = switchCase(value, place, source)
    return choice && { kind: 'choice', choice }
  }
  const fields = { when: required(listOf(branch)), else: optional(otherwise) }
  const read = readMap(value, `'case' of ${place.of}`, { fields }, source)
  return read && { kind: 'conditions', cases: { when: read.when, otherwise: read.else } }
}

function readGranularity(node: SourceMap, name: Located<string>, source: ModelSource): GranularitySpec | undefined {
  const fields = {
    name: required(locatedText),
    title: optional(text),
    interval: optional(locatedText),
    offset: optional(locatedText),
    origin: optional(locatedText),
    sql: optional(sql),
  }
  const isSound = watchProblems(source)
  const read = readMap(node, `granularity '${name.value}'`, { fields }, source)
  if (!read) return undefined
  const isOneOf = read.sql ? !read.interval && !read.offset && !read.origin : read.interval !== null
  if (isOneOf || !isSound()) return read
  source.log.report(name.at, 'granularity_parts', { of: name.value })
  return undefined
}

const dimensionFields = {
  ...describedFields,
  type: required(orElse(oneOf(dimensionTypes), 'string')),
  sql: optional(sql),
  latitude: optional(sqlMap),
  longitude: optional(sqlMap),
  case: optional(orElse(cases, { kind: 'conditions', cases: { when: [], otherwise: null } })),
  values: optional(listOf(text), []),
  primaryKey: optional(boolean, false),
  subQuery: optional(boolean, false),
  propagateFiltersToSubQuery: optional(boolean, false),
  multiStage: optional(boolean, false),
  addGroupBy: optional(listOf(memberPath)),
  filter: optional(stageFilter),
  suggestFilterValues: optional(boolean, true),
  format: optional(locatedJson),
  currency: optional(locatedText),
  order: optional(oneOf(['asc', 'desc'])),
  key: optional(memberPath),
  links: optional(links, []),
  mask: optional(mask),
  granularities: optional(
    namedList('granularity', readGranularity, () => undefined),
    [],
  ),
  timeShift: optional(calendarShifts, []),
}

const dimensionRules = {
  fields: dimensionFields,
  synonyms: { ...describedSynonyms, enableSuggestions: 'suggestFilterValues' },
  inert: { aliases: listOf(text), valuesAsSegments: boolean, fieldType: oneOf(['string']) },
} as const

/** Reads one dimension and the rules that need nothing but the dimension itself. */
export function readDimension(
  node: SourceMap,
  name: Located<string>,
  cube: string,
  source: ModelSource,
): DimensionSpec | undefined {
  const of = `dimension '${name.value}' of cube '${cube}'`
  const isSound = watchProblems(source)
  const read = readMap(node, of, dimensionRules, source)
  if (!read) return undefined
  const { case: caseSpec, primaryKey: isPrimaryKey, subQuery: isSubQuery, propagateFiltersToSubQuery } = read
  const place: Place = { key: name.value, of }
  if (isSound()) checkRules(read, node, place, source)
  if (!hasValue(read)) return undefined
  const { multiStage, addGroupBy, filter } = read
  const stage = multiStage ? { include: addGroupBy ?? [], filter } : null
  if (propagateFiltersToSubQuery && !isSubQuery) {
    source.log.warn(name.at, 'needs_companion', {
      key: 'propagate_filters_to_sub_query',
      of,
      without: "'sub_query: true'",
    })
  }
  const subQuery = isSubQuery ? { propagatesFilters: propagateFiltersToSubQuery } : null
  const cases = caseSpec?.kind === 'conditions' ? caseSpec.cases : null
  const choice = caseSpec?.kind === 'choice' ? caseSpec.choice : null
  // Each by its name: copies of a rest are slow to make, and there are many dimensions.
  return {
    name: read.name,
    title: read.title,
    description: read.description,
    public: read.public,
    meta: read.meta,
    type: read.type,
    sql: read.sql,
    latitude: read.latitude,
    longitude: read.longitude,
    values: read.values,
    suggestFilterValues: read.suggestFilterValues,
    format: read.format,
    currency: read.currency,
    order: read.order,
    key: read.key,
    links: read.links,
    mask: read.mask,
    granularities: read.granularities,
    cases,
    choice,
    stage,
    isPrimaryKey,
    subQuery,
    timeShifts: read.timeShift,
    address: null,
  }
}

interface StageParts {
  readonly type: DimensionSpec['type']
  readonly multiStage: boolean
  readonly addGroupBy: DimensionStageSpec['include'] | null
  readonly filter: DimensionStageSpec['filter']
  readonly primaryKey: boolean
  readonly subQuery: boolean
}

function checkRules(read: StageParts & Checked, node: SourceNode, place: Place, source: ModelSource): void {
  if (followsStageRules(read, node, place, source)) checkParts(read, node, place, source)
}

/** Some dimensions that are computed from groups of rows could not be, and some parts are for those alone. */
function followsStageRules(
  { type, multiStage, addGroupBy, filter, primaryKey, subQuery }: StageParts,
  node: SourceNode,
  { of }: Place,
  source: ModelSource,
): boolean {
  if (!multiStage) {
    if (!addGroupBy && !filter) return true
    const parts = [...(addGroupBy ? ["'add_group_by'"] : []), ...(filter ? ["'filter'"] : [])]
    source.log.report(source.at(node), 'stage_only', { parts, of })
    return false
  }
  if (primaryKey || subQuery || type === 'geo' || type === 'switch') {
    source.log.report(source.at(node), 'stage_dimension_parts', { of })
    return false
  }
  return true
}

interface Checked {
  readonly type: DimensionSpec['type']
  readonly sql: unknown
  readonly case: unknown
  readonly latitude: unknown
  readonly longitude: unknown
  readonly granularities: readonly unknown[]
  readonly timeShift: readonly unknown[]
  readonly primaryKey: boolean
  readonly subQuery: boolean
  readonly values: readonly string[]
}

/** Whether there is anything to compute it from. */
const hasValue = (read: Checked): boolean =>
  Boolean(read.sql || read.case || (read.latitude && read.longitude)) || read.type === 'switch'

/** The rules over the other parts; the first that is broken is told. */
function checkParts(read: Checked, node: SourceNode, { of }: Place, source: ModelSource): void {
  const at = source.at(node)
  const { log } = source
  const isTime = read.type === 'time'
  if (read.type === 'switch') {
    const parts = [read.sql, read.case, read.latitude, read.longitude]
    const isSwitch = read.values.length > 0 && parts.every(part => part === null) && !read.subQuery
    if (!isSwitch) log.report(at, 'switch_parts', { of })
  } else if (read.values.length > 0) log.report(at, 'switch_only', { of })
  else if (read.subQuery && (!read.sql || read.primaryKey)) log.report(at, 'sub_query_sql', { of })
  else if (read.type === 'geo') {
    if (!read.latitude || !read.longitude || read.sql || read.case) log.report(at, 'geo_parts', { of })
  } else if (read.latitude || read.longitude) log.report(at, 'geo_only', { of })
  else if (Boolean(read.sql) === Boolean(read.case)) log.report(at, 'dimension_sql', { of })
  else if (read.granularities.length > 0 && !isTime) log.report(at, 'time_only', { key: 'granularities', of })
  else if (read.timeShift.length > 0 && !isTime) log.report(at, 'time_only', { key: 'time_shift', of })
}
