import { CodedError } from '@hedron/contract'
import { type Executor, gitObjects, uploads } from '@hedron/store'
import { type BranchTarget, givenName, resolveBranch } from '../branches/resolve-branch.ts'
import { currentTree } from '../branches/trees.ts'
import { randomId } from '../effects.ts'
import { rootPrefix } from '../files/project-root.ts'
import type { Operation } from '../operations.ts'
import { type UploadNeeds, uploadPermissions } from './needs.ts'
import { checkUploadTarget } from './upload-target.ts'

const keptMilliseconds = 24 * 60 * 60 * 1000

export function createStartUpload({ store, objects, effects, findDeployment }: UploadNeeds): Operation<'startUpload'> {
  return async (caller, { params, query, body }) => {
    const deployment = await findDeployment(caller, params.deploymentId, uploadPermissions)
    const target = joinTargets(body ?? {}, query)
    const id = randomId(effects)
    const found = await store.transaction(async transaction => {
      const branch = await resolveBranch(transaction, caller, deployment, target, { lock: true })
      // Of two names in one request, the second can only be checked against the branch of the first.
      const other = givenName(query.branchName)
      if (other !== undefined && other !== branch.name) {
        throw new CodedError('branch_mismatch', { branchId: branch.id, branchName: other })
      }
      checkUploadTarget(caller, deployment, branch)
      const createdAt = effects.now()
      const before = new Date(createdAt.getTime() - keptMilliseconds)
      await uploads.deleteOldUploads(transaction, caller.accountId, deployment.id, before)
      const upload = {
        id,
        accountId: caller.accountId,
        deploymentId: deployment.id,
        branchId: branch.id,
        credential: caller.credential,
        usesProjectRoot: query.useDeployProjectRoot ?? false,
      }
      await uploads.insertUpload(transaction, { ...upload, createdAt })
      const taken = await uploads.takeUnfinishedFiles(transaction, upload)
      const repository = { accountId: caller.accountId, deploymentId: deployment.id }
      const filesHash = await currentTree(objects.reader(transaction, repository), branch)
      const prefix = upload.usesProjectRoot ? rootPrefix(deployment.deployProjectRoot) : ''
      const uploaded = await hashesOf(transaction, repository, taken, prefix)
      return { branchName: branch.name, filesHash, ...(taken.length === 0 ? {} : { uploaded }) }
    })
    return { transaction: { id }, deploymentName: deployment.name, ...found }
  }
}

/** Files as clients know them: their paths below the project root, and the SHA-1 of their bytes. */
async function hashesOf(
  executor: Executor,
  { accountId, deploymentId }: { readonly accountId: number; readonly deploymentId: number },
  files: readonly uploads.StoredUploadFile[],
  prefix: string,
): Promise<Record<string, { hash: string }>> {
  const blobs = [...new Set(files.map(({ blob }) => blob))]
  const facts = await gitObjects.readBlobFacts(executor, accountId, deploymentId, blobs)
  const known = files.flatMap(({ path, blob }) => {
    const hash = facts.get(blob)?.sha1
    return hash === undefined || !path.startsWith(prefix) ? [] : [[path.slice(prefix.length), { hash }] as const]
  })
  return Object.fromEntries(known)
}

/** Clients name the branch in the body, the published contract in the query (contract/cli-core.md 16). */
const joinTargets = (body: BranchTarget, query: BranchTarget): BranchTarget =>
  givenName(body.branchName) === undefined && (body.branchId ?? undefined) === undefined ? query : body
