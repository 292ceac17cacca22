import { isDeepStrictEqual } from 'node:util'
import { CodedError, type CreateReportInput, type UpdateReportInput } from '@hedron/contract'
import { type Executor, reports } from '@hedron/store'
import type { CallContext, Caller } from '../../caller.ts'
import type { Viewer } from '../access/content-access.ts'
import { newPublicId } from '../public-id.ts'
import { placeOnWrite } from './place-on-write.ts'
import { type Asked, queryChecksum } from './query-checksum.ts'
import { type ReportDefinition, readDefinition } from './read-definition.ts'
import type { ReportsNeed } from './report-needs.ts'
import { askedOf } from './show-report.ts'

const nameless = 'Untitled report'

/**
 * Makes a report of the viewer's.
 *
 * @returns its id; undefined where the public id that is asked for belongs to another.
 * @throws {CodedError} those of `readDefinition`; `folder_not_found`, `workbook_not_found`, `content_level_missing` for where it is
 * to be; `invalid_request` for a placement without a place.
 */
export async function insertReport(
  need: ReportsNeed,
  caller: Caller,
  viewer: Viewer,
  body: CreateReportInput,
  context: CallContext,
): Promise<number | undefined> {
  const { store, effects, audit } = need
  const definition = await readDefinition(body)
  const now = effects.now()
  const checksum = queryChecksum(askedBy({ jsonQuery: null, sqlQuery: null, pivotItems: null }, definition))
  const place = placeOnWrite(effects, caller, { before: undefined, body, checksum })
  return store.transaction(async transaction => {
    await requirePlaces(need, viewer, definition, transaction)
    const id = await reports.insertReport(transaction, {
      accountId: viewer.accountId,
      deploymentId: viewer.deploymentId,
      embedTenantId: viewer.embedTenantId,
      publicId: body.publicId ?? newPublicId(effects),
      name: nameless,
      ...columnsOf(definition),
      source: body.source ?? null,
      placements: '[]',
      ...place,
      userId: caller.userId,
      createdAt: now,
      updatedAt: now,
    })
    if (id !== undefined) await audit(transaction, caller, context, 'report.create', `report ${id}`)
    return id
  })
}

/**
 * Changes what is sent of a report; a request that changes nothing writes nothing. The version counts changes of what is asked.
 *
 * @throws {CodedError} as `insertReport`; `report_not_found`, `public_id_fixed`.
 */
export async function changeReport(
  need: ReportsNeed,
  caller: Caller,
  viewer: Viewer,
  id: number,
  body: UpdateReportInput,
  context: CallContext,
): Promise<void> {
  const { store, effects, audit, access } = need
  const definition = await readDefinition(body)
  await store.transaction(async transaction => {
    await access.require(viewer, 'Report', id, 'edit', transaction)
    const row = await reports.lockReport(transaction, viewer.accountId, id)
    if (!row) throw new CodedError('report_not_found', { report: id })
    if (body.publicId && body.publicId !== row.publicId) {
      throw new CodedError('public_id_fixed', { publicId: row.publicId })
    }
    const changed = changesOf(definition, row)
    await requirePlaces(need, viewer, changed, transaction)
    const asked = askedOf(row)
    const checksum = queryChecksum(askedBy(asked, definition))
    const place = placeOnWrite(effects, caller, { before: row, body, checksum })
    const fields = [...Object.keys(changed), ...(place ? ['placements'] : [])]
    if (fields.length === 0) return
    await reports.updateReport(transaction, viewer.accountId, id, {
      ...columnsOf(changed),
      ...place,
      ...(Object.keys(changed).length === 0 ? {} : { updatedAt: effects.now() }),
      ...(checksum === queryChecksum(asked) ? {} : { version: row.version + 1 }),
    })
    await audit(transaction, caller, context, 'report.update', `report ${id}`, { fields })
  })
}

/** Those parts of a definition that are other than what is stored. */
function changesOf(definition: ReportDefinition, row: reports.ReportRow): ReportDefinition {
  const stored: Readonly<Record<string, unknown>> = { ...row }
  return Object.fromEntries(
    Object.entries(definition).filter(([name, value]) => !isDeepStrictEqual(value, stored[name])),
  )
}

/** What a report asks once a definition is applied. */
const askedBy = (before: Asked, { jsonQuery, sqlQuery, pivotItems }: ReportDefinition): Asked => ({
  jsonQuery: jsonQuery === undefined ? before.jsonQuery : jsonQuery,
  sqlQuery: sqlQuery === undefined ? before.sqlQuery : sqlQuery,
  pivotItems: pivotItems === undefined ? before.pivotItems : pivotItems,
})

function columnsOf({ pivotItems, meta, ...columns }: ReportDefinition) {
  return { ...columns, ...jsonColumn('pivotItems', pivotItems), ...jsonColumn('meta', meta) }
}

const jsonColumn = <N extends string>(name: N, value: object | null | undefined) =>
  value === undefined ? {} : { [name]: value === null ? null : JSON.stringify(value) }

/** Puts a report where it may be: needs edit access to the folder and the workbook. */
async function requirePlaces(
  { access }: ReportsNeed,
  viewer: Viewer,
  { folderId, workbookId }: ReportDefinition,
  executor: Executor,
): Promise<void> {
  if (folderId) await access.require(viewer, 'Folder', folderId, 'edit', executor)
  if (workbookId) await access.require(viewer, 'Workbook', workbookId, 'edit', executor)
}
