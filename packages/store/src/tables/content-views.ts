import { sql } from 'kysely'
import type { Executor } from '../executor.ts'
import type { ContentViewTable } from '../schema-content.ts'

/** Writes down that the user looked at an item; again within a minute is not worth a write. */
export async function saveView(executor: Executor, view: ContentViewTable): Promise<void> {
  await executor
    .insertInto('contentViews')
    .values(view)
    .onConflict(conflict =>
      conflict
        .columns(['userId', 'resourceType', 'resourceId'])
        .doUpdateSet({ viewedAt: view.viewedAt })
        .where('contentViews.viewedAt', '<', sql<Date>`excluded.viewed_at - interval '1 minute'`),
    )
    .execute()
}
