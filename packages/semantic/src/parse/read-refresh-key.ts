import type { Located, RefreshKeySpec, Schedule, SqlSpec } from '../shapes/tree.ts'
import { isTimezone } from '../time/local-time.ts'
import { boolean, locatedText, optional, type Reader, readMap, sql, watchProblems } from './fields.ts'
import { readSchedule } from './read-schedule.ts'
import { describeNode, isMap, type ModelSource } from './source-node.ts'

const everyPattern = /^(\d+) (second|minute|hour|day|week)s?$/
const secondsIn: Readonly<Record<string, number>> = { second: 1, minute: 60, hour: 3600, day: 86_400, week: 604_800 }

interface Written {
  readonly every: Located<string> | null
  readonly timezone: Located<string> | null
  readonly sql: SqlSpec | null
}

/** When what a cube says grows old. */
export const refreshKey: Reader<RefreshKeySpec> = (value, place, source) => {
  if (!isMap(value)) {
    source.log.report(source.at(value), 'wrong_type', { ...place, expected: 'a map', actual: describeNode(value) })
    return undefined
  }
  const fields = {
    every: optional(locatedText),
    timezone: optional(locatedText),
    sql: optional(sql),
    immutable: optional(boolean, false),
  }
  const isSound = watchProblems(source)
  const read = readMap(value, `'refresh_key' of ${place.of}`, { fields }, source)
  if (!read || !isSound()) return undefined
  const { immutable: isImmutable } = read
  const every = readEvery(read, source)
  if (every === undefined) return undefined
  if (isImmutable === Boolean(every || read.sql)) {
    source.log.report(source.at(value), 'refresh_key_parts', { cube: place.of.replace(/^cube '|'$/g, '') })
    return undefined
  }
  return { every, sql: read.sql, isImmutable }
}

/** Seconds, or a schedule, which can't stand beside `sql`. `undefined` when a problem was reported. */
export function readEvery(
  { every, timezone, sql: query }: Written,
  { log }: ModelSource,
  key = 'every',
): number | Schedule | null | undefined {
  const [, count = '', unit = ''] = everyPattern.exec(every?.value ?? '') ?? []
  const schedule = every && count === '' && !query ? readSchedule(every.value) : null
  if (timezone && !(schedule && schedule !== 'unequal')) {
    log.report(timezone.at, 'refresh_timezone_alone', {})
  } else if (timezone && !isTimezone(timezone.value)) {
    log.report(timezone.at, 'refresh_timezone', { timezone: timezone.value })
    return undefined
  }
  if (!every) return timezone ? undefined : null
  if (count !== '') return timezone ? undefined : Number(count) * (secondsIn[unit] ?? 1)
  if (schedule === 'unequal') log.report(every.at, 'refresh_cron', { cron: every.value })
  else if (!schedule) log.report(every.at, 'refresh_every', { key, value: every.value })
  else return { ...schedule, timezone: timezone?.value ?? 'UTC' }
  return undefined
}
