import { measureKinds } from '../shapes/measure-kinds.ts'
import type {
  GrainSpec,
  Located,
  MeasureSpec,
  SqlSpec,
  StageFilterSpec,
  StageSpec,
  SwitchSpec,
  TimeShiftSpec,
} from '../shapes/tree.ts'
import type { Interval } from '../shapes/window.ts'
import {
  boolean,
  listOf,
  locatedText,
  memberPath,
  oneOf,
  optional,
  type Reader,
  readMap,
  required,
  sql,
  sqlMap,
  text,
  watchProblems,
  wrongType,
} from './fields.ts'
import { interval } from './read-interval.ts'
import { modelFilter } from './read-model-filter.ts'
import { isMap, type ModelSource, type SourceMap } from './source-node.ts'

const members = listOf(memberPath)

const grain: Reader<GrainSpec> = (value, place, source) => {
  if (!isMap(value)) return wrongType(value, place, 'a map', source)
  const of = `'${place.key}' of ${place.of}`
  const fields = { keepOnly: optional(members), exclude: optional(members), include: optional(members, []) }
  const read = readMap(value, of, { fields }, source)
  if (!read) return undefined
  const { keepOnly, exclude, include } = read
  if (keepOnly && exclude) {
    source.log.report(source.at(value), 'keep_and_exclude', { of })
    return undefined
  }
  return { keepOnly, exclude: exclude ?? [], include }
}

export const stageFilter: Reader<StageFilterSpec> = (value, place, source) => {
  if (!isMap(value)) return wrongType(value, place, 'a map', source)
  const of = `'${place.key}' of ${place.of}`
  const fields = {
    mode: optional(oneOf(['relative', 'fixed']), 'relative'),
    keepOnly: optional(members),
    exclude: optional(members),
    include: optional(listOf(modelFilter), []),
  }
  const read = readMap(value, of, { fields }, source)
  if (!read) return undefined
  const { mode, keepOnly, exclude, include } = read
  if (keepOnly && exclude) {
    source.log.report(source.at(value), 'keep_and_exclude', { of })
    return undefined
  }
  return { isFixed: mode === 'fixed', keepOnly, exclude: exclude ?? [], include }
}

interface TimeShiftParts {
  readonly timeDimension: TimeShiftSpec['dimension']
  readonly interval: TimeShiftSpec['by']
  readonly type: 'prior' | 'next' | null
  readonly name: Located<string> | null
}

const timeShift: Reader<TimeShiftParts & { readonly node: SourceMap }> = (value, place, source) => {
  if (!isMap(value)) return wrongType(value, place, "a map with 'interval' and 'type', or 'name'", source)
  const fields = {
    timeDimension: optional(memberPath),
    interval: optional(interval),
    type: optional(oneOf(['prior', 'next'])),
    name: optional(locatedText),
  }
  const read = readMap(value, `'${place.key}' of ${place.of}`, { fields }, source)
  return read && { ...read, node: value }
}

const timeShifts: Reader<readonly TimeShiftSpec[]> = (value, place, source) => {
  const isWhole = watchProblems(source)
  const items = listOf(timeShift)(value, place, source)
  if (!items) return undefined
  const isOnly = items.length === 1
  const shifts = items.flatMap((item): TimeShiftSpec[] => {
    const { timeDimension: dimension, interval: by, type, name, node } = item
    const isSound = name ? isOnly && !by && !type : by !== null && type !== null && (isOnly || dimension !== null)
    if (!isSound && isWhole()) {
      source.log.report(source.at(node), 'time_shift_parts', { of: place.of })
      return []
    }
    return [{ dimension, name, by: by && (type === 'next' ? negated(by) : by) }]
  })
  return shifts
}

/** Plain JSON knows no negative zero. */
export const negated = ({ months, milliseconds }: Interval): Interval => ({
  months: 0 - months,
  milliseconds: 0 - milliseconds,
})

const orderBy: Reader<StageSpec['orderBy'][number]> = (value, place, source) => {
  if (!isMap(value)) return wrongType(value, place, "a map with 'sql' and 'dir'", source)
  const fields = { sql: required(sql), dir: optional(oneOf(['asc', 'desc']), 'asc') }
  const read = readMap(value, `'${place.key}' of ${place.of}`, { fields }, source)
  return read && { sql: read.sql, descending: read.dir === 'desc' }
}

const switchBranch: Reader<SwitchSpec['when'][number]> = (value, place, source) => {
  if (!isMap(value)) return wrongType(value, place, "a map with 'value' and 'sql'", source)
  return readMap(value, `'when' of ${place.of}`, { fields: { value: required(text), sql: required(sql) } }, source)
}

/** `case` with `switch`: one branch for each value of a switch dimension. */
export const switchCase: Reader<SwitchSpec> = (value, place, source) => {
  if (!isMap(value)) return wrongType(value, place, "a map with 'switch', 'when' and 'else'", source)
  const otherwise: Reader<SqlSpec> = (given, at, from) => sqlMap(given, at, from)
  const fields = { switch: required(sql), when: optional(listOf(switchBranch), []), else: optional(otherwise) }
  const read = readMap(value, `'${place.key}' of ${place.of}`, { fields }, source)
  return read && { on: read.switch, when: read.when, otherwise: read.else }
}

/** What only multi-stage measures have. */
export const stageFields = {
  multiStage: optional(boolean, false),
  grain: optional(grain),
  groupBy: optional(members),
  reduceBy: optional(members),
  addGroupBy: optional(members),
  filter: optional(stageFilter),
  timeShift: optional(timeShifts),
  orderBy: optional(listOf(orderBy)),
  case: optional(switchCase),
}

export interface StageParts {
  readonly type: MeasureSpec['type']
  readonly multiStage: boolean
  readonly grain: GrainSpec | null
  readonly groupBy: GrainSpec['keepOnly']
  readonly reduceBy: GrainSpec['keepOnly']
  readonly addGroupBy: GrainSpec['keepOnly']
  readonly filter: StageFilterSpec | null
  readonly timeShift: readonly TimeShiftSpec[] | null
  readonly orderBy: StageSpec['orderBy'] | null
  readonly case: SwitchSpec | null
}

/** The rules over what makes a measure multi-stage. */
export function followsStageRules(
  parts: StageParts,
  node: SourceMap,
  of: string,
  { log, at }: Pick<ModelSource, 'log' | 'at'>,
): boolean {
  if (!parts.multiStage && !hasStageOnly(parts)) return true
  if (!parts.multiStage) {
    log.report(at(node), 'stage_only', { parts: stageOnly(parts), of })
    return false
  }
  const { groupBy, reduceBy, addGroupBy } = parts
  if (parts.grain && (groupBy || reduceBy || addGroupBy)) {
    log.warn(at(node), 'no_effect', { what: `'group_by', 'reduce_by' and 'add_group_by' of ${of}` })
  }
  if (parts.type === 'rank' ? parts.orderBy?.length : !parts.orderBy) return true
  log.report(at(node), 'rank_order', { of })
  return false
}

/** The stage of a measure; null for one that has a single stage. */
export function stageOf(parts: StageParts): StageSpec | null {
  if (!parts.multiStage && !hasStageOnly(parts)) return null
  const { groupBy, reduceBy, addGroupBy } = parts
  return {
    grain: parts.grain ?? { keepOnly: groupBy, exclude: reduceBy ?? [], include: addGroupBy ?? [] },
    filter: parts.filter,
    timeShifts: parts.timeShift ?? [],
    orderBy: parts.orderBy ?? [],
    cases: parts.case,
  }
}

/** Whether a measure has anything that a single stage can't have. */
const hasStageOnly = (parts: StageParts): boolean =>
  parts.grain !== null ||
  parts.groupBy !== null ||
  parts.reduceBy !== null ||
  parts.addGroupBy !== null ||
  parts.filter !== null ||
  parts.timeShift !== null ||
  parts.orderBy !== null ||
  parts.case !== null ||
  measureKinds[parts.type].of === 'groups'

/** The parts of a measure that a single stage can't have, in words. */
function stageOnly(parts: StageParts): string[] {
  const given: readonly (readonly [string, unknown])[] = [
    ['grain', parts.grain],
    ['group_by', parts.groupBy],
    ['reduce_by', parts.reduceBy],
    ['add_group_by', parts.addGroupBy],
    ['filter', parts.filter],
    ['time_shift', parts.timeShift],
    ['order_by', parts.orderBy],
    ['case', parts.case],
  ]
  const keys = given.flatMap(([key, value]) => (value === null ? [] : [`'${key}'`]))
  return measureKinds[parts.type].of === 'groups' ? [...keys, `type: ${parts.type}`] : keys
}
