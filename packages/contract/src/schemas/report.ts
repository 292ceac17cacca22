import * as z from 'zod'
import { Id, Timestamp } from './common.ts'
import { FolderPathEntry, PublicId, ResourceOwner, RoleWithAccess } from './content.ts'
import { PageInfo, PageQuery } from './page.ts'
import { ReportMeta } from './report-meta.ts'

export const ReportSource = z.enum(['GOOGLE_SHEETS', 'EXCEL', 'PLAYGROUND', 'D3']).meta({ id: 'ReportSource' })
export const SpreadsheetHost = z.enum(['GOOGLE_SHEETS', 'EXCEL']).meta({ id: 'SpreadsheetHost' })
export type SpreadsheetHost = z.infer<typeof SpreadsheetHost>

/** Names of members, as a pivot table arranges them. */
const memberNames = z.array(z.string().max(1024)).max(1000)

/** Of both bodies and answers. */
export const PivotItems = z
  .strictObject({
    columns: memberNames,
    measures: memberNames,
    rows: memberNames,
    filters: memberNames,
    displayScale: z.enum(['model', 'absolute', 'thousands', 'millions', 'billions']).nullish(),
    measuresAxis: z.enum(['columns', 'rows']).nullish(),
    measuresPosition: z.enum(['before', 'after']).nullish(),
    showAppliedFilters: z.boolean().nullish(),
    showColumnTotals: z.boolean().nullish(),
    showRowTotals: z.boolean().nullish(),
  })
  .meta({ id: 'PivotItems', description: 'How a pivot table arranges the members of the query.' })
export type PivotItems = z.infer<typeof PivotItems>

const Checksum = z
  .strictObject({
    v: z.int().min(1).max(1_000_000),
    chunks: z
      .array(
        z.strictObject({
          from: z.int().min(0),
          hash: z.string().min(1).max(64),
          to: z.int().min(0).nullish().meta({ deprecated: true }),
        }),
      )
      .max(2000),
  })
  .meta({ id: 'ReportPlacementResultChecksum', description: 'Of the cells of a placement, as its client counts it.' })

/** One place in a spreadsheet that shows a report. */
export const ReportPlacement = z
  .object({
    id: z.string().nullable(),
    workbookId: z.string().meta({ description: 'Id of the spreadsheet, as its host knows it.' }),
    workbookName: z.string().nullable(),
    host: SpreadsheetHost.nullable(),
    resultLocation: z.string(),
    sheetId: z.string().nullable(),
    sheetName: z.string().nullable(),
    anchorCell: z.string().nullable(),
    endResultCell: z.string().nullable(),
    queryChecksum: z.string().nullable().meta({ description: 'currentQueryChecksum when its rows were last read.' }),
    resultChecksum: Checksum.nullable(),
    placedAt: Timestamp.nullable(),
    placedByUserId: Id.nullable(),
    refreshedAt: Timestamp.nullable(),
    refreshedByUserId: Id.nullable(),
    syncStatus: z
      .enum(['UP_TO_DATE', 'CHANGED', 'UNKNOWN'])
      .nullable()
      .meta({ description: 'Whether the query is the one that its rows were read with.' }),
  })
  .meta({ id: 'ReportPlacement' })
export type ReportPlacement = z.infer<typeof ReportPlacement>

export const Report = z
  .object({
    id: Id,
    publicId: PublicId,
    deploymentId: Id,
    type: z.enum(['FOLDER', 'WORKBOOK', 'REPORT']),
    name: z.string(),
    title: z.string().nullable(),
    description: z.string().nullable(),
    jsonQuery: z.string().nullable(),
    sqlQuery: z.string().nullable(),
    pivotItems: PivotItems.nullable(),
    meta: ReportMeta.nullable(),
    source: ReportSource.nullable(),
    version: z.int().nullable().meta({ description: 'Counts the changes of what is asked, from 1.' }),
    currentQueryChecksum: z.string().nullable().meta({ description: 'Changes with what is asked.' }),
    folderId: Id.nullable(),
    folderPath: z.array(FolderPathEntry),
    workbookId: Id.nullable(),
    externalWorkbookId: z.string().nullable(),
    externalWorkbookPlacements: z.array(ReportPlacement),
    resultLocation: z.string().nullable(),
    endResultCell: z.string().nullable(),
    createdBy: Id.optional(),
    userId: Id.nullable(),
    user: ResourceOwner.nullable().meta({
      description: 'The owner; null on what an account shares with embed users, and once that user is gone.',
    }),
    refreshedBy: Id.nullable(),
    refreshedByUser: ResourceOwner.nullable().meta({
      description: 'Who refreshed it last: the owner until somebody does.',
    }),
    canEdit: z.boolean().nullable(),
    canManage: z.boolean().nullable(),
    rolesWithAccess: z
      .array(RoleWithAccess)
      .meta({ description: 'Groups it is shared with; only those who may share it see them.' }),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: 'Report' })
export type Report = z.infer<typeof Report>

export const ReportsListResponse = z
  .object({
    items: z.array(Report),
    data: z.array(Report).meta({ deprecated: true }),
    count: z.int().min(0).nullable().meta({
      deprecated: true,
      description: 'All reports that match, on every page; null where a cursor or "first" is sent.',
    }),
    pageInfo: PageInfo.nullable(),
  })
  .meta({ id: 'ReportsListResponse' })

export const ReportsQuery = PageQuery.extend({
  workbookId: Id.optional(),
  folderId: Id.optional(),
  externalWorkbookId: z.string().max(512).optional(),
  search: z.string().max(255).optional().meta({ description: 'Part of a name or title, whatever its case.' }),
  limit: z.int().min(1).optional().meta({ description: 'Reports on a numbered page; at most 1,000.' }),
  page: z.int().min(1).max(1_000_000).optional().meta({ description: 'A numbered page, from 1.' }),
  sortBy: z.enum(['name', 'createdAt', 'updatedAt', 'lastViewedAt']).optional(),
  sortDirection: z.enum(['ASC', 'DESC']).optional(),
})
export type ReportsQuery = z.infer<typeof ReportsQuery>

const name = z.string().min(1).max(255)
const queryText = z.string().max(200_000)
const cell = z.string().max(64)
const location = z.string().max(1024)
const outsideId = z.string().min(1).max(512)

const definition = {
  name: name.nullish().meta({ description: 'null: as if it was not sent.' }),
  title: z.string().max(255).nullish(),
  description: z.string().max(10_000).nullish(),
  jsonQuery: queryText.nullish().meta({ description: 'A query of the data API, as JSON text.' }),
  sqlQuery: queryText.nullish(),
  pivotItems: PivotItems.nullish(),
  meta: ReportMeta.nullish(),
  folderId: Id.nullish(),
  workbookId: Id.nullish(),
  publicId: PublicId.nullish(),
}

const place = {
  externalWorkbookId: outsideId.nullish(),
  workbookName: z.string().max(1024).nullish(),
  host: SpreadsheetHost.nullish(),
  resultLocation: location.nullish(),
  endResultCell: cell.nullish(),
  sheetId: z.string().max(512).nullish(),
  resultChecksum: Checksum.nullish(),
}

export const CreateReportInput = z
  .strictObject({ ...definition, ...place, source: ReportSource.nullish() })
  .meta({ id: 'CreateReportInput' })
export type CreateReportInput = z.infer<typeof CreateReportInput>

const placementId = z
  .string()
  .regex(/^[\w-]{1,64}$/, 'must be 1 to 64 letters, digits, _ and -')
  .nullish()

export const UpdateReportInput = z
  .strictObject({ ...definition, ...place, placementId })
  .meta({ id: 'UpdateReportInput' })
export type UpdateReportInput = z.infer<typeof UpdateReportInput>

/** Which placement of a report is meant: by its id, or by spreadsheet, sheet and first cell. */
const target = {
  placementId,
  externalWorkbookId: outsideId.nullish(),
  resultLocation: location.nullish(),
  sheetId: z.string().max(512).nullish(),
  sheetName: z.string().max(255).nullish(),
  anchorCell: cell.nullish(),
}

export const ConnectReportToWorkbookInput = z
  .strictObject({
    ...target,
    externalWorkbookId: outsideId,
    resultLocation: location,
    addressOnly: z
      .boolean()
      .nullish()
      .meta({ description: 'The placement moved and its rows were not read again: what is known of them stays.' }),
    endResultCell: cell.nullish(),
    host: SpreadsheetHost.nullish(),
    resultChecksum: Checksum.nullish(),
    workbookName: z.string().max(1024).nullish(),
  })
  .meta({ id: 'ConnectReportToWorkbookInput' })
export type ConnectReportToWorkbookInput = z.infer<typeof ConnectReportToWorkbookInput>

export const DisconnectReportFromWorkbookInput = z
  .strictObject(target)
  .meta({ id: 'DisconnectReportFromWorkbookInput' })
export type DisconnectReportFromWorkbookInput = z.infer<typeof DisconnectReportFromWorkbookInput>

export const RefreshReportInput = z
  .strictObject({ ...target, resultChecksum: Checksum.nullish() })
  .meta({ id: 'RefreshReportInput' })
export type RefreshReportInput = z.infer<typeof RefreshReportInput>
