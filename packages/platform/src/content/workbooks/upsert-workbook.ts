import { CodedError, type CreateWorkbookInput, type Workbook } from '@hedron/contract'
import { workbooks } from '@hedron/store'
import type { CallContext, Caller } from '../../caller.ts'
import type { Viewer } from '../access/content-access.ts'
import { storedMeta } from '../dashboards/draft.ts'
import { changeWorkbook, createIn } from './change-workbook.ts'
import { readWhole, type WorkbooksNeed } from './workbook-needs.ts'

/**
 * Changes the workbook with the slug, or makes one. Which of the two is decided and checked first; where a racing request has
 * changed that meanwhile, nothing is written.
 *
 * @throws {CodedError} `upsert_branch_changed`; `slug_taken` where a workbook that the caller does not see has the slug; those of
 * changing and making one.
 */
export async function upsert(
  need: WorkbooksNeed,
  caller: Caller,
  context: CallContext,
  viewer: Viewer,
  slug: string,
  body: CreateWorkbookInput,
): Promise<Workbook> {
  const { store, access } = need
  const found = await workbooks.findWorkbookIdBySlug(store.kysely, viewer, slug)
  if (found === undefined) access.requireCreator(caller, viewer)
  else if ((await access.levelOf(viewer, 'Workbook', found)) === null) throw new CodedError('slug_taken', { slug })
  return store.transaction(async transaction => {
    await workbooks.lockSlug(transaction, viewer, slug)
    if ((await workbooks.findWorkbookIdBySlug(transaction, viewer, slug)) !== found) {
      throw new CodedError('upsert_branch_changed', { kind: 'workbook', key: slug })
    }
    if (found === undefined) {
      const row = await createIn(need, transaction, caller, context, viewer, { ...body, slug })
      return readWhole(transaction, caller, row)
    }
    const row = await changeWorkbook(need, transaction, caller, context, viewer, found, {
      ...body,
      meta: stored => merged(stored, body.meta),
    })
    return readWhole(transaction, caller, row)
  })
}

/** What is sent goes before what is stored, key by key of the uppermost level; a dashboard draft of null takes it away. */
function merged(stored: Record<string, unknown>, sent: CreateWorkbookInput['meta']): Record<string, unknown> {
  if (!sent) return stored
  const { dashboardDraft, ...rest } = stored
  const keepsDraft = sent.dashboardDraft === undefined && dashboardDraft !== undefined
  return { ...rest, ...(keepsDraft ? { dashboardDraft } : {}), ...storedMeta(sent) }
}
