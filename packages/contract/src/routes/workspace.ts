import { contentReaders } from '../permissions.ts'
import { route } from '../route.ts'
import { DeploymentParams } from '../schemas/common.ts'
import * as schema from '../schemas/workspace.ts'

const tags = ['Workspace'] as const
const access = { permission: contentReaders }
const base = '/api/v1/deployments/{deploymentId}'

export const workspaceObjects = route({
  operationId: 'workspaceObjects',
  method: 'get',
  path: `${base}/workspace`,
  summary: 'List workspace items',
  description:
    'Folders in the order of position and name, then workbooks and reports that are in none, as they are sorted: those that the caller can see. Cursors are of one order.',
  tags,
  access,
  params: DeploymentParams,
  query: schema.WorkspaceQuery,
  response: schema.WorkspaceConnectionResponse,
  errors: ['deployment_not_found', 'folder_not_found', 'cursor_invalid'],
})

export const sharedWorkspaceObjects = route({
  operationId: 'sharedWorkspaceObjects',
  method: 'get',
  path: `${base}/shared-workspace`,
  summary: 'List items shared with embed users',
  description:
    'What the account shares with all embed users, and to an embed session also what it shares with its embed tenant: the same for all users of that tenant, without owners. Folders that lead to a shared item are listed, and nothing beside them.',
  tags,
  access,
  params: DeploymentParams,
  query: schema.WorkspaceQuery,
  response: schema.WorkspaceConnectionResponse,
  errors: ['deployment_not_found', 'folder_not_found', 'cursor_invalid'],
})

const itemErrors = [
  'deployment_not_found',
  'folder_not_found',
  'workbook_not_found',
  'report_not_found',
  'content_level_missing',
] as const

export const moveWorkspaceObject = route({
  operationId: 'moveWorkspaceObject',
  method: 'post',
  path: `${base}/workspace/move`,
  summary: 'Move one workspace item',
  description:
    'Needs manage access to the item, and edit access to the folder that it goes into. A report in a workbook goes where that goes.',
  tags,
  access,
  params: DeploymentParams,
  body: schema.MoveWorkspaceObjectInput,
  response: schema.WorkspaceItem,
  errors: [...itemErrors, 'folder_into_itself', 'folder_too_deep', 'name_taken', 'report_in_workbook'],
})

const bulk =
  'Up to 100 items, one after the other in the order given, each wholly or not at all; an item named twice counts once. The answer is 200 and says of each what came of it, as the operation on it alone would.'

export const bulkMoveWorkspaceObjects = route({
  operationId: 'bulkMoveWorkspaceObjects',
  method: 'post',
  path: `${base}/workspace/bulk-move`,
  summary: 'Move many workspace items',
  description: bulk,
  tags,
  access,
  params: DeploymentParams,
  body: schema.BulkMoveWorkspaceObjectsInput,
  response: schema.BulkMoveWorkspaceObjectsResponse,
  errors: ['deployment_not_found'],
})

export const bulkDeleteWorkspaceObjects = route({
  operationId: 'bulkDeleteWorkspaceObjects',
  method: 'post',
  path: `${base}/workspace/bulk-delete`,
  summary: 'Delete many workspace items',
  description: `${bulk} Needs manage access to each.`,
  tags,
  access,
  params: DeploymentParams,
  body: schema.BulkDeleteWorkspaceObjectsInput,
  response: schema.BulkDeleteWorkspaceObjectsPayload,
  errors: ['deployment_not_found'],
})
