import { IANAZone } from 'luxon'
import { firstWritten, lastWritten, readIso, writeIso } from './iso-digits.ts'

/**
 * Local times are numbers of milliseconds: what `Date.UTC` gives for the digits on the wall. They are written
 * `YYYY-MM-DDTHH:mm:ss.SSS`, without a zone.
 */
export type LocalTime = number

const minute = 60_000
const day = 86_400_000

/**
 * Asking costs more than planning a query. Names are kept only if they exist, and in lower case, as they may be written with any letters
 * large: so there are never many.
 */
const knownTimezones = new Set<string>()

export function isTimezone(name: string): boolean {
  const known = name.toLowerCase()
  if (knownTimezones.has(known)) return true
  const isKnown = /^[A-Za-z][\w+\-/]*$/.test(name) && IANAZone.isValidZone(name)
  if (isKnown) knownTimezones.add(known)
  return isKnown
}

/**
 * A zone's name as databases and rollups know it, of which some read no small letters: `europe/berlin` is `Europe/Berlin`. Names in
 * any other spelling stay as they are, so that `Asia/Kolkata` is not called by its older name.
 *
 * @param name one that `isTimezone` knows
 */
export function spellTimezone(name: string): string {
  if (name !== name.toLowerCase()) return name
  return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone
}

/**
 * Times outside of the years 1 to 9999, to which windows, shifts and zones lead from the ends of time that clients ask for, are the first
 * or last of these: databases read no others in one way.
 */
export const formatLocal = (local: LocalTime): string =>
  writeIso(local) ?? new Date(written(local)).toISOString().slice(0, 23)

const written = (local: LocalTime) => Math.min(Math.max(local, firstWritten), lastWritten)

export function localNow(now: Date, timezone: string): LocalTime {
  return localOf(now.getTime(), timezone)
}

export function localOf(instant: number, timezone: string): LocalTime {
  return instant + offsetAt(instant, timezone)
}

/**
 * The first instant at which clocks of the zone show `local`. Where clocks were set back there are two and the earlier is
 * meant; where they were set forward over it there is none, and the instant is as long after the change as `local` is.
 */
export function instantOf(local: LocalTime, timezone: string): number {
  const before = offsetAt(local - day, timezone)
  const after = offsetAt(local + day, timezone)
  if (before === after) return local - before
  const candidates = [local - before, local - after].filter(instant => localOf(instant, timezone) === local)
  return candidates.length > 0 ? Math.min(...candidates) : local - before
}

/** The last millisecond that belongs to a range ending, inclusively, at `local`. */
export function lastInstantOf(local: LocalTime, timezone: string): number {
  return instantOf(local + 1, timezone) - 1
}

function offsetAt(instant: number, timezone: string): number {
  if (timezone === 'UTC') return 0
  // Remembered by name for good, with a formatter each.
  return IANAZone.create(timezone.toLowerCase()).offset(instant) * minute
}

const isoPattern =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s*(Z|[+-]\d{2}:?\d{2})?)?$/

/** Reads `YYYY-MM-DD` or a timestamp, with or without a zone of its own. `null` when it is neither, or no real date. */
export function parseIso(
  text: string,
  timezone: string,
): { readonly local: LocalTime; readonly isDate: boolean } | null {
  const usual = readIso(text)
  if (usual) return { local: usual.time, isDate: usual.isDate }
  const [, year, month, date, hour, minutes, seconds, fraction, zone] = isoPattern.exec(text.trim()) ?? []
  if (year === undefined) return null
  const milliseconds = Number((fraction ?? '').slice(0, 3).padEnd(3, '0'))
  const digits = [year, month, date, hour ?? 0, minutes ?? 0, seconds ?? 0].map(Number)
  const [y = 0, m = 0, d = 0, h = 0, min = 0, s = 0] = digits
  const value = new Date(0)
  value.setUTCFullYear(y, m - 1, d)
  value.setUTCHours(h, min, s, milliseconds)
  const isReal = value.getUTCMonth() === m - 1 && value.getUTCDate() === d && h < 24 && min < 60 && s < 60
  if (!isReal) return null
  const local = value.getTime()
  if (zone === undefined) return { local, isDate: hour === undefined }
  return { local: localOf(local - zoneOffset(zone), timezone), isDate: false }
}

function zoneOffset(zone: string): number {
  if (zone === 'Z') return 0
  const sign = zone.startsWith('-') ? -1 : 1
  const digits = zone.replace(/\D/g, '')
  return sign * (Number(digits.slice(0, 2)) * 60 + Number(digits.slice(2))) * minute
}
