import { CodedError } from '@hedron/contract'
import { dashboards } from '@hedron/store'
import { requireAdmin } from '../../access.ts'
import { showDashboard } from '../../content/dashboards/show-dashboard.ts'
import { isFromMainWorkspace } from '../../content/workbooks/show-workbook.ts'
import { restrictsDataDownload, seen, type WorkbooksNeed } from '../../content/workbooks/workbook-needs.ts'
import type { Operations } from '../../operations.ts'
import { findVisibleDashboard } from './visible-dashboard.ts'

type EmbedDashboardOperations = Pick<Operations, 'getDashboard' | 'updateDashboardEmbedding' | 'postDashboardPythonRun'>

/** Published dashboards by their address, as frames show them. */
export function createEmbedDashboardOperations(need: WorkbooksNeed): EmbedDashboardOperations {
  const { store, effects, audit } = need

  return {
    async getDashboard(caller, { params }) {
      const dashboard = await findVisibleDashboard(need, caller, params.publicId)
      const [restrictDataDownload] = await Promise.all([
        restrictsDataDownload(store.kysely, caller.accountId),
        seen(need, caller, dashboard.workbookId),
      ])
      const { embedTenantId, ownerId } = dashboard
      return showDashboard(dashboard, {
        isEmbedded: caller.embed !== null,
        fromSharedWorkspace: isFromMainWorkspace(caller, { embedTenantId, userId: ownerId }),
        restrictDataDownload,
      })
    },

    async updateDashboardEmbedding(caller, { params: { publicId }, body: { allowEmbed } }, context) {
      requireAdmin(caller)
      await store.transaction(async transaction => {
        const row = await dashboards.findDashboardByPublicId(transaction, caller.accountId, publicId)
        if (!row) throw new CodedError('dashboard_not_found', { dashboard: publicId })
        await dashboards.setAllowEmbed(transaction, caller.accountId, row.id, allowEmbed, effects.now())
        await audit(transaction, caller, context, 'dashboard.embedding', `dashboard ${publicId}`, { allowEmbed })
      })
      return { publicId, allowEmbed }
    },

    async postDashboardPythonRun(caller, { params }) {
      await findVisibleDashboard(need, caller, params.publicId)
      throw new CodedError('python_not_enabled', {})
    },
  }
}
