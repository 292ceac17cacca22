import { formatLocal, localOf } from '@hedron/semantic'
import type { BoundQuery } from '../shapes/bound.ts'
import { mapQuery } from '../shapes/walk.ts'

/** Moments that were written with a zone of their own become what all others are: local times of the session. */
export const withSessionMoments = (query: BoundQuery, timezone: string): BoundQuery =>
  mapQuery(
    {
      value(value) {
        if (value.kind !== 'constant' || value.type !== 'timestamptz' || !value.value?.endsWith('Z')) return undefined
        const [, whole = '', fraction = ''] = /^([^.]*)(\.\d+)?Z$/.exec(value.value) ?? []
        const local = formatLocal(localOf(Date.parse(`${whole}Z`), timezone))
        return { ...value, value: `${local.slice(0, 19)}${fraction}` }
      },
    },
    query,
  )
