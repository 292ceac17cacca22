import { isTimezone } from '@hedron/semantic'
import { SqlError, unsupported } from '../messages/sql-error.ts'
import type { Bound } from '../shapes/bound.ts'
import { isMoment } from '../shapes/types.ts'
import { atZone } from '../shapes/zones.ts'
import { coerce } from './coerce.ts'

/**
 * `moment AT TIME ZONE 'zone'`, which PostgreSQL also calls `timezone('zone', moment)`: of a moment what the zone's clocks show then, of a
 * local time the moment at which they show it.
 */
export function bindAtTimeZone([zone, moment]: readonly Bound[], at: number): Bound {
  if (!zone || !moment) throw new SqlError('42883', 'AT TIME ZONE takes a moment and the name of a zone', at)
  if (zone.kind !== 'constant' || (zone.type !== 'unknown' && zone.type !== 'text'))
    throw unsupported(
      'AT TIME ZONE with a zone that is no constant name',
      zone.at,
      "Write its name, as 'Europe/Berlin'",
    )
  // Without its value a parameter is asked for its type alone.
  const name = zone.value ?? 'UTC'
  if (!isTimezone(name)) throw new SqlError('22023', `time zone "${name.slice(0, 100)}" not recognized`, zone.at)
  // Texts are moments with a zone, as PostgreSQL takes them.
  const value = moment.type === 'unknown' ? coerce(moment, 'timestamptz') : moment
  if (!isMoment(value.type)) {
    throw new SqlError('42883', `AT TIME ZONE does not take a value of type ${value.type}`, value.at)
  }
  // A day is the moment at which it begins for the session.
  const given: Bound =
    value.type === 'date' ? { kind: 'cast', operand: value, modifiers: [], type: 'timestamptz', at: value.at } : value
  const type = given.type === 'timestamptz' ? 'timestamp' : 'timestamptz'
  return { kind: 'call', call: atZone, arguments: [given, { ...zone, type: 'text', value: name }], type, at }
}
