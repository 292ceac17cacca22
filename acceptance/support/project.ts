import { createHash } from 'node:crypto'
import type { Client } from '@hedron/contract/client'
import { type Api, createDeployment, createKey } from './api.ts'
import { connect } from './contract-client.ts'
import { uploadForm } from './route-samples.ts'

export type Files = Readonly<Record<string, string>>

/** Somebody who works on the data model of one deployment with a credential of their own. */
export interface Modeler {
  readonly api: Api
  readonly client: Client
  readonly deploymentId: number
  readonly params: { readonly deploymentId: number }
  /** Enters dev mode. @returns the name of the personal branch. */
  enter(branchName?: string): Promise<string>
  write(files: Files, branchName?: string): Promise<void>
  remove(...paths: readonly string[]): Promise<void>
  commit(message?: string): Promise<void>
  /** Content by path, without leading slash: of a branch, else of the caller's own. */
  files(branchName?: string): Promise<Record<string, string>>
  /** Head of a branch. */
  head(branchName: string): Promise<string | null | undefined>
  branchNames(): Promise<string[]>
}

/** A key of its own on a deployment; a new deployment where none is given. */
export async function createModeler(admin: Api, given?: number): Promise<Modeler> {
  const deploymentId = given ?? (await createDeployment(admin))
  const api = admin.with(await createKey(admin))
  const client = connect(api)
  const params = { deploymentId }
  const branches = async () => (await client.listBranches({ params })).items
  return {
    api,
    client,
    deploymentId,
    params,
    async enter(branchName) {
      const entered = await client.startDevMode({ params, body: { branchName } })
      if (entered.branchName === null) throw new Error('dev mode named no branch')
      return entered.branchName
    },
    async write(files, branchName) {
      await client.updateFiles({
        params,
        body: { files: Object.entries(files).map(([path, content]) => ({ path, content })), branchName },
      })
    },
    async remove(...paths) {
      await client.removeFiles({ params, body: { files: paths.map(path => ({ path })) } })
    },
    async commit(message) {
      await client.commitChanges({ params, body: { message } })
    },
    async files(branchName) {
      const { items } = await client.listFiles({ params, query: { withContent: true, branchName } })
      return Object.fromEntries(contentsOf(items))
    },
    head: async name => (await branches()).find(branch => branch.name === name)?.lastHash,
    branchNames: async () => (await branches()).map(branch => branch.name),
  }
}

type Node = Awaited<ReturnType<Client['listFiles']>>['items'][number]

/** Path and content of each file in a tree of nodes. */
export function contentsOf(nodes: readonly Node[]): [path: string, content: string][] {
  return nodes.flatMap<[string, string]>(({ type, path, content, children }) =>
    type === 'file' ? [[path.slice(1), content ?? '']] : contentsOf(children ?? []),
  )
}

export const sha1 = (bytes: string | Uint8Array): string => createHash('sha1').update(bytes).digest('hex')

/** Files as `upload/finish` lists them. */
export const listed = (files: Readonly<Record<string, string | Uint8Array>>): Record<string, { hash: string }> =>
  Object.fromEntries(Object.entries(files).map(([path, content]) => [path, { hash: sha1(content) }]))

type UploadTarget = { readonly branchName?: string; readonly branchId?: number }

/** One whole deploy: start, all files in one request, finish. @returns the branch's newest commit. */
export async function upload(modeler: Modeler, files: Files, target: UploadTarget = {}): Promise<string | null> {
  const { client, params } = modeler
  const { transaction } = await client.startUpload({ params, body: target })
  const sent = Object.entries(files).map(([path, content]) => ({ path, content }))
  await client.uploadFile({ params, body: uploadForm(transaction, sent) })
  return (await client.finishUpload({ params, body: { transaction, files: listed(files) } })).lastHash
}

/** A cube over numbers that are in the model itself, with a measure `count` and those given. */
export const numbers = (...measures: readonly string[]): string => `cubes:
  - name: numbers
    sql: SELECT 1 AS id, 5 AS amount UNION ALL SELECT 2, 7
    dimensions:
      - name: id
        sql: id
        type: number
        primary_key: true
    measures:
      - name: count
        type: count
${measures.map(name => `      - name: ${name}\n        sql: amount\n        type: ${name}\n`).join('')}`

export const numbersPath = 'model/numbers.yml'
