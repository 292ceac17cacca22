import { sql } from 'kysely'
import type { Executor } from '../executor.ts'
import type { ContentViewTable } from '../schema-content.ts'

/**
 * Writes down that the user looked at an item. Again within a minute nothing is written, nor is the row locked: reading an item
 * again and again stays reading.
 */
export async function saveView(
  executor: Executor,
  { accountId, userId, resourceType, resourceId, viewedAt }: ContentViewTable,
): Promise<void> {
  await sql`
    insert into content_views (account_id, user_id, resource_type, resource_id, viewed_at)
    select ${accountId}, ${userId}, ${resourceType}, ${resourceId}, ${viewedAt}::timestamptz
    where not exists (
      select 1 from content_views
      where user_id = ${userId} and resource_type = ${resourceType}::text and resource_id = ${resourceId}
        and viewed_at >= ${viewedAt}::timestamptz - interval '1 minute')
    on conflict (user_id, resource_type, resource_id)
      do update set viewed_at = greatest(content_views.viewed_at, excluded.viewed_at)`.execute(executor)
}
