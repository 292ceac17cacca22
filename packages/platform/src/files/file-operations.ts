import { CodedError } from '@hedron/contract'
import { type FileEdit, type GitObject, hashObject, type ObjectId } from '../git/index.ts'
import type { Operations } from '../operations.ts'
import { type ChangeFilesNeeds, createChangeFiles, requireFile } from './change-files.ts'
import { readPaths, readText } from './check-files.ts'
import { createFileHashes } from './file-hashes.ts'
import { createListFiles } from './list-files.ts'

type FileOperations = Pick<Operations, 'listFiles' | 'updateFiles' | 'removeFiles' | 'renameFiles' | 'fileHashes'>

/** Files of data models (SPEC, endpoint 1; contract tags Data Model and Data Model Uploads). */
export function createFileOperations(needs: ChangeFilesNeeds): FileOperations {
  const changeFiles = createChangeFiles(needs)
  return {
    listFiles: createListFiles(needs),
    fileHashes: createFileHashes(needs),

    async updateFiles(caller, { params, body }, context) {
      const paths = readPaths(body.files.map(file => file.path))
      const blobs = new Map<ObjectId, GitObject>()
      const edits = new Map<string, FileEdit>()
      for (const [index, file] of body.files.entries()) {
        const blob: GitObject = { type: 'blob', content: readText(file.path, file.content) }
        const id = hashObject(blob)
        blobs.set(id, blob)
        edits.set(paths[index] ?? '', { id })
      }
      await changeFiles(caller, context, {
        deploymentId: params.deploymentId,
        target: body,
        action: 'files.write',
        count: paths.length,
        blobs,
        lookUp: [],
        plan: () => edits,
      })
      return { success: true }
    },

    async removeFiles(caller, { params, body }, context) {
      const paths = readPaths(body.files.map(file => file.path))
      await changeFiles(caller, context, {
        deploymentId: params.deploymentId,
        target: body,
        action: 'files.delete',
        count: paths.length,
        blobs: new Map(),
        lookUp: paths,
        plan(found, branch) {
          for (const path of paths) requireFile(found, path, branch)
          return new Map(paths.map(path => [path, null]))
        },
      })
      return { success: true }
    },

    async renameFiles(caller, { params, body }, context) {
      const from = readPaths(body.files.map(file => file.path))
      const to = readPaths(body.files.map(file => file.newPath))
      await changeFiles(caller, context, {
        deploymentId: params.deploymentId,
        target: body,
        action: 'files.rename',
        count: from.length,
        blobs: new Map(),
        lookUp: [...new Set([...from, ...to])],
        plan(found, branch) {
          const files = from.map(path => requireFile(found, path, branch))
          const leaving = new Set(from)
          const taken = to.find(path => found.has(path) && !leaving.has(path))
          if (taken !== undefined) {
            throw new CodedError('path_invalid', { path: taken, reason: 'there is a file of that name already' })
          }
          const edits = new Map<string, FileEdit | null>(from.map(path => [path, null]))
          for (const [index, file] of files.entries()) edits.set(to[index] ?? '', file)
          return edits
        },
      })
      return { success: true }
    },
  }
}
