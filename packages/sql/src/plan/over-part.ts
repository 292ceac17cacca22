import type { Bound, BoundQuery, BoundSelect, BoundSortKey } from '../shapes/bound.ts'
import { someValue } from '../shapes/walk.ts'
import { outputNamed, type PartBuilder } from './part.ts'

/** A SELECT with what stands around it. */
export type SelectQuery = BoundQuery & { readonly body: BoundSelect }

/** Order, limit and offset go into the part where nothing else comes between. */
export function overPart(
  part: PartBuilder,
  query: SelectQuery,
  rest: BoundSelect,
  order: readonly BoundSortKey[],
): BoundQuery {
  const body: BoundSelect = { ...rest, from: { kind: 'part', id: part.id, part: part.id }, model: null }
  const isPlain =
    rest.where.length === 0 &&
    !rest.distinct &&
    !rest.isAggregated &&
    rest.groupBy.length === 0 &&
    rest.having.length === 0
  const keys = order.map(key => ({
    ...key,
    output:
      key.value.kind === 'column' && key.value.relation === part.id ? outputNamed(part, key.value.name) : undefined,
  }))
  const known = keys.flatMap(({ output, descending, nullsFirst }) =>
    output ? [{ output, descending, nullsFirst }] : [],
  )
  if (!isPlain || known.length < keys.length || hasWindow(rest)) return { ...query, body, order }
  part.order = known
  part.limit = countOf(query.limit)
  part.offset = countOf(query.offset)
  return { ...query, body, order, limit: null, offset: null }
}

const hasWindow = ({ targets }: BoundSelect) =>
  targets.some(({ value }) => someValue(value, inner => inner.kind === 'window' || 'query' in inner))

const countOf = (count: Bound | null): number | null =>
  count?.kind === 'constant' && count.value !== null ? Number(count.value) : null
