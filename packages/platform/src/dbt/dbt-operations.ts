import { CodedError } from '@hedron/contract'
import { branches, type Store, syncJobs } from '@hedron/store'
import type { Audit } from '../audit.ts'
import { authorOf } from '../branches/author.ts'
import { checkBranchName } from '../branches/branch-name.ts'
import type { FindDeployment } from '../deployments/find-deployment.ts'
import type { ReadVariables } from '../deployments/variables.ts'
import { type Effects, randomId } from '../effects.ts'
import type { Operations } from '../operations.ts'
import { page, pageOf } from '../page.ts'
import { requireTarget } from './commit-cubes.ts'
import { readOptions } from './options.ts'
import { readManifest } from './read-manifest.ts'
import { checkRef, syncBranchName } from './ref.ts'
import { readRepository } from './repository.ts'
import { durationOf, showRun, showStatus } from './show-sync.ts'

interface SyncNeeds {
  readonly store: Store
  readonly effects: Effects
  readonly audit: Audit
  readonly findDeployment: FindDeployment
  readonly readVariables: ReadVariables
  /** A job is there. */
  readonly wakeSyncs: () => void
}

type SyncOperations = Pick<
  Operations,
  | 'listDbtSyncs'
  | 'startDbtSync'
  | 'cancelDbtSync'
  | 'getDbtSyncStatus'
  | 'getDbtSyncGeneratedFiles'
  | 'getDbtSyncLogs'
  | 'getDbtSyncResult'
>
type StartInput = Parameters<SyncOperations['startDbtSync']>[1]['body']

/** Runs on a page of the history at most (SPEC, the client's Transformation sync). */
const mostRuns = 100
const lastPage = { hasNextPage: false, hasPreviousPage: false }

/** The transformation sync (contract/cli-core.md section 18). What is wrong with a request is said at once, not by the job. */
export function createSyncOperations(needs: SyncNeeds): SyncOperations {
  const { store, effects, audit, findDeployment } = needs

  return {
    async startDbtSync(caller, { params, body }, context) {
      const deployment = await findDeployment(caller, params.deploymentId, 'SchemaUpdate')
      const { accountId } = caller
      const { source, output, ref, branchName: given } = checkInput(body)
      const variables = await needs.readVariables(store.kysely, accountId, deployment.id)
      readOptions(variables)
      const repository = source === 'git' ? readRepository(variables) : null
      if (source === 'git' && repository === null) throw new CodedError('dbt_repository_missing', {})
      const gitRef = ref ?? repository?.ref ?? null
      if (gitRef !== null) checkRef(gitRef)
      const project = source === 'manifest' ? readManifest(body.manifest) : null
      if (given !== null) {
        checkBranchName(given)
        const branch = await branches.findBranch(store.kysely, accountId, deployment.id, { name: given })
        if (branch) requireTarget(branch, deployment.deployBranchId)
      }
      const now = effects.now()
      const id = randomId(effects)
      const named = given ?? syncBranchName(gitRef ?? project?.projectName ?? 'main', now, id.slice(0, 8))
      const branchName = output === 'files' ? '' : named
      const author = authorOf(caller)
      await store.transaction(async transaction => {
        await syncJobs.insertSyncJob(transaction, {
          id,
          accountId,
          deploymentId: deployment.id,
          userId: caller.userId,
          actor: `${caller.name} (${caller.credential})`,
          authorName: author.name,
          authorEmail: author.email,
          trigger: 'api',
          source,
          output,
          branchName,
          gitRef,
          project: project === null ? null : JSON.stringify(project),
          status: 'RUNNING',
          stage: 'INITIALIZING',
          message: null,
          error: null,
          failedPhase: null,
          createdAt: now,
          updatedAt: now,
          completedAt: null,
          lease: null,
          leaseUntil: null,
        })
        const target = `dbt-sync ${id} of deployment ${deployment.id}`
        await audit(transaction, caller, context, 'dbt-sync.start', target, {
          source,
          output,
          branch: branchName,
          ref: gitRef,
        })
      })
      needs.wakeSyncs()
      return { syncJobId: id, workflowId: `dbt-sync-${id}`, branchName }
    },

    async listDbtSyncs(caller, { params, query }) {
      const { id } = await findDeployment(caller, params.deploymentId, 'SchemaRead')
      const { status, trigger, ...window } = query
      // A run whose record was lost would be UNKNOWN; none here can be, as the record is the run.
      const isNone = status === 'UNKNOWN'
      return page(
        'dbt-syncs',
        { ...window, first: Math.min(window.first ?? mostRuns, mostRuns) },
        async ({ limit, after }: { limit: number; after: readonly [number] | undefined }) =>
          isNone
            ? []
            : syncJobs.listSyncJobs(store.kysely, caller.accountId, id, {
                status: status ?? undefined,
                trigger: trigger ?? undefined,
                after: after?.[0],
                limit,
              }),
        row => [row.ordinal] as const,
        showRun,
      )
    },

    async getDbtSyncStatus(caller, { params }) {
      return showStatus(await find(caller, params))
    },

    async getDbtSyncResult(caller, { params }) {
      const job = await find(caller, params)
      const { stats, files, completedAt } = job
      if (job.status !== 'COMPLETED' || stats === null || files === null || completedAt === null) {
        throw new CodedError('dbt_sync_result_absent', { id: job.id, status: job.status })
      }
      const { models = 0, sources = 0, macros = 0, cubeCount = 0 } = stats
      return {
        syncJobId: job.id,
        generatedFiles: files.map(({ path }) => ({ path })),
        manifestStats: { models, sources, macros },
        cubeCount,
        completedAt: completedAt.toISOString(),
        durationMs: durationOf(job) ?? 0,
      }
    },

    async getDbtSyncLogs(caller, { params }) {
      const { log } = await find(caller, params)
      return { items: log, data: log, pageInfo: lastPage }
    },

    async getDbtSyncGeneratedFiles(caller, { params, query }) {
      const job = await find(caller, params)
      const all = (job.files ?? []).flatMap(({ path, content }) => (content === undefined ? [] : [{ path, content }]))
      if (job.output !== 'files' || job.status !== 'COMPLETED' || (all.length === 0 && job.files?.length !== 0)) {
        throw new CodedError('dbt_sync_files_absent', { id: job.id })
      }
      const { first, after } = query
      if (typeof first !== 'number' && !after) return { items: all, data: all, pageInfo: lastPage }
      const window = { ...(typeof first === 'number' ? { first } : {}), ...(after ? { after } : {}) }
      return pageOf('dbt-files', window, all, ({ path }) => path)
    },

    async cancelDbtSync(caller, { params }, context) {
      const deployment = await findDeployment(caller, params.deploymentId, 'SchemaUpdate')
      const { accountId } = caller
      const job = await syncJobs.findSyncJob(store.kysely, accountId, deployment.id, params.syncJobId)
      if (!job) throw new CodedError('dbt_sync_not_found', { id: params.syncJobId })
      await store.transaction(async transaction => {
        const at = effects.now()
        const error = `The sync was cancelled by ${caller.name}.`
        if (!(await syncJobs.cancelSyncJob(transaction, accountId, deployment.id, job.id, { at, error }))) {
          throw new CodedError('dbt_sync_ended', { id: job.id })
        }
        await audit(
          transaction,
          caller,
          context,
          'dbt-sync.cancel',
          `dbt-sync ${job.id} of deployment ${deployment.id}`,
        )
      })
      return { message: `dbt sync ${job.id} is cancelled` }
    },
  }

  async function find(
    caller: Parameters<FindDeployment>[0],
    { deploymentId, syncJobId }: { readonly deploymentId: number; readonly syncJobId: string },
  ): Promise<syncJobs.SyncJobRow> {
    const { id } = await findDeployment(caller, deploymentId, 'SchemaRead')
    const job = await syncJobs.findSyncJob(store.kysely, caller.accountId, id, syncJobId)
    if (!job) throw new CodedError('dbt_sync_not_found', { id: syncJobId })
    return job
  }
}

/** What is asked for, complete. @throws {CodedError} `invalid_request` for what contradicts itself. */
function checkInput(body: StartInput) {
  const source = body.source ?? 'git'
  const output = body.output ?? 'branch'
  const refuse = (problems: string) => new CodedError('invalid_request', { problems })
  const hasManifest = body.manifest !== null && body.manifest !== undefined
  if (source === 'manifest' && !hasManifest) throw refuse('manifest: is required when source is manifest')
  if (source === 'git' && hasManifest)
    throw refuse('manifest: is given, and source is not manifest; say which is meant')
  const ref = body.ref ?? null
  if (source === 'manifest' && ref !== null) throw refuse('ref: is of a repository, and source is manifest')
  const branchName = body.branchName ?? null
  if (output === 'files' && branchName !== null) throw refuse('branchName: is given, and the output are files')
  return { source, output, ref, branchName }
}
