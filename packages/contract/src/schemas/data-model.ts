import * as z from 'zod'
import { Id } from './common.ts'
import { listOf } from './page.ts'

export const Branch = z
  .object({
    id: Id,
    name: z.string(),
    parentBranch: z.string().nullable(),
    lastHash: z.string().nullable().meta({ description: 'Git id of the newest commit.' }),
    isStagingEnvironmentEnabled: z.boolean().nullable(),
  })
  .meta({ id: 'BranchResponse' })
export type Branch = z.infer<typeof Branch>

export const BranchesListResponse = listOf(Branch).meta({ id: 'BranchesListResponse' })

export const CreateBranchRequest = z
  .strictObject({
    name: z.string(),
    from: z.string().nullish().meta({ description: 'Branch to start from; the deploy branch when omitted.' }),
    activate: z
      .boolean()
      .nullish()
      .meta({ description: 'Point the dev-mode session at the new branch, without forking.' }),
    enterDevMode: z.boolean().nullish().meta({ description: 'Older name of activate.' }),
  })
  .meta({ id: 'CreateBranchRequest' })
export type CreateBranchRequest = z.infer<typeof CreateBranchRequest>

export const StartDevModeRequest = z
  .strictObject({
    branchName: z.string().nullish().meta({ description: 'Branch to fork; the deploy branch when omitted.' }),
  })
  .meta({ id: 'StartDevModeRequest' })

export const DevBranchResponse = z
  .object({
    active: z.boolean(),
    branchName: z.string().nullable(),
    parentBranch: z.string().nullable(),
  })
  .meta({ id: 'DevBranchResponse' })
export type DevBranchResponse = z.infer<typeof DevBranchResponse>

/** Which branch a call is about; absent: the caller's open dev-mode branch. */
const BranchTarget = {
  branchId: Id.nullish(),
  branchName: z.string().nullish(),
}

export const FilePath = z.string().min(1)

export const DataModelFile = z
  .strictObject({ path: FilePath, content: z.string() })
  .meta({ id: 'DataModelFileContent' })
export type DataModelFile = z.infer<typeof DataModelFile>

export const UpdateDataModelFilesInput = z
  .strictObject({ files: z.array(DataModelFile).min(1), ...BranchTarget })
  .meta({ id: 'UpdateDataModelFilesInput' })

export const RemoveDataModelFilesInput = z
  .strictObject({ files: z.array(z.strictObject({ path: FilePath })).min(1), ...BranchTarget })
  .meta({ id: 'RemoveDataModelFilesInput' })

export const RenameDataModelFilesInput = z
  .strictObject({ files: z.array(z.strictObject({ path: FilePath, newPath: FilePath })).min(1), ...BranchTarget })
  .meta({ id: 'RenameDataModelFilesInput' })

export const DataModelWriteResponse = z.object({ success: z.boolean() }).meta({ id: 'DataModelWriteResponse' })

/** A file or a folder; paths begin with `/`. */
export interface SourceTreeNode {
  path: string
  name: string
  type: 'file' | 'directory'
  content?: string | undefined
  children?: SourceTreeNode[] | undefined
}
export const SourceTreeNode: z.ZodType<SourceTreeNode, SourceTreeNode> = z
  .object({
    path: z.string(),
    name: z.string(),
    type: z.enum(['file', 'directory']),
    content: z.string().optional(),
    get children() {
      return z.array(SourceTreeNode).optional()
    },
  })
  .meta({ id: 'SourceTreeNode' })

export const SourceTreeResponse = listOf(SourceTreeNode).meta({ id: 'SourceTreeResponse' })

export const FileHash = z
  .object({ hash: z.string().meta({ description: 'SHA-1 of the bytes, in hexadecimal.' }) })
  .meta({ id: 'FileHash' })
export const FileHashes = z.record(z.string(), FileHash).meta({ id: 'FileHashes' })
export type FileHashes = z.infer<typeof FileHashes>

export const CommitChangesRequest = z
  .strictObject({
    ...BranchTarget,
    message: z.string().max(65_536).nullish(),
    exitDevMode: z.boolean().nullish(),
    resolveMergeConflict: z.boolean().nullish().meta({
      description: 'The files named by the last conflict are resolved as they now stand on this branch.',
    }),
  })
  .meta({ id: 'CommitChangesRequest' })
export type CommitChangesRequest = z.infer<typeof CommitChangesRequest>

export const PullRequest = z
  .strictObject({ ...BranchTarget, resolveMergeConflict: z.boolean().nullish() })
  .meta({ id: 'PullRequest' })
export type PullRequest = z.infer<typeof PullRequest>

export const PullResponse = z.object({ buildTriggered: z.boolean() }).meta({ id: 'PullResponse' })

export const MergeIntoParentBranchRequest = z
  .strictObject({
    ...BranchTarget,
    message: z.string().max(65_536).nullish(),
    squashCommits: z.boolean().nullish(),
    switchToParentBranch: z.boolean().nullish(),
    deleteBranch: z.boolean().nullish(),
    resolveMergeConflict: z.boolean().nullish(),
  })
  .meta({ id: 'MergeIntoParentBranchRequest' })
export type MergeIntoParentBranchRequest = z.infer<typeof MergeIntoParentBranchRequest>

export const MergeToDefaultBranchRequest = z
  .strictObject({
    ...BranchTarget,
    message: z.string().max(65_536).nullish(),
    removeBranchAfterMerge: z.boolean().nullish(),
    resolveMergeConflict: z.boolean().nullish(),
  })
  .meta({ id: 'MergeToDefaultBranchRequest' })
export type MergeToDefaultBranchRequest = z.infer<typeof MergeToDefaultBranchRequest>

export const MergeResponse = z.object({ merged: z.boolean(), branchDeleted: z.boolean() }).meta({ id: 'MergeResponse' })

const ConflictRegion = z.object({
  baseStartLine: z.int().min(1),
  base: z.array(z.string()),
  oursStartLine: z.int().min(1),
  ours: z.array(z.string()),
  theirsStartLine: z.int().min(1),
  theirs: z.array(z.string()),
})

/** Travels in the body of a `merge_conflict` error, under `conflicts`. */
export const MergeConflict = z
  .object({
    path: z.string(),
    kind: z.enum(['content', 'delete-modify', 'add-add', 'mode', 'binary', 'directory-file', 'rename']),
    base: z.string().nullable().meta({ description: 'Git id of the file in the common ancestor.' }),
    ours: z.string().nullable().meta({ description: 'Git id of the file on the branch that is merged.' }),
    theirs: z.string().nullable().meta({ description: 'Git id of the file on the other branch.' }),
    regions: z.array(ConflictRegion).meta({ description: 'The lines that both changed; line numbers begin at 1.' }),
  })
  .meta({ id: 'MergeConflict' })
export type MergeConflict = z.infer<typeof MergeConflict>

export const SetStagingEnvironmentRequest = z
  .strictObject({ ...BranchTarget, enabled: z.boolean() })
  .meta({ id: 'SetBranchStagingEnvironmentRequest' })

export const SetStagingEnvironmentResponse = z
  .object({ data: Branch })
  .meta({ id: 'SetBranchStagingEnvironmentResponse' })

export const ValidationError = z
  .object({
    message: z.string(),
    fileName: z.string().nullable(),
    line: z.int().min(1).nullable(),
    column: z.int().min(1).nullable(),
    code: z.string().nullable(),
  })
  .meta({ id: 'DataModelValidationError' })

export const ValidationResponse = z
  .object({
    deploymentId: Id,
    branchName: z.string(),
    mode: z.enum(['production', 'dev_mode']),
    valid: z.boolean(),
    errors: z.array(ValidationError),
    warnings: z
      .array(ValidationError)
      .meta({ description: 'What the author should know though the model compiles: with a place, as errors have.' }),
    cubesCount: z.int().min(0).nullable(),
  })
  .meta({ id: 'DataModelValidationResponse' })
export type ValidationResponse = z.infer<typeof ValidationResponse>

export const UploadTransaction = z.strictObject({ id: z.string() }).meta({ id: 'UploadTransaction' })

export const StartUploadRequest = z.strictObject({ ...BranchTarget }).meta({ id: 'StartUploadRequest' })

export const StartUploadResponse = z
  .object({
    transaction: UploadTransaction,
    deploymentName: z.string(),
    branchName: z.string().meta({ description: 'The branch that the transaction is for.' }),
    filesHash: z.string().meta({ description: 'Git id of the files that the branch holds now.' }),
    uploaded: z
      .record(z.string(), z.object({ hash: z.string() }))
      .optional()
      .meta({
        description:
          'Files that the transaction has already, with the SHA-1 of their bytes: they arrived in the last one of the same credential for this branch, which was not finished. They need not be sent again.',
      }),
  })
  .meta({ id: 'StartUploadResponse' })

export const UploadFileBody = z
  .strictObject({
    transaction: z.string().meta({ description: 'The transaction as JSON text.' }),
    fileName: z
      .string()
      .min(1)
      .optional()
      .meta({ description: 'Path of the file inside the project; left out when several files are sent.' }),
  })
  .meta({ id: 'UploadFileBody' })

export const FinishUploadBody = z
  .strictObject({
    ...BranchTarget,
    transaction: UploadTransaction,
    files: z.record(z.string(), z.object({ hash: z.string() })).meta({
      description: 'Every file of the project, with the SHA-1 of its bytes.',
    }),
    autoRemoveFiles: z
      .boolean()
      .nullish()
      .meta({ description: 'Remove files that are not listed; true when omitted.' }),
    filesHash: z.string().nullish().meta({
      description: 'filesHash of upload/start: nothing is written where the branch holds other files by now.',
    }),
    awaitGitOperations: z.boolean().nullish(),
    commitMessage: z.string().max(65_536).nullish(),
  })
  .meta({ id: 'FinishUploadBody' })
export type FinishUploadBody = z.infer<typeof FinishUploadBody>

export const FinishUploadResponse = z.object({ lastHash: z.string().nullable() }).meta({ id: 'FinishUploadResponse' })
