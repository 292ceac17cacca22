import type { Bucket } from '../shapes/model.ts'

export type IntervalBucket = Extract<Bucket, { kind: 'interval' }>

/** What differs between databases, and nothing else. Arguments and results are SQL text. */
export interface Dialect {
  readonly textType: string
  /** Type in which a number, written in digits, is compared. */
  numberType(digits: string): string
  countDistinctApprox(input: string): string
  /** The start of the interval that holds `time`, counted from `origin`; both are local timestamps. */
  intervalBucket(time: string, bucket: IntervalBucket, origin: string): string
}
