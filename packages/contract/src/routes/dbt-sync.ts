import { route } from '../route.ts'
import { DeploymentParams } from '../schemas/common.ts'
import * as schema from '../schemas/dbt-sync.ts'

const tags = ['dbt Sync'] as const
const base = '/api/v1/deployments/{deploymentId}/dbt-sync' as const
const read = { tags, access: { permission: 'SchemaRead' } } as const
const change = { tags, access: { permission: 'SchemaUpdate' } } as const

export const listDbtSyncs = route({
  ...read,
  operationId: 'listDbtSyncs',
  method: 'get',
  path: base,
  summary: "List a deployment's dbt syncs",
  description: 'Newest first, at most 100 on a page.',
  params: DeploymentParams,
  query: schema.DbtSyncRunsQuery,
  response: schema.DbtSyncRunListResponse,
  errors: ['deployment_not_found', 'cursor_invalid'],
})

export const startDbtSync = route({
  ...change,
  operationId: 'startDbtSync',
  method: 'post',
  path: base,
  summary: 'Begin a dbt sync',
  description:
    'Makes cubes of the models of a dbt project, of its repository at a branch or tag or of a manifest given, and commits them on a branch.',
  params: DeploymentParams,
  body: schema.StartDbtSyncInput,
  bodyOptional: true,
  response: schema.DbtSyncResponse,
  errors: [
    'deployment_not_found',
    'branch_name_invalid',
    'dbt_branch_refused',
    'dbt_manifest_invalid',
    'dbt_option_invalid',
    'dbt_ref_invalid',
    'dbt_repository_missing',
  ],
})

export const cancelDbtSync = route({
  ...change,
  operationId: 'cancelDbtSync',
  method: 'delete',
  path: `${base}/{syncJobId}`,
  summary: 'Stop a running dbt sync',
  params: schema.DbtSyncParams,
  response: schema.DbtSyncCancelResponse,
  errors: ['deployment_not_found', 'dbt_sync_not_found', 'dbt_sync_ended'],
})

export const getDbtSyncStatus = route({
  ...read,
  operationId: 'getDbtSyncStatus',
  method: 'get',
  path: `${base}/{syncJobId}`,
  summary: 'Read dbt sync status',
  description: 'A sync that was cancelled reads FAILED here, with a reason that says so.',
  params: schema.DbtSyncParams,
  response: schema.DbtSyncStatusResponse,
  errors: ['deployment_not_found', 'dbt_sync_not_found'],
})

export const getDbtSyncGeneratedFiles = route({
  ...read,
  operationId: 'getDbtSyncGeneratedFiles',
  method: 'get',
  path: `${base}/{syncJobId}/generated-files`,
  summary: 'List files generated without commit',
  description: 'Of a sync whose output are files, for an hour after it has ended. All of them, unless first is given.',
  params: schema.DbtSyncParams,
  query: schema.DbtSyncFilesQuery,
  response: schema.DbtSyncGeneratedFilesListResponse,
  errors: ['deployment_not_found', 'dbt_sync_not_found', 'dbt_sync_files_absent', 'cursor_invalid'],
})

export const getDbtSyncLogs = route({
  ...read,
  operationId: 'getDbtSyncLogs',
  method: 'get',
  path: `${base}/{syncJobId}/logs`,
  summary: 'Read dbt sync log',
  description: 'All of it on one page.',
  params: schema.DbtSyncParams,
  response: schema.DbtSyncLogEntriesListResponse,
  errors: ['deployment_not_found', 'dbt_sync_not_found'],
})

export const getDbtSyncResult = route({
  ...read,
  operationId: 'getDbtSyncResult',
  method: 'get',
  path: `${base}/{syncJobId}/result`,
  summary: 'Read completed dbt sync result',
  params: schema.DbtSyncParams,
  response: schema.DbtSyncResultResponse,
  errors: ['deployment_not_found', 'dbt_sync_not_found', 'dbt_sync_result_absent'],
})
