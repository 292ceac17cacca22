import * as z from 'zod'
import { contentCreators, contentReaders } from '../permissions.ts'
import { route } from '../route.ts'
import { DeploymentParams, Id, NoContent } from '../schemas/common.ts'
import * as schema from '../schemas/folder.ts'
import { PageQuery } from '../schemas/page.ts'

const tags = ['Folders'] as const
const FolderParams = DeploymentParams.extend({ folderId: Id })

export const getFolders = route({
  operationId: 'getFolders',
  method: 'get',
  path: '/api/v1/deployments/{deploymentId}/folders',
  summary: 'List workspace folders',
  description:
    'The folders at the root of the workspace, or directly in parentId, in the order of position and name. Listed are those that the caller owns or that are shared with them, all below these, and the folders that lead to anything they can see.',
  tags,
  access: { permission: contentReaders },
  params: DeploymentParams,
  query: PageQuery.extend({
    parentId: schema.FolderOrRoot.optional().meta({ description: '0: the root.' }),
  }),
  response: schema.FoldersListResponse,
  errors: ['deployment_not_found', 'folder_not_found', 'cursor_invalid'],
})

export const createFolder = route({
  operationId: 'createFolder',
  method: 'post',
  path: '/api/v1/deployments/{deploymentId}/folders',
  summary: 'Add a workspace folder',
  description:
    'Its name is one that no other folder beside it has. In a folder it needs edit access to that; folders nest 10 levels deep.',
  tags,
  access: { permission: contentCreators },
  params: DeploymentParams,
  body: schema.CreateFolderInput,
  response: schema.Folder,
  errors: [
    'deployment_not_found',
    'folder_not_found',
    'content_level_missing',
    'content_read_only',
    'folder_too_deep',
    'name_taken',
  ],
})

export const updateFolder = route({
  operationId: 'updateFolder',
  method: 'put',
  path: '/api/v1/deployments/{deploymentId}/folders/{folderId}',
  summary: 'Rename or reorder a folder',
  description: 'Needs edit access to it. POST …/workspace/move moves it into another folder.',
  tags,
  access: { permission: contentReaders },
  params: FolderParams,
  body: schema.UpdateFolderInput,
  bodyOptional: true,
  response: schema.Folder,
  errors: ['deployment_not_found', 'folder_not_found', 'content_level_missing', 'name_taken'],
})

export const deleteFolder = route({
  operationId: 'deleteFolder',
  method: 'delete',
  path: '/api/v1/deployments/{deploymentId}/folders/{folderId}',
  summary: 'Remove a folder',
  description:
    'Needs manage access to it. One with folders in it is refused; workbooks and reports in it go to the root of the workspace.',
  tags,
  access: { permission: contentReaders },
  params: FolderParams,
  status: 204,
  response: NoContent,
  errors: ['deployment_not_found', 'folder_not_found', 'content_level_missing', 'folder_not_empty'],
})

export const getFolderAncestors = route({
  operationId: 'getFolderAncestors',
  method: 'get',
  path: '/api/v1/deployments/{deploymentId}/folders/{folderId}/ancestors',
  summary: "List a folder's ancestor chain",
  description: 'From the root of the workspace down to the folder itself, which is the last.',
  tags,
  access: { permission: contentReaders },
  params: FolderParams,
  response: z.array(schema.Folder),
  errors: ['deployment_not_found', 'folder_not_found'],
})
