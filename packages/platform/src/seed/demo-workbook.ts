import type { ReportMeta } from '@hedron/contract'
import { installation, type Store } from '@hedron/store'
import type { CallContext, Caller } from '../caller.ts'
import type { Operations } from '../operations.ts'

/** A workbook with a published dashboard, to be made in the demo deployment. */
export interface DemoWorkbook {
  readonly slug: string
  readonly name: string
  /** By public id. */
  readonly reports: Readonly<
    Record<string, { readonly name: string; readonly meta: ReportMeta; readonly query: object }>
  >
  readonly widgets: readonly {
    readonly id: string
    readonly type: 'CHART' | 'TEXT' | 'FILTER' | 'TIME_GRAIN'
    readonly position: { readonly x: number; readonly y: number; readonly w: number; readonly h: number }
    readonly config: Readonly<Record<string, unknown>> & { readonly report?: string }
  }[]
}

interface DemoWorkbookNeeds {
  readonly store: Store
  readonly operations: Pick<Operations, 'upsertWorkbookBySlug' | 'upsertReportByPublicId' | 'publishDashboard'>
}

/**
 * Makes the workbook of the demo once, by the operations that anybody would make it with; what is changed or deleted of it later stays so. A start
 * that is killed meanwhile leaves what the next one finishes.
 *
 * @returns the public id of its dashboard.
 */
export async function ensureDemoWorkbook(
  { store, operations }: DemoWorkbookNeeds,
  caller: Caller,
  context: CallContext,
  deploymentId: number,
  { slug, name, reports, widgets }: DemoWorkbook,
): Promise<string> {
  const fact = `demo workbook ${caller.accountId}`
  const known = await installation.readInstallation(store.kysely, fact)
  if (typeof known?.publicId === 'string') return known.publicId
  const input = { query: {}, files: undefined }
  const workbook = await operations.upsertWorkbookBySlug(
    caller,
    { ...input, params: { deploymentId, slug }, body: { name } },
    context,
  )
  const ids = new Map<string, number>()
  for (const [publicId, report] of Object.entries(reports)) {
    const body = {
      name: report.name,
      meta: report.meta,
      jsonQuery: JSON.stringify(report.query),
      workbookId: workbook.id,
    }
    const { id } = await operations.upsertReportByPublicId(
      caller,
      { ...input, params: { deploymentId, publicId }, body },
      context,
    )
    ids.set(publicId, id)
  }
  const placed = widgets.map(({ config: { report, ...config }, ...widget }) => ({
    ...widget,
    config: report === undefined ? config : { ...config, reportId: ids.get(report) },
  }))
  const { publicId } = await operations.publishDashboard(
    caller,
    {
      ...input,
      params: { deploymentId, workbookId: workbook.id },
      body: { workbookId: workbook.id, config: { title: name, settings: {}, widgets: placed } },
    },
    context,
  )
  await installation.claimInstallation(store.kysely, fact, { publicId })
  return publicId
}
