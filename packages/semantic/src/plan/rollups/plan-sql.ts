import type { SecuredIndex } from '../../access/secured-index.ts'
import type { PreAggregation } from '../../shapes/model.ts'
import type { Expression } from '../../shapes/plan.ts'
import type { MemberFilter } from '../../shapes/query.ts'
import { formatLocal, parseIso } from '../../time/local-time.ts'
import { createAliases } from '../aliases.ts'
import { sourceParts } from '../expand.ts'
import { allRows } from '../restrictions.ts'
import { createExpander } from '../tables.ts'
import type { RollupBuild, RollupPartition } from './plan-build.ts'
import { type Rollup, type RollupId, rollupOf } from './rollup.ts'

/** Statements that an author can write for a rollup. */
export type RollupSqlName = 'refreshKey' | 'buildRangeStart' | 'buildRangeEnd'

const sqlOf = ({ refreshKey, buildRange }: PreAggregation, name: RollupSqlName) =>
  ({ refreshKey: refreshKey.sql, buildRangeStart: buildRange.start, buildRangeEnd: buildRange.end })[name]

/**
 * Plans a statement of a rollup's author; null where the author wrote none. FILTER_PARAMS of the time dimension are those of the
 * partition, so that a refresh key can ask about its rows alone.
 */
export function planRollupSql(
  index: SecuredIndex,
  id: RollupId,
  name: RollupSqlName,
  { timezone, partition }: RollupBuild,
): Expression | null {
  const rollup = rollupOf(index, id)
  const sql = sqlOf(rollup.definition, name)
  if (!sql) return null
  const request = {
    filters: () => (partition ? partitionFilters(rollup, partition) : []),
    securityContext: () => ({}),
    isOptional: false,
  }
  const expander = createExpander(index, timezone, request, createAliases(), allRows, (_, cube, dimension) => {
    throw new Error(`SQL of a pre-aggregation refers to the dimension '${cube}.${dimension}'`)
  })
  return { kind: 'sql', parts: sourceParts(expander, sql) }
}

/** A partition as filters say it: both ends included, to the millisecond. */
function partitionFilters({ times: [time] }: Rollup, { range: [from, before] }: RollupPartition): MemberFilter[] {
  const member = time?.member.id
  if (member === undefined) return []
  if (from !== null && before !== null) {
    return [{ member, operator: 'inDateRange', values: [from, lastMomentBefore(before)] }]
  }
  if (from !== null) return [{ member, operator: 'afterOrOnDate', values: [from] }]
  return before === null ? [] : [{ member, operator: 'beforeOrOnDate', values: [lastMomentBefore(before)] }]
}

function lastMomentBefore(text: string): string {
  const parsed = parseIso(text, 'UTC')
  if (!parsed) throw new Error(`A partition ends at '${text}', which is no time`)
  return formatLocal(parsed.local - 1)
}
