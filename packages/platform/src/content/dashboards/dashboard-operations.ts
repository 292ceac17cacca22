import { CodedError, DashboardConfig, type PublishDashboardInput } from '@hedron/contract'
import { dashboards, type Executor, workbooks } from '@hedron/store'
import type { Caller } from '../../caller.ts'
import type { Operations } from '../../operations.ts'
import { newPublicId } from '../public-id.ts'
import { changeWorkbook } from '../workbooks/change-workbook.ts'
import { restrictsDataDownload, type WorkbooksNeed } from '../workbooks/workbook-needs.ts'
import { draftOf, withWidgetIds } from './draft.ts'
import { reportsShown } from './report-references.ts'
import { publishedConfig, showDashboard } from './show-dashboard.ts'

type DashboardOperations = Pick<
  Operations,
  'updateWorkbookDashboard' | 'publishDashboard' | 'updatePublishedDashboardAiWidgetThread'
>

/** The dashboard of a workbook: its draft, its versions, and the threads of its AI widgets. */
export function createDashboardOperations(need: WorkbooksNeed): DashboardOperations {
  const { store, effects, audit, access } = need

  return {
    async updateWorkbookDashboard(caller, { params, body }, context) {
      const viewer = await access.viewerOf(caller, params.deploymentId)
      const { dashboardDraft } = body
      return store.transaction(async transaction => {
        const row = await changeWorkbook(need, transaction, caller, context, viewer, params.workbookId, {
          meta: ({ dashboardDraft: stored, ...meta }) => {
            if (dashboardDraft === undefined) return stored === undefined ? meta : { ...meta, dashboardDraft: stored }
            return dashboardDraft === null ? meta : { ...meta, dashboardDraft: withWidgetIds(dashboardDraft) }
          },
        })
        const published = await dashboards.findPublishedOfWorkbook(transaction, caller.accountId, row.id)
        return {
          dashboardDraft: draftOf(row.meta),
          dashboardPublished: published === undefined ? null : publishedConfig(published),
        }
      })
    },

    async publishDashboard(caller, { params: { deploymentId, workbookId }, body }, context) {
      const viewer = await access.viewerOf(caller, deploymentId)
      const level = typeof body.allowEmbed === 'boolean' ? 'manage' : 'edit'
      return store.transaction(async transaction => {
        await access.require(viewer, 'Workbook', workbookId, level, transaction)
        if (body.workbookId !== workbookId) {
          throw new CodedError('invalid_request', { problems: `workbookId: must be ${workbookId}, as in the path` })
        }
        const row = await workbooks.lockWorkbook(transaction, caller.accountId, deploymentId, workbookId)
        if (!row) throw new CodedError('workbook_not_found', { workbook: workbookId })
        const config = body.config ? DashboardConfig.parse(body.config) : draftOf(row.meta)
        if (config === null) throw new CodedError('dashboard_draft_missing', { workbook: workbookId })
        const number = await publish(transaction, caller, row, config, body)
        await audit(transaction, caller, context, 'dashboard.publish', `workbook ${workbookId}`, { number })
        return read(transaction, caller, workbookId)
      })
    },

    async updatePublishedDashboardAiWidgetThread(caller, { params: { deploymentId, workbookId }, body }, context) {
      const viewer = await access.viewerOf(caller, deploymentId)
      return store.transaction(async transaction => {
        await access.require(viewer, 'Workbook', workbookId, 'edit', transaction)
        // Not while it is published anew, which forgets the threads of the version before.
        await workbooks.lockWorkbook(transaction, caller.accountId, deploymentId, workbookId)
        const published = await dashboards.findPublishedOfWorkbook(transaction, caller.accountId, workbookId)
        if (!published) throw new CodedError('dashboard_not_published', { workbook: workbookId })
        const { widgets } = DashboardConfig.parse(published.config)
        if (!widgets?.some(({ id, type }) => id === body.widgetId && type === 'AI')) {
          throw new CodedError('widget_not_found', { widget: body.widgetId })
        }
        await dashboards.setAiThread(transaction, caller.accountId, published.id, body.widgetId, {
          threadId: body.threadId,
          checksum: body.checksum ?? null,
        })
        await audit(transaction, caller, context, 'dashboard.ai-thread', `workbook ${workbookId}`, {
          widget: body.widgetId,
        })
        return read(transaction, caller, workbookId)
      })
    },
  }

  /** Makes the next version, with the reports as they are. @returns its number. */
  async function publish(
    transaction: Executor,
    caller: Caller,
    row: workbooks.WorkbookRow,
    config: DashboardConfig,
    body: PublishDashboardInput,
  ): Promise<number> {
    const { accountId } = caller
    const known = await dashboards.findDashboardOfWorkbook(transaction, accountId, row.id)
    if (body.dashboardId && body.dashboardId !== known?.id) {
      throw new CodedError('dashboard_not_found', { dashboard: body.dashboardId })
    }
    const before = known && (await dashboards.findPublishedOfWorkbook(transaction, accountId, row.id))
    const at = effects.now()
    const { versionId, number } = await dashboards.publishVersion(
      transaction,
      {
        accountId,
        deploymentId: row.deploymentId,
        workbookId: row.id,
        publicId: known?.publicId ?? newPublicId(effects),
        createdBy: caller.userId,
        createdAt: at,
        updatedAt: at,
        ...(typeof body.allowEmbed === 'boolean' ? { allowEmbed: body.allowEmbed } : {}),
      },
      {
        // What is not said keeps its value from the version before.
        title: textOf(body.title, config.title, before?.title),
        description: textOf(body.description, config.description, before?.description),
        config: JSON.stringify(config),
        createdBy: caller.userId,
        createdAt: at,
      },
      at,
    )
    const shown = reportsShown(config)
    const kept = await dashboards.snapshotReports(transaction, accountId, row.id, versionId, [...shown.keys()])
    for (const [report, widget] of shown) {
      if (!kept.has(report)) throw new CodedError('dashboard_report_missing', { widget, report: String(report) })
    }
    return number
  }

  async function read(transaction: Executor, caller: Caller, workbookId: number) {
    const published = await dashboards.findPublishedOfWorkbook(transaction, caller.accountId, workbookId)
    if (!published) throw new Error('a dashboard was not published')
    return showDashboard(published, {
      isEmbedded: caller.embed !== null,
      fromSharedWorkspace: false,
      restrictDataDownload: await restrictsDataDownload(transaction, caller.accountId),
    })
  }
}

/** The first that is given; null in the request itself clears it. */
const textOf = (
  sent: string | null | undefined,
  drafted: string | null | undefined,
  before: string | null | undefined,
): string | null => (sent !== undefined ? sent : (drafted ?? before ?? null))
