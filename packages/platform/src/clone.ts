import { CodedError } from '@hedron/contract'
import type { Caller } from './caller.ts'
import {
  advertiseRefs,
  GitError,
  type ObjectReader,
  parseUploadRequest,
  type References,
  type UploadRequest,
  uploadPackResponse,
} from './git/index.ts'

type ReadCloneSource = (
  caller: Caller,
  deploymentId: number,
) => Promise<{ readonly references: References; readonly head: string; readonly reader: ObjectReader }>

/** Serves `git clone` and `git fetch` of a deployment's project, read only (git's smart HTTP protocol). */
export interface GitAccess {
  advertise(caller: Caller, deploymentId: number): Promise<Uint8Array>
  /** The answer to `git-upload-pack`, piece by piece. */
  uploadPack(caller: Caller, deploymentId: number, body: Uint8Array): Promise<AsyncIterable<Uint8Array>>
}

/** @param readCloneSource checks what the caller may see. */
export function createGitAccess(readCloneSource: ReadCloneSource): GitAccess {
  return {
    async advertise(caller, deploymentId) {
      const { references, head } = await readCloneSource(caller, deploymentId)
      return advertiseRefs(references, head)
    },
    async uploadPack(caller, deploymentId, body) {
      const { references, reader } = await readCloneSource(caller, deploymentId)
      return uploadPackResponse({ reader, references, request: readRequest(body) })
    },
  }
}

/** @throws {CodedError} `invalid_request` for what no git client sends. */
function readRequest(body: Uint8Array): UploadRequest {
  try {
    return parseUploadRequest(body)
  } catch (error) {
    throw error instanceof GitError ? new CodedError('invalid_request', { problems: error.message }) : error
  }
}
