import { contentCreators, contentReaders } from '../permissions.ts'
import { route } from '../route.ts'
import { DeploymentParams, Id, SuccessResponse } from '../schemas/common.ts'
import { PublicId } from '../schemas/content.ts'
import * as schema from '../schemas/report.ts'

const ReportParams = DeploymentParams.extend({ reportId: Id })

const seen = ['deployment_not_found', 'report_not_found'] as const
const placed = ['folder_not_found', 'workbook_not_found'] as const
const defined = ['report_query_invalid', 'report_meta_invalid', 'public_id_reserved', 'public_id_taken'] as const

export const getReports = route({
  operationId: 'getReports',
  method: 'get',
  path: '/api/v1/deployments/{deploymentId}/reports',
  summary: 'List accessible reports',
  description:
    'Only what the caller may read, by default what changed last first. Sorted by lastViewedAt there are numbered pages (limit, page) and no cursors.',
  tags: ['Reports'],
  access: { permission: contentReaders },
  params: DeploymentParams,
  query: schema.ReportsQuery,
  response: schema.ReportsListResponse,
  errors: ['deployment_not_found', 'cursor_invalid'],
})

export const createReport = route({
  operationId: 'createReport',
  method: 'post',
  path: '/api/v1/deployments/{deploymentId}/reports',
  summary: 'Add a report',
  description:
    'Without publicId one is made. The HTML of a report is cleaned when it is written; a chart that would load something is refused.',
  tags: ['Reports'],
  access: { permission: contentCreators },
  params: DeploymentParams,
  body: schema.CreateReportInput,
  bodyOptional: true,
  response: schema.Report,
  errors: ['deployment_not_found', 'content_read_only', 'content_level_missing', ...placed, ...defined],
})

export const upsertReportByPublicId = route({
  operationId: 'upsertReportByPublicId',
  method: 'put',
  path: '/api/v1/deployments/{deploymentId}/reports/by-public-id/{publicId}',
  summary: 'Upsert a report by publicId',
  description:
    'Updates the report with that publicId, as PUT …/reports/{reportId} does, or makes it. The same request again changes nothing.',
  tags: ['Reports'],
  access: { permission: contentReaders },
  params: DeploymentParams.extend({ publicId: PublicId }),
  body: schema.CreateReportInput,
  bodyOptional: true,
  response: schema.Report,
  errors: [
    'deployment_not_found',
    'content_read_only',
    'content_level_missing',
    ...placed,
    ...defined,
    'public_id_fixed',
    'upsert_branch_changed',
  ],
})

export const getReport = route({
  operationId: 'getReport',
  method: 'get',
  path: '/api/v1/deployments/{deploymentId}/reports/{reportId}',
  summary: 'Read one report',
  tags: ['Reports'],
  access: { permission: contentReaders },
  params: ReportParams,
  response: schema.Report,
  errors: seen,
})

export const updateReport = route({
  operationId: 'updateReport',
  method: 'put',
  path: '/api/v1/deployments/{deploymentId}/reports/{reportId}',
  summary: 'Change a report',
  description: 'Changes what is sent. Needs edit access to the report, and to the folder or workbook it is moved into.',
  tags: ['Reports'],
  access: { permission: contentReaders },
  params: ReportParams,
  body: schema.UpdateReportInput,
  bodyOptional: true,
  response: schema.Report,
  errors: [...seen, 'content_level_missing', ...placed, ...defined, 'public_id_fixed'],
})

export const deleteReport = route({
  operationId: 'deleteReport',
  method: 'delete',
  path: '/api/v1/deployments/{deploymentId}/reports/{reportId}',
  summary: 'Remove a report',
  description: 'Published dashboards keep it as it was when they were published. Needs manage access.',
  tags: ['Reports'],
  access: { permission: contentReaders },
  params: ReportParams,
  response: SuccessResponse,
  errors: [...seen, 'content_level_missing'],
})

export const connectReportToWorkbook = route({
  operationId: 'connectReportToWorkbook',
  method: 'put',
  path: '/api/v1/deployments/{deploymentId}/reports/{reportId}/connect-workbook',
  summary: 'Record a spreadsheet placement',
  description: 'Makes or changes one placement and nothing else of the report. Needs read access.',
  tags: ['Reports'],
  access: { permission: contentReaders },
  params: ReportParams,
  body: schema.ConnectReportToWorkbookInput,
  response: schema.Report,
  errors: [...seen, 'content_read_only', 'content_level_missing', 'too_many_placements'],
})

export const disconnectReportFromWorkbook = route({
  operationId: 'disconnectReportFromWorkbook',
  method: 'delete',
  path: '/api/v1/deployments/{deploymentId}/reports/{reportId}/connect-workbook',
  summary: 'Remove one spreadsheet placement',
  description:
    'The placement is named by placementId, or by externalWorkbookId with sheetName and anchorCell or a resultLocation of both. One that matches nothing changes nothing.',
  tags: ['Reports'],
  access: { permission: contentReaders },
  params: ReportParams,
  body: schema.DisconnectReportFromWorkbookInput,
  bodyOptional: true,
  response: schema.Report,
  errors: [...seen, 'content_read_only', 'content_level_missing'],
})

export const refreshReport = route({
  operationId: 'refreshReport',
  method: 'put',
  path: '/api/v1/deployments/{deploymentId}/reports/{reportId}/refresh',
  summary: 'Refresh a report',
  description:
    'Records that the caller read the rows again, for a placement where one is named. The rows are asked of the data API.',
  tags: ['Reports'],
  access: { permission: contentReaders },
  params: ReportParams,
  body: schema.RefreshReportInput,
  bodyOptional: true,
  response: schema.Report,
  errors: [...seen, 'content_read_only', 'content_level_missing'],
})
