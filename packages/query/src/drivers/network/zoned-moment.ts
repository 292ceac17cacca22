import type { Cell } from '../../shapes/query.ts'
import { momentCell } from './text-cells.ts'

/** By names of zones that exist, in lower case: there are never many. */
const formats = new Map<string, Intl.DateTimeFormat>()

/** What clocks of a zone are ahead of UTC, in milliseconds. */
function offsetAt(milliseconds: number, zone: string): number {
  const name = zone.toLowerCase()
  const format =
    formats.get(name) ??
    new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset', hourCycle: 'h23' })
  formats.set(name, format)
  const offset = format.formatToParts(milliseconds).find(({ type }) => type === 'timeZoneName')?.value ?? 'GMT'
  const [, sign, hours = '0', minutes = '0', seconds = '0'] = /GMT([+-])(\d\d):(\d\d)(?::(\d\d))?/.exec(offset) ?? []
  const size = (Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds)) * 1_000
  return sign === '-' ? -size : size
}

/** A local time with the name of its zone behind it, in UTC. Of an hour that clocks show twice, the first. */
export function zonedMomentCell(value: unknown): Cell {
  const text = String(value)
  const [, local, fraction = '', zone] =
    /^(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)(?:\.(\d+))? ([A-Za-z][\w+\-/]*)$/.exec(text) ?? []
  if (local === undefined || zone === undefined) return text
  if (zone === 'UTC' || zone === 'Z') return momentCell(text)
  const wall = Date.parse(`${local.replace(' ', 'T')}Z`)
  try {
    const before = wall - offsetAt(wall - 86_400_000, zone)
    const after = wall - offsetAt(wall + 86_400_000, zone)
    const moment = [before, after].find(candidate => candidate + offsetAt(candidate, zone) === wall) ?? before
    return `${new Date(moment).toISOString().slice(0, 19)}.${fraction.slice(0, 3).padEnd(3, '0')}`
  } catch {
    // A zone that this process does not know: the text says which.
    return text
  }
}
