import * as z from 'zod'
import { contentCreators, contentReaders } from '../permissions.ts'
import { route } from '../route.ts'
import { DeploymentParams, Id, SuccessResponse } from '../schemas/common.ts'
import { Dashboard } from '../schemas/dashboard.ts'
import { PageQuery } from '../schemas/page.ts'
import * as schema from '../schemas/workbook.ts'

const WorkbookParams = DeploymentParams.extend({ workbookId: Id })
const base = '/api/v1/deployments/{deploymentId}/workbooks' as const
const one = `${base}/{workbookId}` as const

export const getWorkbooks = route({
  operationId: 'getWorkbooks',
  method: 'get',
  path: base,
  summary: 'List workbooks',
  tags: ['Workbooks'],
  access: { permission: contentReaders },
  params: DeploymentParams,
  query: PageQuery.extend({
    folderId: z
      .int()
      .min(0)
      .optional()
      .meta({ description: 'Those directly in this folder; 0: at the root of the workspace.' }),
  }),
  response: schema.WorkbooksListResponse,
  errors: ['deployment_not_found', 'folder_not_found', 'cursor_invalid'],
})

export const createWorkbook = route({
  operationId: 'createWorkbook',
  method: 'post',
  path: base,
  summary: 'Add a workbook',
  tags: ['Workbooks'],
  access: { permission: contentCreators },
  params: DeploymentParams,
  body: schema.CreateWorkbookInput,
  bodyOptional: true,
  response: schema.Workbook,
  errors: ['deployment_not_found', 'folder_not_found', 'content_level_missing'],
})

export const upsertWorkbookBySlug = route({
  operationId: 'upsertWorkbookBySlug',
  method: 'put',
  path: `${base}/by-slug/{slug}`,
  summary: 'Upsert a workbook by slug',
  description:
    'What is not sent keeps its value, meta is merged into the stored meta; sending the same again changes nothing. Making one needs AIBIExplore, AIBIDevelop, AIBIUser or AIBIDeveloper.',
  tags: ['Workbooks'],
  access: { permission: contentReaders },
  params: DeploymentParams.extend({ slug: schema.Slug }),
  body: schema.CreateWorkbookInput,
  bodyOptional: true,
  response: schema.Workbook,
  errors: ['deployment_not_found', 'folder_not_found', 'content_level_missing', 'slug_taken', 'upsert_branch_changed'],
})

export const getWorkbook = route({
  operationId: 'getWorkbook',
  method: 'get',
  path: one,
  summary: 'Read one workbook',
  tags: ['Workbooks'],
  access: { permission: contentReaders },
  params: WorkbookParams,
  response: schema.Workbook,
  errors: ['deployment_not_found', 'workbook_not_found'],
})

export const updateWorkbook = route({
  operationId: 'updateWorkbook',
  method: 'put',
  path: one,
  summary: 'Change a workbook',
  tags: ['Workbooks'],
  access: { permission: contentReaders },
  params: WorkbookParams,
  body: schema.UpdateWorkbookInput,
  bodyOptional: true,
  response: schema.Workbook,
  errors: ['deployment_not_found', 'workbook_not_found', 'folder_not_found', 'content_level_missing', 'slug_taken'],
})

export const deleteWorkbook = route({
  operationId: 'deleteWorkbook',
  method: 'delete',
  path: one,
  summary: 'Remove a workbook',
  description: 'Its reports and its dashboard go with it.',
  tags: ['Workbooks'],
  access: { permission: contentReaders },
  params: WorkbookParams,
  response: SuccessResponse,
  errors: ['deployment_not_found', 'workbook_not_found', 'content_level_missing'],
})

export const duplicateWorkbook = route({
  operationId: 'duplicateWorkbook',
  method: 'post',
  path: `${one}/duplicate`,
  summary: 'Copy a workbook',
  description:
    'With its reports and its published dashboard, without who it is shared with. In a creator-mode embed session, shared: true copies a published dashboard of the shared workspace.',
  tags: ['Workbooks'],
  access: { permission: contentCreators },
  params: WorkbookParams,
  body: schema.DuplicateWorkbookInput,
  bodyOptional: true,
  response: schema.Workbook,
  errors: ['deployment_not_found', 'workbook_not_found', 'dashboard_not_published', 'creator_mode_required'],
})

export const updateWorkbookDashboard = route({
  operationId: 'updateWorkbookDashboard',
  method: 'put',
  path: `${one}/dashboard`,
  summary: "Change a workbook's dashboard",
  description: 'Saves the draft, which publishing makes visible; null removes it.',
  tags: ['Workbooks'],
  access: { permission: contentReaders },
  params: WorkbookParams,
  body: schema.WorkbookDashboardInput,
  bodyOptional: true,
  response: schema.WorkbookDashboard,
  errors: ['deployment_not_found', 'workbook_not_found', 'content_level_missing'],
})

export const updatePublishedDashboardAiWidgetThread = route({
  operationId: 'updatePublishedDashboardAiWidgetThread',
  method: 'post',
  path: `${one}/dashboard/ai-widget-thread`,
  summary: 'Set published AI widget thread',
  description: 'Of an AI widget of the published dashboard, until it is published again.',
  tags: ['Workbooks'],
  access: { permission: contentReaders },
  params: WorkbookParams,
  body: schema.UpdatePublishedAiWidgetThreadInput,
  response: Dashboard,
  errors: [
    'deployment_not_found',
    'workbook_not_found',
    'content_level_missing',
    'dashboard_not_published',
    'widget_not_found',
  ],
})

export const publishDashboard = route({
  operationId: 'publishDashboard',
  method: 'post',
  path: `${one}/publish`,
  summary: "Publish a workbook's dashboard",
  description: 'Makes the next version, with its reports as they are now. A version never changes.',
  tags: ['Workbooks'],
  access: { permission: contentReaders },
  params: WorkbookParams,
  body: schema.PublishDashboardInput,
  response: Dashboard,
  errors: [
    'deployment_not_found',
    'workbook_not_found',
    'content_level_missing',
    'dashboard_not_found',
    'dashboard_draft_missing',
    'dashboard_report_missing',
  ],
})
