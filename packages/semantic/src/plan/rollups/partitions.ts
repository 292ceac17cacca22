import type { PartitionGranularity } from '../../shapes/vocabulary.ts'
import { addInterval, bucketStart, bucketStep } from '../../time/calendar.ts'
import { formatLocal, instantOf, parseIso, localOf as toLocal } from '../../time/local-time.ts'
import type { RollupPartition } from './plan-build.ts'

/** Which times a rollup's partitions cover. */
export interface PartitionedRange {
  /** Local times that the first and the last partition have to hold. */
  readonly from: string
  readonly to: string
  /** Whether what lies before the first partition, or has no time, belongs to it too. */
  readonly opensBefore: boolean
  /** Whether what lies after the last partition belongs to it too. */
  readonly opensAfter: boolean
}

/**
 * The partitions of a rollup, in order of time: each row of the range is in one of them, and one that is open has no row outside.
 *
 * @param most more partitions than that are an error, never fewer than there are
 * @throws {RangeError} when there would be more than `most`, or an end is no time
 */
export function partitionsOf(
  granularity: PartitionGranularity,
  { from, to, opensBefore, opensAfter }: PartitionedRange,
  most: number,
): RollupPartition[] {
  const bucket = { kind: 'unit', unit: granularity } as const
  const step = bucketStep(bucket)
  const last = localOf(to)
  const starts: number[] = []
  for (let start = bucketStart(bucket, localOf(from)); start <= last; start = addInterval(start, step)) {
    if (starts.length === most) throw new RangeError(`it would have more than ${most} partitions from ${from} to ${to}`)
    starts.push(start)
  }
  return starts.map((start, position) => {
    const isLast = position === starts.length - 1
    return {
      range: [
        opensBefore && position === 0 ? null : formatLocal(start),
        opensAfter && isLast ? null : formatLocal(addInterval(start, step)),
      ],
      withUndated: opensBefore && position === 0,
    }
  })
}

/** The instant, in milliseconds since 1970, from which on no row can belong to a partition; null where it has no end. */
export function partitionEnd({ range: [, before] }: RollupPartition, timezone: string): number | null {
  return before === null ? null : instantOf(localOf(before), timezone)
}

/** A time in UTC, as databases give it, as the local time of a zone. */
export const localTimeOf = (utc: string, timezone: string): string => formatLocal(toLocal(localOf(utc), timezone))

/** Whether a partition can hold rows of a range, both ends of which are included; null where the range has no end. */
export function overlaps(
  { range: [from, before] }: RollupPartition,
  [first, last]: readonly [string | null, string | null],
) {
  return (last === null || from === null || from <= last) && (first === null || before === null || before > first)
}

function localOf(text: string): number {
  const parsed = parseIso(text, 'UTC')
  if (!parsed) throw new RangeError(`'${text}' is no time`)
  return parsed.local
}
