import { CodedError, type CreateReportInput, type Report } from '@hedron/contract'
import { contentViews, reports } from '@hedron/store'
import type { CallContext, Caller } from '../../caller.ts'
import type { Operations } from '../../operations.ts'
import type { Viewer } from '../access/content-access.ts'
import { isReservedPublicId } from '../public-id.ts'
import { listReports } from './list-reports.ts'
import { connect, disconnect, type Placed, refresh } from './place-report.ts'
import { removeReport } from './remove-report.ts'
import { type ReportsNeed, showReport } from './report-needs.ts'
import { changeReport, insertReport } from './write-report.ts'

type ReportOperations = Pick<
  Operations,
  | 'getReports'
  | 'createReport'
  | 'upsertReportByPublicId'
  | 'getReport'
  | 'updateReport'
  | 'deleteReport'
  | 'connectReportToWorkbook'
  | 'disconnectReportFromWorkbook'
  | 'refreshReport'
>

/** Reports: a query and how its rows are shown. The rows are asked of the data API, by whoever looks. */
export function createReportOperations(need: ReportsNeed): ReportOperations {
  const { store, effects, access } = need

  return {
    async getReports(caller, { params, query }) {
      const viewer = await access.viewerOf(caller, params.deploymentId)
      return listReports(store, caller, viewer, query)
    },

    async createReport(caller, { params, body }, context) {
      const viewer = await access.viewerOf(caller, params.deploymentId)
      const id = await create(caller, viewer, body, context)
      if (id === undefined) throw new CodedError('public_id_taken', { publicId: body.publicId ?? '' })
      return showReport(need, caller, viewer, id)
    },

    async upsertReportByPublicId(caller, { params, body }, context) {
      const { publicId } = params
      const viewer = await access.viewerOf(caller, params.deploymentId)
      if (isReservedPublicId(publicId)) throw new CodedError('public_id_reserved', { publicId })
      if (body.publicId && body.publicId !== publicId) {
        throw new CodedError('invalid_request', { problems: 'body: publicId is not the one in the path; leave it out' })
      }
      const known = await reports.findReportByPublicId(store.kysely, viewer.accountId, publicId)
      const id = known
        ? await update(caller, viewer, known, { ...body, publicId }, context)
        : await create(caller, viewer, { ...body, publicId }, context)
      if (id === undefined) throw new CodedError('upsert_branch_changed', { kind: 'report', key: publicId })
      return showReport(need, caller, viewer, id)
    },

    async getReport(caller, { params }) {
      const viewer = await access.viewerOf(caller, params.deploymentId)
      const shown = await showReport(need, caller, viewer, params.reportId)
      if (caller.userId !== null) {
        await contentViews.saveView(store.kysely, {
          accountId: caller.accountId,
          userId: caller.userId,
          resourceType: 'Report',
          resourceId: shown.id,
          viewedAt: effects.now(),
        })
      }
      return shown
    },

    async updateReport(caller, { params, body }, context) {
      const viewer = await access.viewerOf(caller, params.deploymentId)
      await changeReport(need, caller, viewer, params.reportId, body, context)
      return showReport(need, caller, viewer, params.reportId)
    },

    async deleteReport(caller, { params }, context) {
      const viewer = await access.viewerOf(caller, params.deploymentId)
      const { reportId: id } = params
      await store.transaction(async transaction => {
        await removeReport(need, transaction, caller, context, viewer, id)
      })
      return { success: true }
    },

    async connectReportToWorkbook(caller, { params, body }, context) {
      return place(caller, params, context, placed => connect(need, placed, body))
    },

    async disconnectReportFromWorkbook(caller, { params, body }, context) {
      return place(caller, params, context, placed => disconnect(need, placed, body))
    },

    async refreshReport(caller, { params, body }, context) {
      return place(caller, params, context, placed => refresh(need, placed, body))
    },
  }

  /** @returns its id; undefined where the public id asked for is taken. */
  async function create(
    caller: Caller,
    viewer: Viewer,
    body: CreateReportInput,
    context: CallContext,
  ): Promise<number | undefined> {
    access.requireCreator(caller, viewer)
    return insertReport(need, caller, viewer, body, context)
  }

  /** @returns its id; undefined where the report was deleted since. */
  async function update(
    caller: Caller,
    viewer: Viewer,
    { id, deploymentId }: { readonly id: number; readonly deploymentId: number },
    { source: _, ...body }: CreateReportInput & { readonly publicId: string },
    context: CallContext,
  ): Promise<number | undefined> {
    const isSeen = deploymentId === viewer.deploymentId && (await access.levelOf(viewer, 'Report', id)) !== null
    if (!isSeen) throw new CodedError('public_id_taken', { publicId: body.publicId })
    try {
      await changeReport(need, caller, viewer, id, body, context)
      return id
    } catch (error) {
      if (error instanceof CodedError && error.code === 'report_not_found') return undefined
      throw error
    }
  }

  async function place(
    caller: Caller,
    params: { readonly deploymentId: number; readonly reportId: number },
    context: CallContext,
    change: (placed: Placed) => Promise<void>,
  ): Promise<Report> {
    const viewer = await access.viewerOf(caller, params.deploymentId)
    await change({ caller, viewer, id: params.reportId, context })
    return showReport(need, caller, viewer, params.reportId)
  }
}
