import * as z from 'zod'
import { route } from '../route.ts'
import { DeploymentParams } from '../schemas/common.ts'
import * as schema from '../schemas/data-model.ts'

const tags = ['Data Model Uploads'] as const
const base = '/build/api/v1/deployments/{deploymentId}/data-model' as const

const UploadQuery = z.strictObject({
  branchName: z.string().optional(),
  live: z.boolean().optional(),
  useDeployProjectRoot: z.boolean().optional(),
})
const change = { permission: ['SchemaUpdate', 'SchemaUpdateDevBranches'] } as const

export const fileHashes = route({
  operationId: 'fileHashes',
  method: 'get',
  path: `${base}/file-hashes`,
  summary: 'Content hashes of current data-model files',
  description: "Of the branch named, else the caller's open dev-mode branch, else the deploy branch.",
  tags,
  access: { permission: 'SchemaRead' },
  params: DeploymentParams,
  query: UploadQuery,
  response: schema.FileHashes,
  errors: ['deployment_not_found', 'branch_not_found'],
})

export const startUpload = route({
  operationId: 'startUpload',
  method: 'post',
  path: `${base}/upload/start`,
  summary: 'Start a data-model upload transaction',
  description: 'The branch, from the body or the query, is remembered by the transaction.',
  tags,
  access: change,
  params: DeploymentParams,
  query: UploadQuery,
  body: schema.StartUploadRequest,
  bodyOptional: true,
  response: schema.StartUploadResponse,
  errors: ['deployment_not_found', 'branch_not_found', 'branch_mismatch', 'branch_not_yours', 'deploy_mode_not_cli'],
})

export const uploadFile = route({
  operationId: 'uploadFile',
  method: 'post',
  path: `${base}/upload/file`,
  summary: 'Upload files into an open transaction',
  description:
    'One part named file with its path in fileName, or many: each part named file then has its path as filename.',
  tags,
  access: change,
  params: DeploymentParams,
  query: UploadQuery,
  consumes: 'multipart',
  body: schema.UploadFileBody,
  response: schema.DataModelWriteResponse,
  errors: [
    'deployment_not_found',
    'upload_not_found',
    'upload_finished',
    'path_invalid',
    'file_invalid',
    'too_many_files',
  ],
})

export const finishUpload = route({
  operationId: 'finishUpload',
  method: 'post',
  path: `${base}/upload/finish`,
  summary: 'Finish upload transaction and trigger build',
  description: 'Makes the branch hold the listed files, in one commit, and starts one build.',
  tags,
  access: change,
  params: DeploymentParams,
  query: UploadQuery,
  body: schema.FinishUploadBody,
  response: schema.FinishUploadResponse,
  errors: [
    'deployment_not_found',
    'branch_mismatch',
    'upload_not_found',
    'upload_finished',
    'upload_incomplete',
    'branch_changed',
    'path_invalid',
    'file_invalid',
    'too_many_files',
    'project_too_large',
  ],
})
