import { DateTime, type DurationLike } from 'luxon'

/** A row of the table that windows and stages are tried on; `at` is UTC. */
export interface EventRow {
  readonly id: number
  readonly label: string | null
  readonly amount: number | null
  readonly at: string
}

export type Unit = 'hour' | 'day' | 'week' | 'month' | 'quarter' | 'year'
export type Reach = { readonly count: number; readonly unit: Exclude<Unit, 'quarter'> } | 'unbounded' | null

export interface Asked {
  readonly granularity: Unit
  /** `YYYY-MM-DD`, both included. */
  readonly range: readonly [string, string]
  readonly timezone: string
  readonly isGrouped: boolean
}

export interface Window {
  readonly trailing: Reach
  readonly leading: Reach
  readonly offset: 'start' | 'end'
}

type Aggregate = (rows: readonly EventRow[]) => number | null

const amounts = (rows: readonly EventRow[]) => rows.flatMap(({ amount }) => amount ?? [])
const orNull = (rows: readonly EventRow[], value: (list: readonly number[]) => number) =>
  amounts(rows).length > 0 ? value(amounts(rows)) : null
const sum = (list: readonly number[]) => list.reduce((total, amount) => total + amount, 0)

/** Nothing is counted where there are no rows, as the field has it; distinct values of no rows are none. */
export const aggregates: Readonly<Record<string, Aggregate>> = {
  sum: rows => orNull(rows, sum),
  count: rows => (rows.length > 0 ? rows.length : null),
  count_distinct: rows => new Set(amounts(rows)).size,
  avg: rows => orNull(rows, list => sum(list) / list.length),
  min: rows => orNull(rows, list => Math.min(...list)),
  max: rows => orNull(rows, list => Math.max(...list)),
}

const local = (at: string, zone: string) =>
  DateTime.fromISO(at, { zone: 'utc' }).setZone(zone).setZone('utc', { keepLocalTime: true })
const dayOf = (text: string) => DateTime.fromISO(text, { zone: 'utc' })
const written = (time: DateTime) => time.toFormat("yyyy-MM-dd'T'HH:mm:ss.SSS")
const duration = (reach: Exclude<Reach, 'unbounded' | null>): DurationLike => ({ [reach.unit]: reach.count })

function* periods({ granularity, range }: Asked): Generator<readonly [DateTime, DateTime]> {
  const end = dayOf(range[1]).endOf('day')
  const step = { [granularity]: 1 }
  for (let start = dayOf(range[0]).startOf(granularity); start <= end; start = start.plus(step)) {
    yield [start, start.plus(step)]
  }
}

/** Every group of rows, by label; the one group of all rows where nothing is grouped, or where there are no rows. */
function groupsOf(rows: readonly EventRow[], isGrouped: boolean): [string | null, readonly EventRow[]][] {
  const labels = isGrouped && rows.length > 0 ? [...new Set(rows.map(({ label }) => label))] : [null]
  return labels.map(label => [label, isGrouped ? rows.filter(row => row.label === label) : rows])
}

/** A rolling measure, period by period and row by row. */
export function naiveRolling(
  rows: readonly EventRow[],
  asked: Asked,
  window: Window,
  aggregate: Aggregate,
): unknown[][] {
  const isMonthly = ['month', 'quarter', 'year'].includes(asked.granularity)
  const move = (anchor: DateTime, reach: Reach, sign: 1 | -1) => {
    if (reach === null) return anchor
    const by = reach === 'unbounded' ? {} : duration({ ...reach, count: reach.count * sign })
    if (window.offset === 'start' || isMonthly) return anchor.plus(by)
    return anchor.minus(1).plus(by).plus(1)
  }
  return [...periods(asked)].flatMap(([start, next]) => {
    const anchor = window.offset === 'start' ? start : next
    const inside = rows.filter(({ at }) => {
      const time = local(at, asked.timezone)
      const isLate = window.trailing === 'unbounded' || time >= move(anchor, window.trailing, -1)
      return isLate && (window.leading === 'unbounded' || time < move(anchor, window.leading, 1))
    })
    return groupsOf(inside, asked.isGrouped).map(([label, group]) => [
      ...(asked.isGrouped ? [label] : []),
      written(start),
      aggregate(group),
    ])
  })
}

/** A measure of to_date: from the start of the longer period that holds the period's start. */
export function naiveToDate(rows: readonly EventRow[], asked: Asked, unit: Unit, aggregate: Aggregate): unknown[][] {
  return [...periods(asked)].flatMap(([start, next]) => {
    const from = start.startOf(unit)
    const inside = rows.filter(({ at }) => {
      const time = local(at, asked.timezone)
      return time >= from && time < next
    })
    return groupsOf(inside, asked.isGrouped).map(([label, group]) => [
      ...(asked.isGrouped ? [label] : []),
      written(start),
      aggregate(group),
    ])
  })
}

/** Sums by period of rows that count later than their time, in the order of the shifts. */
export function naiveShifted(
  rows: readonly EventRow[],
  asked: Asked,
  shifts: readonly DurationLike[],
): Map<string, number | null> {
  const groups = new Map<string, EventRow[]>()
  for (const row of rows) {
    const time = shifts.reduce<DateTime>((moved, by) => moved.plus(by), local(row.at, asked.timezone))
    if (time < dayOf(asked.range[0]) || time > dayOf(asked.range[1]).endOf('day')) continue
    const key = JSON.stringify([...(asked.isGrouped ? [row.label] : []), written(time.startOf(asked.granularity))])
    groups.set(key, [...(groups.get(key) ?? []), row])
  }
  return new Map([...groups].map(([key, group]) => [key, aggregates.sum?.(group) ?? null]))
}
