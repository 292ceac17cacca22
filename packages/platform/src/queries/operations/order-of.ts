import type { NormalizedQuery } from '@hedron/semantic'

/** A query's order as its clients read it: members and `asc` or `desc`. */
export const orderOf = (query: NormalizedQuery) =>
  Object.fromEntries(query.order.map(({ id, desc }) => [id, desc ? 'desc' : 'asc']))
