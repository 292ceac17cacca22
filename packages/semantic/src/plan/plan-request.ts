import type { PlanRequest } from './expand.ts'
import type { RowFilters } from './row-conditions.ts'

/** What the SQL of a model is told of a query whose rows meet these filters. Date ranges are filters like others. */
export const planRequest = (
  { ranges, rowFilters }: RowFilters,
  securityContext: PlanRequest['securityContext'],
): PlanRequest => ({
  filters: [
    ...ranges.map(({ member, dateRange }) => ({
      member: member.id,
      operator: 'inDateRange' as const,
      values: dateRange,
    })),
    ...rowFilters,
  ],
  securityContext,
  isOptional: false,
})
