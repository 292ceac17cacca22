import type { Effects } from '../effects.ts'

/** An answered request to a data API. */
export interface LoggedRequest {
  /** Counts the requests of this node. */
  readonly number: number
  /** Milliseconds since 1970, when it was answered. */
  readonly at: number
  /** Null: production. */
  readonly branchName: string | null
  readonly action: string
  readonly status: number
  readonly milliseconds: number
}

/** The newest requests to the data API of each deployment, as this node has seen them; nothing of what was asked. */
export interface RequestLog {
  /** Costs a write into memory: it is called for every request. */
  note(
    request: { readonly deploymentId: number; readonly branchName: string | null; readonly action: string },
    status: number,
    milliseconds: number,
  ): void
  /** Oldest first. */
  of(deploymentId: number): readonly LoggedRequest[]
}

const kept = 1_000
const deployments = 1_000

export function createRequestLog({ now }: Pick<Effects, 'now'>): RequestLog {
  const rings = new Map<number, LoggedRequest[]>()
  let number = 0
  return {
    note({ deploymentId, branchName, action }, status, milliseconds) {
      let ring = rings.get(deploymentId)
      if (ring === undefined) {
        const [oldest] = rings.keys()
        if (rings.size === deployments && oldest !== undefined) rings.delete(oldest)
        ring = []
        rings.set(deploymentId, ring)
      }
      // Cut in halves, so that what is cut is moved once in a thousand requests.
      if (ring.length === 2 * kept) ring.splice(0, kept)
      number += 1
      ring.push({ number, at: now().getTime(), branchName, action, status, milliseconds })
    },
    of: deploymentId => rings.get(deploymentId)?.slice(-kept) ?? [],
  }
}
