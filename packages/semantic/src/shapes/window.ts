/** A span of the calendar: months first, whose length varies, then milliseconds. Either may be negative. */
export interface Interval {
  readonly months: number
  readonly milliseconds: number
}

/** Whether no date of years with four digits leads that far to another: nothing is computed with such an interval. */
export const isBeyondDates = ({ months, milliseconds }: Interval): boolean =>
  !(Math.abs(months) <= 120_000 && Math.abs(milliseconds) <= 10_000 * 366 * 86_400_000)

/** How far a window reaches from its anchor. */
export type Reach = Interval | 'unbounded'

/**
 * The rows that a rolling measure looks at for one period. `fixed`: from `trailing` before the period's start or end to
 * `leading` after it; absent is no reach at all. `to_date`: from the start of the longer period around it to its end.
 */
export type RollingWindow =
  | {
      readonly kind: 'fixed'
      readonly trailing: Reach | null
      readonly leading: Reach | null
      readonly anchor: 'start' | 'end'
    }
  | { readonly kind: 'to_date'; readonly granularity: string }
