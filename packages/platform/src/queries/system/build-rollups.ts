import { overlaps } from '@hedron/semantic'
import { DataError } from '../data-error.ts'
import type { DataNeeds } from '../operations/operation-needs.ts'
import { readDateRange } from '../read-date-range.ts'
import { toDataError } from '../to-data-error.ts'
import { isAsked } from './show-partitions.ts'
import type { SystemCaller } from './system-caller.ts'
import { RollupsQuery, readSystemQuery } from './system-query.ts'
import { findSystemModel, wantedRollups, zonesOf } from './wanted-rollups.ts'

/**
 * Has tables built again, whether they are old or not: `POST /cubejs-system/v1/pre-aggregations/build`. Answers when that is asked for;
 * `partitions` and `queue` say how far it is.
 */
export function createBuildRollups(needs: DataNeeds) {
  return async (caller: SystemCaller, body: unknown, signal: AbortSignal): Promise<object> => {
    const query = readSystemQuery(body, RollupsQuery)
    const found = await findSystemModel(needs, caller)
    const wanted = wantedRollups(found, query.preAggregations, zonesOf(query, found.runtime))
    for (const { id, asked, definitions } of wanted) {
      const range = asked.refreshRange && readDateRange(asked.refreshRange, 'Invalid query format: "refreshRange"')
      for (const definition of definitions) {
        const isWanted: Parameters<typeof needs.rollupKeeper.rebuild>[1] = partition =>
          isAsked(asked, { definition, partition, table: undefined }) &&
          (partition === null || !range || overlaps(partition, range))
        await needs.rollupKeeper.rebuild(definition, isWanted, signal).catch(error => {
          throw toDataError(error instanceof RangeError ? new DataError(400, `${id}: ${error.message}`) : error)
        })
      }
    }
    return { result: true }
  }
}
