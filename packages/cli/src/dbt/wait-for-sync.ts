import { ApiError } from '@hedron/contract/client'
import type { Context } from '../framework/command.ts'
import { Failure } from '../framework/failure.ts'
import { displayValue, fieldOf, isRecord, type JsonRecord } from '../framework/json.ts'
import { duration, optional } from '../framework/parameter.ts'
import { isBlank, oneReason, shellQuote } from '../framework/text.ts'
import { waitFor } from '../framework/wait.ts'
import { statusLabel } from './texts.ts'

/** A sync of a deployment. */
export interface SyncTarget {
  readonly deploymentId: number
  readonly syncJobId: string
}

/** Milliseconds. */
export interface WaitTimes {
  readonly timeout: number
  readonly poll: number
}

export const waitOptions = {
  timeout: optional(duration, 'give up waiting after this long (default: 30m)'),
  poll: optional(duration, 'time between two looks (default: 5s)'),
}
export const defaultTimes: WaitTimes = { timeout: 30 * 60_000, poll: 5_000 }

/** A sync that is not there for this long without a break is not there. */
const absentPatience = 60_000
const resultPatience = 30_000

/** What a request answers; undefined for 404. */
export async function orAbsent<T>(request: Promise<T>): Promise<T | undefined> {
  try {
    return await request
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return undefined
    throw error
  }
}

/**
 * Waits until a sync has ended, well or badly, and gives its last status.
 *
 * @throws {Failure} `dbt_sync_missing`, `wait_timed_out`
 */
export async function waitForSync(context: Context, target: SyncTarget, times: WaitTimes): Promise<unknown> {
  const { effects, output, session } = context
  const { client } = await session()
  let absentSince: number | null = null
  const options = { what: 'dbt sync', timeout: times.timeout, interval: times.poll }
  return waitFor(effects, output, options, async signal => {
    const status = await orAbsent(client.getDbtSyncStatus({ params: target }, signal))
    if (status === undefined) {
      absentSince ??= effects.now()
      if (effects.now() - absentSince > absentPatience) {
        throw new Failure('dbt_sync_missing', {
          message: `no dbt sync ${target.syncJobId} on deployment ${target.deploymentId}. It may belong to another deployment, have aged out, or this server may not serve the dbt-sync endpoints yet`,
        })
      }
      return { waiting: 'starting' }
    }
    absentSince = null
    return ['COMPLETED', 'FAILED'].includes(status.status.trim()) ? { done: status } : { waiting: statusLabel(status) }
  })
}

/** The failure that a sync ended with; null where it completed. */
export function syncFailure(status: unknown, target: SyncTarget, platform: NodeJS.Platform): Failure | null {
  if (displayValue(fieldOf(status, 'status')).trim() !== 'FAILED') return null
  const error = displayValue(fieldOf(status, 'error'))
  const reason = isBlank(error) ? '(no reason reported)' : oneReason(error)
  const { syncJobId, deploymentId } = target
  return new Failure('dbt_sync_failed', {
    message: `dbt sync ${syncJobId} failed: ${reason}. See which phase failed with 'hedron dbt logs ${deploymentId} ${shellQuote(syncJobId, platform)}'`,
  })
}

/** Reads what a sync that completed has made, which may take a moment to be there; `read` gives undefined until then. */
export function waitForOutcome<T>(
  { effects, output }: Context,
  { poll }: WaitTimes,
  what: string,
  absent: string,
  read: (signal: AbortSignal) => Promise<T | undefined>,
): Promise<T> {
  const options = {
    what,
    timeout: resultPatience,
    interval: Math.min(poll, 5_000),
    advice: 'The sync itself succeeded',
  }
  return waitFor(effects, output, options, async signal => {
    const value = await read(signal)
    return value === undefined ? { waiting: absent } : { done: value }
  })
}

/** A result that says something. */
export const isResult = (document: unknown): document is JsonRecord =>
  isRecord(document) && Object.keys(document).length > 0
