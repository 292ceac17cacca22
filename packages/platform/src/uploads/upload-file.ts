import { CodedError, type UploadedFile } from '@hedron/contract'
import { uploads } from '@hedron/store'
import { checkContent, checkCount, readPaths } from '../files/check-files.ts'
import { rootPrefix } from '../files/project-root.ts'
import { type GitObject, hashObject, type ObjectId } from '../git/index.ts'
import type { Operation } from '../operations.ts'
import { findOpenUpload } from './find-open-upload.ts'
import { type UploadNeeds, uploadPermissions } from './needs.ts'
import { readTransactionId } from './transaction-text.ts'

export function createUploadFile({ store, objects, findDeployment }: UploadNeeds): Operation<'uploadFile'> {
  return async (caller, { params, query, body, files }) => {
    const deployment = await findDeployment(caller, params.deploymentId, uploadPermissions)
    const repository = { accountId: caller.accountId, deploymentId: deployment.id }
    const id = readTransactionId(body.transaction)
    const paths = readPaths(namesOf(files, body.fileName))
    const blobs = new Map<ObjectId, GitObject>()
    const stored = files.map(({ content }, index) => {
      const path = paths[index] ?? ''
      checkContent(path, content)
      const blob: GitObject = { type: 'blob', content }
      const blobId = hashObject(blob)
      blobs.set(blobId, blob)
      return { path, blob: blobId, size: content.byteLength }
    })
    await store.transaction(async transaction => {
      const upload = await findOpenUpload(transaction, caller, deployment.id, id, 'share')
      const usesRoot = upload.usesProjectRoot || query.useDeployProjectRoot === true
      const prefix = usesRoot ? rootPrefix(deployment.deployProjectRoot) : ''
      await objects.write(transaction, repository, blobs)
      const placed = stored.map(file => ({ ...file, path: prefix + file.path }))
      checkCount(await uploads.putUploadFiles(transaction, caller.accountId, id, placed))
    })
    return { success: true }
  }
}

/** One file has its path in a field of its own; of several each has it as its name. */
function namesOf(files: readonly UploadedFile[], fileName: string | undefined): string[] {
  if (files.length === 0) {
    throw new CodedError('invalid_request', { problems: 'file: is required; send each file in a part named "file"' })
  }
  if (fileName !== undefined && files.length > 1) {
    throw new CodedError('invalid_request', {
      problems: `fileName: names one file and ${files.length} were sent; leave it out and give each part its path as filename`,
    })
  }
  return files.map(({ name }) => {
    const path = fileName ?? name
    if (path !== undefined) return path
    throw new CodedError('invalid_request', { problems: 'fileName: is required where the part has no filename' })
  })
}
