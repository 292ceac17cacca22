import * as z from 'zod'
import { contentReaders } from '../permissions.ts'
import { route } from '../route.ts'
import { DeploymentParams, Id } from '../schemas/common.ts'
import { PageQuery } from '../schemas/page.ts'
import * as schema from '../schemas/workbook.ts'

const WorkbookParams = DeploymentParams.extend({ workbookId: Id })
const path = '/api/v1/deployments/{deploymentId}/workbooks/{workbookId}/embed-access' as const

export const getEmbedAccess = route({
  operationId: 'getEmbedAccess',
  method: 'get',
  path,
  summary: "Read a dashboard's embed audience",
  tags: ['Dashboard Embed Access'],
  access: { permission: contentReaders },
  params: WorkbookParams,
  response: schema.EmbedAccessResponse,
  errors: ['deployment_not_found', 'workbook_not_found'],
})

export const updateEmbedAccess = route({
  operationId: 'updateEmbedAccess',
  method: 'put',
  path,
  summary: "Change a dashboard's embed audience",
  description:
    'action with one target: embedTenantName, or allEmbedUsers: true. allowEmbed may be sent along or alone. Needs manage access to the workbook.',
  tags: ['Dashboard Embed Access'],
  access: { permission: contentReaders },
  params: WorkbookParams,
  body: schema.UpdateEmbedAccessInput,
  bodyOptional: true,
  response: schema.EmbedAccessResponse,
  errors: [
    'deployment_not_found',
    'workbook_not_found',
    'embed_tenant_not_found',
    'content_level_missing',
    'dashboard_not_published',
  ],
})

export const listEmbedTenantWorkbooks = route({
  operationId: 'listEmbedTenantWorkbooks',
  method: 'get',
  path: '/api/v1/deployments/{deploymentId}/embed-tenants/{embedTenantName}/workbooks',
  summary: 'List workbooks an embed tenant reaches',
  description: 'Without accessSource all of them; a workbook may be reached in several ways and is listed once.',
  tags: ['Dashboard Embed Access'],
  access: 'admin',
  params: DeploymentParams.extend({ embedTenantName: z.string().min(1).max(255) }),
  query: PageQuery.extend({
    accessSource: z
      .enum(['tenant', 'allEmbedUsers', 'folder'])
      .optional()
      .meta({ description: 'How it is shared: itself with the tenant, itself with all, or a folder around it.' }),
  }),
  response: schema.EmbedTenantWorkbooksListResponse,
  errors: ['deployment_not_found', 'embed_tenant_not_found', 'cursor_invalid'],
})
