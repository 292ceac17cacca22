import { LRUCache } from 'lru-cache'
import type { Effects } from '../effects.ts'
import { DataError } from './data-error.ts'

interface Bucket {
  tokens: number
  /** Milliseconds since 1970. */
  filledAt: number
}

/** Lets one more request of a deployment through. @throws {DataError} 429 with how many seconds to wait */
export type Admit = (deploymentId: number) => void

/**
 * A bucket of tokens for each deployment, which holds a second's worth of requests and fills as time goes by
 * (contract/behaviour/query.md section 3: 100 requests a second a deployment). Each node counts what it is asked itself: agreeing with the
 * others would cost a question to another machine for each answer from the cache.
 *
 * @param perSecond 0: no limit
 */
export function createRateLimit(perSecond: number, { now }: Pick<Effects, 'now'>): Admit {
  if (perSecond === 0) return () => {}
  const buckets = new LRUCache<number, Bucket>({ max: 10_000 })

  function fill(deploymentId: number, at: number): Bucket {
    const bucket = { tokens: perSecond, filledAt: at }
    buckets.set(deploymentId, bucket)
    return bucket
  }

  return deploymentId => {
    const at = now().getTime()
    const bucket = buckets.get(deploymentId) ?? fill(deploymentId, at)
    // A clock that is set back fills nothing and takes nothing away.
    const passed = Math.max(0, at - bucket.filledAt)
    bucket.tokens = Math.min(perSecond, bucket.tokens + (passed * perSecond) / 1000)
    bucket.filledAt = at
    if (bucket.tokens < 1) throw tooMany(perSecond)
    bucket.tokens -= 1
  }
}

function tooMany(perSecond: number): DataError {
  const message = `Too many requests: this deployment answers ${perSecond} a second. Try again in 1 s.`
  return new DataError(429, message, { code: 'rate_limited' }, { retryAfter: 1 })
}
