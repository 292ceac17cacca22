import { type Dashboard, DashboardConfig, ReportMeta, type ReportSnapshot } from '@hedron/contract'
import type { dashboards } from '@hedron/store'

/** What decides how a dashboard is shown beside the dashboard itself. */
export interface DashboardView {
  /** Whether it is shown to an embed session: no code, and nobody of the account's own by id. */
  readonly isEmbedded: boolean
  /** Whether it comes to an embed session from the account's own workspace. */
  readonly fromSharedWorkspace: boolean
  /** Whether the account lets nobody download rows. */
  readonly restrictDataDownload: boolean
}

/** The published version of a dashboard as the API shows it. */
export function showDashboard(row: dashboards.PublishedDashboard, view: DashboardView): Dashboard {
  return {
    id: row.id,
    publicId: row.publicId,
    deploymentId: row.deploymentId,
    workbookId: row.workbookId,
    status: row.status,
    allowEmbed: row.allowEmbed,
    title: row.title,
    description: row.description,
    config: publishedConfig(row),
    versionId: row.versionId,
    versionNumber: row.versionNumber,
    reportSnapshots: row.snapshots.map(snapshot => showSnapshot(snapshot, view.isEmbedded)),
    createdBy: view.fromSharedWorkspace ? null : row.createdBy,
    fromSharedWorkspace: view.fromSharedWorkspace,
    restrictDataDownload: view.restrictDataDownload,
    useBoardDashboards: null,
  }
}

/** The configuration of the published version, its AI widgets with the threads that were set since. */
export function publishedConfig(row: dashboards.PublishedDashboard): DashboardConfig {
  const config = DashboardConfig.parse(row.config)
  const threads = new Map(Object.entries(row.aiThreads))
  if (threads.size === 0 || !config.widgets) return config
  const widgets = config.widgets.map(widget => {
    const thread = threads.get(widget.id)
    return thread === undefined ? widget : { ...widget, config: { ...widget.config, ...thread } }
  })
  return { ...config, widgets }
}

/** Code is shown to those who may write it alone: a frame has no use for it. */
function showSnapshot({ id, reportId, versionNumber, content }: dashboards.StoredSnapshot, isEmbedded: boolean) {
  const { pythonCode, ...rest } = content.meta ?? {}
  const meta = ReportMeta.safeParse(content.meta ?? {}).data ?? {}
  const snapshot: ReportSnapshot = {
    id,
    reportId,
    versionNumber,
    name: content.name,
    title: content.title,
    description: content.description,
    kind: meta.kind ?? null,
    spec: meta.spec ?? null,
    jsonQuery: content.jsonQuery,
    sqlQuery: content.sqlQuery,
    pivotItems: content.pivotItems,
    pythonCode: isEmbedded ? null : (meta.pythonCode ?? null),
    meta: content.meta === null ? null : isEmbedded ? rest : content.meta,
    preferences: meta.preferences ?? null,
    fillMissingRows: meta.fillMissingRows ?? null,
    periodComparisons: meta.periodComparisons ?? null,
    isSourceReport: null,
  }
  return snapshot
}
