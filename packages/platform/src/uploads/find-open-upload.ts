import { CodedError } from '@hedron/contract'
import { type Executor, uploads } from '@hedron/store'
import type { Caller } from '../caller.ts'

/**
 * The caller's open upload transaction.
 *
 * @throws {CodedError} `upload_not_found`, also for one of another credential; `upload_finished`.
 */
export async function findOpenUpload(
  executor: Executor,
  caller: Caller,
  deploymentId: number,
  id: string,
  lock: 'share' | 'update',
): Promise<uploads.UploadRow> {
  const key = { deploymentId, credential: caller.credential, id }
  const upload = await uploads.findUpload(executor, caller.accountId, key, lock)
  if (!upload) throw new CodedError('upload_not_found', { id })
  if (upload.finishedAt !== null) throw new CodedError('upload_finished', { id })
  return upload
}
