import { createHash } from 'node:crypto'
import type { RouteInput, Routes, SourceTreeNode, UploadedFile } from '@hedron/contract'
import type { Caller } from '../../src/caller.ts'
import { context, type Workbench } from './workbench.ts'

type Operations = Workbench['operations']
type Input<O extends keyof Operations> = Partial<Omit<RouteInput<Routes[O]>, 'params'>>
type Contents = Readonly<Record<string, string>>
type Target = { readonly branchName?: string; readonly branchId?: number }

/** Somebody who works on a deployment with one credential. */
export function developer({ operations }: Workbench, caller: Caller, deploymentId: number) {
  const params = { deploymentId }

  /** Fills in what a request without it parses to. */
  const input = <O extends keyof Operations>(given: Input<O>) =>
    ({ params, query: {}, body: undefined, files: undefined, ...given }) as RouteInput<Routes[O]>

  const upload = {
    async start(body: Target = {}, query: RouteInput<Routes['startUpload']>['query'] = {}) {
      return (await operations.startUpload(caller, input<'startUpload'>({ body, query }), context)).transaction
    },
    file: (transaction: { id: string }, fileName: string | undefined, files: readonly UploadedFile[]) =>
      operations.uploadFile(
        caller,
        input<'uploadFile'>({ body: { transaction: JSON.stringify(transaction), fileName }, files }),
        context,
      ),
    text: (transaction: { id: string }, path: string, text: string) =>
      upload.file(transaction, path, [{ name: 'blob', content: Buffer.from(text) }]),
    finish: (
      transaction: { id: string },
      files: Contents,
      more: Partial<RouteInput<Routes['finishUpload']>['body']> = {},
      query: RouteInput<Routes['finishUpload']>['query'] = {},
    ) =>
      operations.finishUpload(
        caller,
        input<'finishUpload'>({ body: { transaction, files: hashes(files), ...more }, query }),
        context,
      ),
  }

  return {
    caller,
    params,
    upload,
    enter: async (branchName?: string) => {
      const answer = await operations.startDevMode(caller, input<'startDevMode'>({ body: { branchName } }), context)
      return answer.branchName ?? ''
    },
    leave: () => operations.stopDevMode(caller, input<'stopDevMode'>({}), context),
    write: (files: Contents, target: Target = {}) =>
      operations.updateFiles(
        caller,
        input<'updateFiles'>({
          body: { ...target, files: Object.entries(files).map(([path, content]) => ({ path, content })) },
        }),
        context,
      ),
    remove: (paths: readonly string[], target: Target = {}) =>
      operations.removeFiles(
        caller,
        input<'removeFiles'>({ body: { ...target, files: paths.map(path => ({ path })) } }),
        context,
      ),
    rename: (paths: Contents, target: Target = {}) =>
      operations.renameFiles(
        caller,
        input<'renameFiles'>({
          body: { ...target, files: Object.entries(paths).map(([path, newPath]) => ({ path, newPath })) },
        }),
        context,
      ),
    list: (query: RouteInput<Routes['listFiles']>['query'] = {}) =>
      operations.listFiles(caller, input<'listFiles'>({ query }), context),
    /** Contents by path. */
    async files(query: RouteInput<Routes['listFiles']>['query'] = {}): Promise<Record<string, string>> {
      const { items } = await operations.listFiles(
        caller,
        input<'listFiles'>({ query: { withContent: true, ...query } }),
        context,
      )
      return Object.fromEntries(contentsOf(items))
    },
    hashes: (query: RouteInput<Routes['fileHashes']>['query'] = {}) =>
      operations.fileHashes(caller, input<'fileHashes'>({ query }), context),
    branches: (query: RouteInput<Routes['listBranches']>['query'] = {}) =>
      operations.listBranches(caller, input<'listBranches'>({ query }), context),
    createBranch: (body: RouteInput<Routes['createBranch']>['body']) =>
      operations.createBranch(caller, input<'createBranch'>({ body }), context),
    removeBranch: (branchName: string) =>
      operations.removeBranch(caller, input<'removeBranch'>({ query: { branchName } }), context),
    staging: (body: RouteInput<Routes['setBranchStagingEnvironment']>['body']) =>
      operations.setBranchStagingEnvironment(caller, input<'setBranchStagingEnvironment'>({ body }), context),
    commit: (body: RouteInput<Routes['commitChanges']>['body'] = {}) =>
      operations.commitChanges(caller, input<'commitChanges'>({ body }), context),
    pull: (body: RouteInput<Routes['pull']>['body'] = {}) => operations.pull(caller, input<'pull'>({ body }), context),
    merge: (body: RouteInput<Routes['mergeIntoParentBranch']>['body'] = {}) =>
      operations.mergeIntoParentBranch(caller, input<'mergeIntoParentBranch'>({ body }), context),
    mergeToDefault: (body: RouteInput<Routes['mergeToDefaultBranch']>['body'] = {}) =>
      operations.mergeToDefaultBranch(caller, input<'mergeToDefaultBranch'>({ body }), context),
    validate: (query: RouteInput<Routes['validateDataModel']>['query'] = {}) =>
      operations.validateDataModel(caller, input<'validateDataModel'>({ query }), context),
    status: (branchName?: string) =>
      operations.buildStatus(
        caller,
        input<'buildStatus'>({ query: branchName === undefined ? {} : { branchName } }),
        context,
      ),
    /** Deploys files as the command line does: those that changed, then the list of all. */
    async deploy(files: Contents, target: Target = {}) {
      const transaction = await upload.start(target)
      for (const [path, text] of Object.entries(files)) await upload.text(transaction, path, text)
      return upload.finish(transaction, files)
    },
  }
}

export type Developer = ReturnType<typeof developer>

export const sha1 = (text: string | Uint8Array): string => createHash('sha1').update(text).digest('hex')

export const hashes = (files: Contents): Record<string, { hash: string }> =>
  Object.fromEntries(Object.entries(files).map(([path, text]) => [path, { hash: sha1(text) }]))

function* contentsOf(nodes: readonly SourceTreeNode[]): Generator<[string, string]> {
  for (const { type, path, content, children } of nodes) {
    if (type === 'file') yield [path.slice(1), content ?? '(no content)']
    else yield* contentsOf(children ?? [])
  }
}
