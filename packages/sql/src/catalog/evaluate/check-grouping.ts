import { CatalogError } from '../catalog-error.ts'
import type { Scope } from './scope.ts'

/**
 * Refuses columns that are neither grouped by nor aggregated. As in PostgreSQL, who groups by the key of a relation can read all of it.
 *
 * @param used columns that are read outside of aggregates.
 */
export function checkGrouping(
  { columns }: Scope,
  used: ReadonlySet<number>,
  grouping: readonly { readonly used: ReadonlySet<number> }[],
): void {
  const grouped = new Set(grouping.flatMap(key => [...key.used]))
  const keyed = new Set(
    [...grouped].flatMap(index => (columns[index]?.name === 'oid' ? [columns[index].relation] : [])),
  )
  for (const index of used) {
    const column = columns[index]
    if (!column || grouped.has(index) || keyed.has(column.relation)) continue
    throw new CatalogError(
      '42803',
      `column "${column.relation}.${column.name}" must appear in the GROUP BY clause or be used in an aggregate function`,
    )
  }
}
