import { CodedError } from '@hedron/contract'
import type { dashboardComments } from '@hedron/store'
import type { Caller } from '../../../caller.ts'
import { readAccountSettings } from '../../../people/account-settings.ts'
import { type DashboardsNeed, findVisibleDashboard } from '../visible-dashboard.ts'

/** Who comments on what. */
export interface Commenter {
  readonly userId: number
  readonly scope: dashboardComments.CommentScope
  /** The address of the dashboard. */
  readonly publicId: string
}

/**
 * The caller as one who may comment on a dashboard: a user whom the host knows, in a session of an embed tenant, who sees it, in an
 * account that has comments switched on (contract/behaviour/embed.md, section 6).
 *
 * @throws {CodedError} `embed_tenant_required`, `dashboard_comments_off`, and what keeps him from seeing the dashboard.
 */
export async function findCommenter(need: DashboardsNeed, caller: Caller, publicId: string): Promise<Commenter> {
  const { accountId, userId, embed } = caller
  if (userId === null || !embed?.embedTenant || embed.externalId === null) {
    throw new CodedError('embed_tenant_required', {})
  }
  const dashboard = await findVisibleDashboard(need, caller, publicId)
  const { embedding } = await readAccountSettings(need.store.kysely, accountId)
  if (!embedding.enableDashboardComments) throw new CodedError('dashboard_comments_off', {})
  const scope = { accountId, dashboardId: dashboard.id, embedTenantId: embed.embedTenant.id }
  return { userId, scope, publicId: dashboard.publicId }
}
