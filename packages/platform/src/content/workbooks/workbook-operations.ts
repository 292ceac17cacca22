import { CodedError } from '@hedron/contract'
import { workbooks } from '@hedron/store'
import type { Operations } from '../../operations.ts'
import { page } from '../../page.ts'
import { storedMeta } from '../dashboards/draft.ts'
import { changeWorkbook, createIn } from './change-workbook.ts'
import { duplicate } from './duplicate-workbook.ts'
import { removeWorkbook } from './remove-workbook.ts'
import { showWorkbooks } from './show-workbook.ts'
import { upsert } from './upsert-workbook.ts'
import { readWhole, seen, type WorkbooksNeed } from './workbook-needs.ts'

type WorkbookOperations = Pick<
  Operations,
  | 'getWorkbooks'
  | 'createWorkbook'
  | 'upsertWorkbookBySlug'
  | 'getWorkbook'
  | 'updateWorkbook'
  | 'deleteWorkbook'
  | 'duplicateWorkbook'
>

/** Workbooks of a deployment's workspace (contract/platform-api.yaml, tag Workbooks). */
export function createWorkbookOperations(need: WorkbooksNeed): WorkbookOperations {
  const { store, access } = need

  return {
    async getWorkbooks(caller, { params, query }) {
      const viewer = await access.viewerOf(caller, params.deploymentId)
      if (query.folderId) await access.require(viewer, 'Folder', query.folderId, 'read')
      const filter = { folderId: query.folderId === 0 ? null : query.folderId }
      const count = await workbooks.countWorkbooks(store.kysely, viewer, filter)
      const list = await page(
        'workbooks',
        query,
        ({ limit, after }: { limit: number; after: readonly [number] | undefined }) =>
          workbooks.listWorkbooks(store.kysely, viewer, filter, { after: after?.[0], limit }),
        row => [row.id] as const,
        row => row,
      )
      const items = await showWorkbooks(store.kysely, caller, list.items)
      return { ...list, items, data: items, count }
    },

    async createWorkbook(caller, { params, body }, context) {
      const viewer = await access.viewerOf(caller, params.deploymentId)
      access.requireCreator(caller, viewer)
      return store.transaction(async transaction => {
        const row = await createIn(need, transaction, caller, context, viewer, { ...body, slug: null })
        return readWhole(transaction, caller, row)
      })
    },

    async upsertWorkbookBySlug(caller, { params, body }, context) {
      const viewer = await access.viewerOf(caller, params.deploymentId)
      return upsert(need, caller, context, viewer, params.slug, body)
    },

    async getWorkbook(caller, { params: { deploymentId, workbookId } }) {
      const viewer = await access.viewerOf(caller, deploymentId)
      await access.require(viewer, 'Workbook', workbookId, 'read')
      const row = await workbooks.findWorkbook(store.kysely, caller.accountId, deploymentId, workbookId)
      if (!row) throw new CodedError('workbook_not_found', { workbook: workbookId })
      const whole = await readWhole(store.kysely, caller, row)
      await seen(need, caller, row.id)
      return whole
    },

    async updateWorkbook(caller, { params, body }, context) {
      const viewer = await access.viewerOf(caller, params.deploymentId)
      const changes = {
        ...body,
        meta: body.meta ? storedMeta(body.meta) : undefined,
        takesSlug: body.slugTakeover === true,
      }
      return store.transaction(async transaction => {
        const row = await changeWorkbook(need, transaction, caller, context, viewer, params.workbookId, changes)
        return readWhole(transaction, caller, row)
      })
    },

    async deleteWorkbook(caller, { params: { deploymentId, workbookId } }, context) {
      const viewer = await access.viewerOf(caller, deploymentId)
      await store.transaction(async transaction => {
        await removeWorkbook(need, transaction, caller, context, viewer, workbookId)
      })
      return { success: true }
    },

    async duplicateWorkbook(caller, { params: { deploymentId, workbookId }, body }, context) {
      const viewer = await access.viewerOf(caller, deploymentId)
      return duplicate(need, caller, context, viewer, workbookId, body.shared === true)
    },
  }
}
