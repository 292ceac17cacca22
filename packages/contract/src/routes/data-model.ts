import * as z from 'zod'
import { route } from '../route.ts'
import { DeploymentParams } from '../schemas/common.ts'
import * as schema from '../schemas/data-model.ts'
import { PageQuery } from '../schemas/page.ts'

const tags = ['Data Model'] as const
const base = '/build/api/v1/deployments/{deploymentId}' as const
const fileErrors = [
  'deployment_not_found',
  'branch_not_found',
  'branch_mismatch',
  'branch_not_dev_mode',
  'branch_not_yours',
  'dev_mode_inactive',
  'branch_changed',
  'path_invalid',
  'file_invalid',
  'too_many_files',
  'project_too_large',
] as const
const mergeErrors = [
  'deployment_not_found',
  'branch_not_found',
  'branch_mismatch',
  'branch_not_yours',
  'dev_mode_inactive',
  'branch_changed',
  'branch_has_no_parent',
  'branch_is_deploy_branch',
  'deploy_branch_read_only',
  'deploy_branch_merge_refused',
  'merge_conflict',
] as const
const changeDevBranches = { permission: ['SchemaUpdateDevBranches', 'SchemaUpdate'] } as const

export const listFiles = route({
  operationId: 'listFiles',
  method: 'get',
  path: `${base}/data-model/files`,
  summary: 'List data-model source files',
  description:
    "The tree of a branch: the one named, else the caller's open dev-mode branch, else the deploy branch. Paging is over the top-level nodes; without first the whole tree is returned.",
  tags,
  access: { permission: 'SchemaRead' },
  params: DeploymentParams,
  query: PageQuery.extend({
    withContent: z.boolean().optional(),
    branchName: z.string().optional(),
    showLastCLIUpload: z.boolean().optional().meta({ description: 'The files as the last deploy uploaded them.' }),
  }),
  response: schema.SourceTreeResponse,
  errors: ['deployment_not_found', 'branch_not_found', 'cursor_invalid', 'answer_too_large'],
})

export const updateFiles = route({
  operationId: 'updateFiles',
  method: 'put',
  path: `${base}/data-model/files`,
  summary: 'Create or overwrite data-model source files',
  description:
    "Written on a personal dev- branch alone; without a branch, on the caller's open dev-mode branch. All files of the request are written, or none.",
  tags,
  access: changeDevBranches,
  params: DeploymentParams,
  body: schema.UpdateDataModelFilesInput,
  response: schema.DataModelWriteResponse,
  errors: fileErrors,
})

export const removeFiles = route({
  operationId: 'removeFiles',
  method: 'delete',
  path: `${base}/data-model/files`,
  summary: 'Delete data-model source files',
  tags,
  access: changeDevBranches,
  params: DeploymentParams,
  body: schema.RemoveDataModelFilesInput,
  response: schema.DataModelWriteResponse,
  errors: [...fileErrors, 'file_not_found'],
})

export const renameFiles = route({
  operationId: 'renameFiles',
  method: 'post',
  path: `${base}/data-model/files/rename`,
  summary: 'Rename data-model source files',
  tags,
  access: changeDevBranches,
  params: DeploymentParams,
  body: schema.RenameDataModelFilesInput,
  response: schema.DataModelWriteResponse,
  errors: [...fileErrors, 'file_not_found'],
})

export const validateDataModel = route({
  operationId: 'validateDataModel',
  method: 'get',
  path: `${base}/data-model/validate`,
  summary: 'Compile data model, report compilation errors',
  description:
    "The deploy branch, the branch named, or with devMode=true the caller's open dev-mode branch with its uncommitted files. A model that does not compile answers 200 with valid=false.",
  tags,
  access: { permission: 'SchemaRead' },
  params: DeploymentParams,
  query: z.strictObject({ branchName: z.string().optional(), devMode: z.boolean().optional() }),
  response: schema.ValidationResponse,
  errors: ['deployment_not_found', 'branch_not_found', 'dev_mode_inactive'],
})

export const listBranches = route({
  operationId: 'listBranches',
  method: 'get',
  path: `${base}/branches`,
  summary: "List a deployment's branches",
  tags,
  access: { permission: 'SchemaRead' },
  params: DeploymentParams,
  query: PageQuery,
  response: schema.BranchesListResponse,
  errors: ['deployment_not_found', 'cursor_invalid'],
})

export const createBranch = route({
  operationId: 'createBranch',
  method: 'post',
  path: `${base}/branches`,
  summary: 'Create branch, optionally entering dev mode',
  description:
    'With activate the dev-mode session points at the new branch itself, without a personal fork: files cannot be written there.',
  tags,
  access: changeDevBranches,
  params: DeploymentParams,
  body: schema.CreateBranchRequest,
  response: schema.DevBranchResponse,
  errors: ['deployment_not_found', 'branch_not_found', 'branch_exists', 'branch_name_invalid'],
})

export const removeBranch = route({
  operationId: 'removeBranch',
  method: 'delete',
  path: `${base}/branches`,
  summary: 'Delete a branch',
  description:
    "Its child branches get its parent; dev-mode sessions on it move to the deploy branch. The branch's name is in the query because it may contain slashes.",
  tags,
  access: changeDevBranches,
  params: DeploymentParams,
  query: z.strictObject({ branchName: z.string().min(1), removeOnUpstream: z.boolean().optional() }),
  response: schema.DataModelWriteResponse,
  errors: ['deployment_not_found', 'branch_not_found', 'branch_is_deploy_branch', 'branch_not_yours'],
})

export const setBranchStagingEnvironment = route({
  operationId: 'setBranchStagingEnvironment',
  method: 'put',
  path: `${base}/branches/staging-environment`,
  summary: "Toggle a branch's staging environment",
  description: 'Enabled: always active. Disabled, the default: active while somebody views it.',
  tags,
  access: { permission: 'SchemaUpdate' },
  params: DeploymentParams,
  body: schema.SetStagingEnvironmentRequest,
  response: schema.SetStagingEnvironmentResponse,
  errors: ['deployment_not_found', 'branch_not_found', 'branch_mismatch', 'branch_not_shared', 'dev_mode_inactive'],
})

export const startDevMode = route({
  operationId: 'startDevMode',
  method: 'post',
  path: `${base}/dev-mode`,
  summary: 'Enter dev mode on a branch',
  description: 'Forks a personal dev- branch from the branch, or returns to the one forked before.',
  tags,
  access: changeDevBranches,
  params: DeploymentParams,
  body: schema.StartDevModeRequest,
  bodyOptional: true,
  response: schema.DevBranchResponse,
  errors: ['deployment_not_found', 'branch_not_found', 'branch_not_yours'],
})

export const stopDevMode = route({
  operationId: 'stopDevMode',
  method: 'delete',
  path: `${base}/dev-mode`,
  summary: 'Exit dev mode',
  description: 'The personal branch and its files stay.',
  tags,
  access: changeDevBranches,
  params: DeploymentParams,
  response: schema.DataModelWriteResponse,
  errors: ['deployment_not_found'],
})

export const commitChanges = route({
  operationId: 'commitChanges',
  method: 'post',
  path: `${base}/commit`,
  summary: "Commit and push active branch's pending changes",
  description: 'Pushes the edits of a personal dev branch to the branch it was forked from.',
  tags,
  access: changeDevBranches,
  params: DeploymentParams,
  body: schema.CommitChangesRequest,
  bodyOptional: true,
  response: schema.DataModelWriteResponse,
  errors: [...mergeErrors, 'branch_not_dev_mode'],
})

export const pull = route({
  operationId: 'pull',
  method: 'post',
  path: `${base}/pull`,
  summary: 'Pull branch from its parent or remote, rebuild if changed',
  tags,
  access: changeDevBranches,
  params: DeploymentParams,
  body: schema.PullRequest,
  bodyOptional: true,
  response: schema.PullResponse,
  errors: mergeErrors,
})

export const mergeIntoParentBranch = route({
  operationId: 'mergeIntoParentBranch',
  method: 'post',
  path: `${base}/merge`,
  summary: 'Merge a branch into its parent',
  tags,
  access: { permission: 'SchemaUpdate' },
  params: DeploymentParams,
  body: schema.MergeIntoParentBranchRequest,
  bodyOptional: true,
  response: schema.MergeResponse,
  errors: mergeErrors,
})

export const mergeToDefaultBranch = route({
  operationId: 'mergeToDefaultBranch',
  method: 'post',
  path: `${base}/merge-to-default`,
  summary: 'Merge a branch into the deploy branch',
  description: 'Whatever its parent is; production is rebuilt.',
  tags,
  access: { permission: 'SchemaUpdate' },
  params: DeploymentParams,
  body: schema.MergeToDefaultBranchRequest,
  bodyOptional: true,
  response: schema.MergeResponse,
  errors: mergeErrors,
})
