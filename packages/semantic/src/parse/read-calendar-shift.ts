import type { CalendarShiftSpec } from '../shapes/tree.ts'
import { listOf, locatedText, oneOf, optional, type Reader, readMap, sql, watchProblems, wrongType } from './fields.ts'
import { interval } from './read-interval.ts'
import { negated } from './read-stage.ts'
import { isMap } from './source-node.ts'

const shift: Reader<CalendarShiftSpec> = (value, place, source) => {
  if (!isMap(value)) return wrongType(value, place, "a map with 'name', 'interval' and 'type', or 'sql'", source)
  const fields = {
    name: optional(locatedText),
    interval: optional(interval),
    type: optional(oneOf(['prior', 'next'])),
    sql: optional(sql),
  }
  const isSound = watchProblems(source)
  const read = readMap(value, `'${place.key}' of ${place.of}`, { fields }, source)
  if (!read) return undefined
  const { name, interval: by, type, sql: key } = read
  const parts = [name, by, key].filter(part => part !== null)
  if (parts.length !== 2 || (by === null) !== (type === null)) {
    if (isSound()) source.log.report(source.at(value), 'calendar_shift_parts', { of: place.of })
    return undefined
  }
  return { name, by: by && (type === 'next' ? negated(by) : by), sql: key, at: source.at(value) }
}

/** `time_shift` of a time dimension of a calendar (contract/behaviour/data-model.md, section 3). */
export const calendarShifts = listOf(shift)
