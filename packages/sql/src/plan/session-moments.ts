import { formatLocal, localOf } from '@hedron/semantic'
import type { Bound, BoundQuery } from '../shapes/bound.ts'
import { type Mapper, mapQuery, mapValue } from '../shapes/walk.ts'
import { atZone, betweenZones } from '../shapes/zones.ts'

/** Moments that were written with a zone of their own, or are moved from one to another, become what all others are: local times of the session. */
export function withSessionMoments(query: BoundQuery, timezone: string): BoundQuery {
  const mapper: Mapper = {
    value(value) {
      if (value.kind === 'constant') return localConstant(value, timezone)
      // Of any other call the arguments are mapped by whoever asks; twice at each level would be endless.
      if (value.kind !== 'call' || (value.call !== 'to_timestamp' && value.call !== atZone)) return undefined
      const [first, zone] = value.arguments.map(each => mapValue(mapper, each))
      if (!first) return undefined
      if (value.call === 'to_timestamp') {
        return betweenZones({ ...value, arguments: [first] }, 'UTC', timezone, 'timestamptz')
      }
      if (zone?.kind !== 'constant' || zone.value === null) return undefined
      if (value.type === 'timestamp') return betweenZones(first, timezone, zone.value, 'timestamp')
      return betweenZones(first, zone.value, timezone, 'timestamptz')
    },
  }
  return mapQuery(mapper, query)
}

function localConstant(value: Extract<Bound, { kind: 'constant' }>, timezone: string): Bound | undefined {
  if (value.type !== 'timestamptz' || !value.value?.endsWith('Z')) return undefined
  const [, whole = '', fraction = ''] = /^([^.]*)(\.\d+)?Z$/.exec(value.value) ?? []
  const local = formatLocal(localOf(Date.parse(`${whole}Z`), timezone))
  return { ...value, value: `${local.slice(0, 19)}${fraction}` }
}
