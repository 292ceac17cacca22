import type { Operations } from '../operations.ts'
import { createFinishUpload } from './finish-upload.ts'
import type { UploadNeeds } from './needs.ts'
import { createStartUpload } from './start-upload.ts'
import { createUploadFile } from './upload-file.ts'

/** Deploying files: open a transaction, send those that changed, and finish with the list of all (contract/cli-core.md 16). */
export const createUploadOperations = (
  needs: UploadNeeds,
): Pick<Operations, 'startUpload' | 'uploadFile' | 'finishUpload'> => ({
  startUpload: createStartUpload(needs),
  uploadFile: createUploadFile(needs),
  finishUpload: createFinishUpload(needs),
})
