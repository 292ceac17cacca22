import { CodedError, type CreateReportInput, type PivotItems, type ReportMeta } from '@hedron/contract'
import { isReservedPublicId } from '../public-id.ts'
import { checkJsonQuery, checkSqlQuery } from './check-query.ts'
import { readMeta } from './read-meta.ts'

/** What a request says a report is, checked. What is absent stays as it was; null empties. */
export interface ReportDefinition {
  readonly name?: string
  readonly title?: string | null
  readonly description?: string | null
  readonly jsonQuery?: string | null
  readonly sqlQuery?: string | null
  readonly pivotItems?: PivotItems | null
  readonly meta?: ReportMeta | null
  readonly folderId?: number | null
  readonly workbookId?: number | null
}

type DefinitionInput = Omit<CreateReportInput, 'source'>

/**
 * Reads the definition out of a request. A null name or publicId is as if it was not sent: no report is without.
 *
 * @throws {CodedError} `report_query_invalid`, `report_meta_invalid`, `public_id_reserved`.
 */
export async function readDefinition(body: DefinitionInput): Promise<ReportDefinition> {
  if (body.publicId && isReservedPublicId(body.publicId)) {
    throw new CodedError('public_id_reserved', { publicId: body.publicId })
  }
  if (body.jsonQuery) checkJsonQuery(body.jsonQuery)
  if (body.sqlQuery) await checkSqlQuery(body.sqlQuery)
  return {
    ...(body.name ? { name: body.name } : {}),
    ...(body.title === undefined ? {} : { title: body.title }),
    ...(body.description === undefined ? {} : { description: body.description }),
    // No query and an empty one are the same to who asks.
    ...(body.jsonQuery === undefined ? {} : { jsonQuery: body.jsonQuery || null }),
    ...(body.sqlQuery === undefined ? {} : { sqlQuery: body.sqlQuery || null }),
    ...(body.pivotItems === undefined ? {} : { pivotItems: body.pivotItems }),
    ...(body.meta === undefined ? {} : { meta: body.meta && (await readMeta(body.meta)) }),
    ...(body.folderId === undefined ? {} : { folderId: body.folderId }),
    ...(body.workbookId === undefined ? {} : { workbookId: body.workbookId }),
  }
}
