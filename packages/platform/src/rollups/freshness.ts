import { type PreAggregation, partitionEnd, type RollupPartition, sinceLastStep } from '@hedron/semantic'

type RefreshKey = PreAggregation['refreshKey']

/** What a table is compared by: it is built again when its value is another one than this. */
export interface Freshness {
  readonly value: string
  /** Until when nothing has to be asked, in milliseconds since 1970. */
  readonly until: number
}

/** Nothing changes any more: a partition whose time, and that for late rows, is over. */
const closed: Freshness = { value: 'closed', until: Number.POSITIVE_INFINITY }

/** How often a rollup is looked at, in milliseconds. */
export const periodOf = ({ every }: RefreshKey): number => (typeof every === 'number' ? every : every.seconds) * 1000

/**
 * Whether a partition of an incremental rollup is closed at a moment (data-model.md section 7): `update_window` seconds after its end.
 */
export function closedAt({ incremental, updateWindow }: RefreshKey, end: number | null, now: number): Freshness | null {
  return incremental && end !== null && now >= end + (updateWindow ?? 0) * 1000 ? closed : null
}

/** What a refresh key without SQL says at a moment: which of its steps it is. */
export function timedFreshness({ every }: RefreshKey, now: number): Freshness {
  const period = periodOf({ every, sql: null, incremental: false, updateWindow: null })
  const since = typeof every === 'number' ? now % period : sinceLastStep(every, new Date(now))
  return { value: `step ${now - since}`, until: now - since + period }
}

/** The end of a partition that counts for it; one that is open never closes. */
export const endOf = (partition: RollupPartition | null, timezone: string): number | null =>
  partition ? partitionEnd(partition, timezone) : null
