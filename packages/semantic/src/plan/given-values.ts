import type { Origin, Value } from '../shapes/plan.ts'
import type { MemberFilter, NormalizedQuery } from '../shapes/query.ts'

/** Values of a query that its plan is to leave open, and where they stand among all that it gives. */
export interface OpenValues {
  readonly values: readonly (string | null)[]
  readonly place: number
}

const open = new WeakMap<object, OpenValues>()

/**
 * Leaves the values of a filter or date range open. Whoever makes parameters of them takes them from here and says how; whoever reads
 * them where they stand, to decide something, is noticed (`templates/open-query.ts`).
 */
export function leaveOpen<T extends object>(holder: T, values: OpenValues): T {
  open.set(holder, values)
  return holder
}

/** What of a query says which of its rows are asked for, and in which order. */
export type PagedQuery = Pick<NormalizedQuery, 'order' | 'limit' | 'offset' | 'ungrouped'>

const openPages = new WeakMap<NormalizedQuery, PagedQuery>()

/** The same for the page that a query asks for: it is planned from here and from nowhere else. */
export function leavePageOpen(query: NormalizedQuery, page: PagedQuery): NormalizedQuery {
  openPages.set(query, page)
  return query
}

export const givenPage = (query: NormalizedQuery): PagedQuery => openPages.get(query) ?? query

/** Makes a parameter of a value, by its position among those that are not null. */
export type MakeValue = (position: number, type: Value['type'], convert: (text: string) => string) => Value

/** The values of a filter that are not null, whether null is among them, and how parameters are made of them. */
export function givenValues(filter: MemberFilter): {
  readonly present: readonly string[]
  readonly hasNull: boolean
  readonly make: MakeValue
} {
  const apart = open.get(filter)
  const values = apart === undefined ? filter.values : apart.values
  const present = values.filter(value => value !== null)
  return { present, hasNull: present.length < values.length, make: maker(present, apart) }
}

/** The ends of a date range; null where there is none. */
export function givenRange(dateRange: readonly [string | null, string | null]): {
  readonly ends: readonly (string | null)[]
  readonly make: MakeValue
} {
  const apart = open.get(dateRange)
  const ends = apart === undefined ? dateRange : apart.values
  return { ends, make: maker(ends, apart) }
}

const maker =
  (present: readonly (string | null)[], apart: OpenValues | undefined): MakeValue =>
  (position, type, convert) => {
    const value = convert(present[position] ?? '')
    return apart === undefined ? { type, value } : { type, value, origin: originOf(apart.place, position, convert) }
  }

const originOf =
  (place: number, position: number, convert: (text: string) => string): Origin =>
  given =>
    convert(presentAt(given[place] ?? [], position) ?? '')

/** The value at that position among those that are not null. */
function presentAt(values: readonly (string | null)[], position: number): string | null {
  let left = position
  for (const value of values) {
    if (value === null) continue
    if (left === 0) return value
    left -= 1
  }
  return null
}
