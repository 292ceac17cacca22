import type { Bound } from './bound.ts'

/** The call of `AT TIME ZONE` as it is bound, when nobody knows of the session's zone yet. */
export const atZone = 'operator at zone'

/** What clocks of the zone `to` show when those of the zone `from` show the value. */
export function betweenZones(value: Bound, from: string, to: string, type: 'timestamp' | 'timestamptz'): Bound {
  if (from === to) return { ...value, type }
  const zone = (name: string): Bound => ({ kind: 'constant', type: 'text', value: name, at: value.at })
  const call = 'operator between zones'
  return { kind: 'call', call, arguments: [value, zone(from), zone(to)], type, at: value.at }
}
