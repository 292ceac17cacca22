import type { MemberFilter } from '../shapes/query.ts'
import type { PlanRequest } from './expander.ts'
import type { MemberRange } from './query-members.ts'
import type { RowFilters } from './row-conditions.ts'

/** What the SQL of a model is told of a query whose rows meet these filters. Date ranges are filters like others. */
export const planRequest = (
  { ranges, rowFilters }: RowFilters,
  securityContext: PlanRequest['securityContext'],
): PlanRequest => ({
  filters: () => [...ranges.flatMap(rangeFilters), ...rowFilters],
  securityContext,
  isOptional: false,
})

function rangeFilters({ member: { id: member }, dateRange }: MemberRange): MemberFilter[] {
  const [from, to] = dateRange
  if (from !== null && to !== null) return [{ member, operator: 'inDateRange', values: [from, to] }]
  if (from !== null) return [{ member, operator: 'afterOrOnDate', values: [from] }]
  return to === null ? [] : [{ member, operator: 'beforeOrOnDate', values: [to] }]
}
