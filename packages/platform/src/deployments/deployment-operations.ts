import { CodedError, deploymentReaders, type UpdateDeploymentInput } from '@hedron/contract'
import { deployments, type Executor, type Store } from '@hedron/store'
import { requirePermission } from '../access.ts'
import type { Audit } from '../audit.ts'
import type { CallContext, Caller } from '../caller.ts'
import type { Operations } from '../operations.ts'
import { type OffsetWindow, pageEitherWay, pageOf } from '../page.ts'
import { type CreateDeployment, deploymentDefaults } from './create-deployment.ts'
import { type FindDeployment, readableDeployments } from './find-deployment.ts'
import { regions, requireRegion } from './regions.ts'
import { branchUrl, showDeployment, showSettings } from './show-deployment.ts'
import { chooseVersion, listVersions, type Releases } from './versions.ts'

export interface DeploymentsNeed {
  readonly store: Store
  readonly audit: Audit
  readonly findDeployment: FindDeployment
  readonly createDeployment: CreateDeployment
  /** Id of a shared branch that can become the deploy branch. @throws {CodedError} `branch_not_found`. */
  readonly findSharedBranch: (
    executor: Executor,
    accountId: number,
    deploymentId: number,
    name: string,
  ) => Promise<number>
  /** Called after a deployment is gone: forget what was held for it, and remove its files. */
  readonly forgetDeployment: (deploymentId: number) => Promise<void>
  readonly releases: Releases
  readonly baseUrl: () => string
}

type DeploymentOperations = Pick<
  Operations,
  | 'getDeployments'
  | 'createDeployment'
  | 'getDeployment'
  | 'updateDeployment'
  | 'deleteDeployment'
  | 'getDeploymentSettings'
  | 'listDeploymentVersions'
  | 'advanceCreationStep'
  | 'resetCreationStep'
  | 'listRegions'
>

/** Clients of the field that page by offset expect this many when they give no limit. */
const defaultLimit = 20

export function createDeploymentOperations(need: DeploymentsNeed): DeploymentOperations {
  const { store, audit, findDeployment, baseUrl, releases } = need

  return {
    async getDeployments(caller, { query }) {
      const filter = { ids: readableDeployments(caller), creationSteps: query.creationStep }
      const total = await deployments.countDeployments(store.kysely, caller.accountId, filter)
      const list = await pageEitherWay(
        'deployments',
        query,
        { total, defaultLimit },
        ({ after, ...window }: OffsetWindow<readonly [number]>) =>
          deployments.listDeployments(store.kysely, caller.accountId, filter, { ...window, after: after?.[0] }),
        row => [row.id] as const,
        row => showDeployment(row, baseUrl()),
      )
      return { ...list, count: total, totalCount: total }
    },

    async createDeployment(caller, { body }, context) {
      requirePermission(caller, ['DeploymentCreate', 'DeploymentsManage'])
      if (body.region !== undefined) requireRegion(body.region)
      const row = await need.createDeployment(caller, context, deploymentDefaults(body, releases))
      return showDeployment(row, baseUrl())
    },

    async getDeployment(caller, { params }) {
      const row = await findDeployment(caller, params.deploymentId, deploymentReaders)
      // A session that was made for a branch asks that branch's model.
      const branchName = caller.embed?.branchName ?? null
      return { ...showDeployment(row, baseUrl()), deploymentUrl: branchUrl(baseUrl(), row.id, branchName) }
    },

    async updateDeployment(caller, { params, body }, context) {
      const { id } = await findDeployment(caller, params.deploymentId, 'DeploymentUpdate')
      await store.transaction(async transaction => {
        const row = await lockDeployment(transaction, caller, id)
        const values = await changes(transaction, caller, row, body)
        const updated = await deployments.updateDeployment(transaction, caller.accountId, row.id, values)
        if (!updated) throw new CodedError('name_taken', { kind: 'deployment', name: body.name ?? row.name })
        await audit(transaction, caller, context, 'deployment.update', `deployment ${row.id}`, {
          fields: Object.keys(body),
        })
      })
      return showSettings(await findDeployment(caller, id, 'DeploymentUpdate'), baseUrl())
    },

    async deleteDeployment(caller, { params }, context) {
      const row = await findDeployment(caller, params.deploymentId, ['DeploymentDelete', 'DeploymentsManage'])
      await store.transaction(async transaction => {
        const deleted = await deployments.deleteDeployment(transaction, caller.accountId, row.id)
        if (!deleted) throw new CodedError('deployment_not_found', { deployment: row.id })
        await audit(transaction, caller, context, 'deployment.delete', `deployment ${row.id}`, { name: row.name })
      })
      await need.forgetDeployment(row.id)
      return { success: true }
    },

    async getDeploymentSettings(caller, { params }) {
      return showSettings(await findDeployment(caller, params.deploymentId, 'DeploymentRead'), baseUrl())
    },

    async listDeploymentVersions(caller, { params, query }) {
      const row = await findDeployment(caller, params.deploymentId, 'DeploymentRead')
      const used = await deployments.listUsedVersions(store.kysely, caller.accountId)
      const all = listVersions(releases, used, row)
      return pageOf('versions', query, all, ({ isLatestInChannel, releaseChannel, version }) =>
        [isLatestInChannel ? 'head' : 'older', releaseChannel, version].join(' '),
      )
    },

    async advanceCreationStep(caller, { params, body }, context) {
      return moveToStep(caller, params.deploymentId, body.creationStep, context)
    },

    async resetCreationStep(caller, { params }, context) {
      return moveToStep(caller, params.deploymentId, 'project', context)
    },

    async listRegions(_caller, { query }) {
      const list = await pageOf('regions', query, regions, region => region.name)
      // The deprecated twin of this list is never paged (contract/platform-api.yaml, listRegions).
      return { ...list, items: [...list.items], data: [...regions] }
    },
  }

  async function moveToStep(caller: Caller, deploymentId: number, creationStep: string, context: CallContext) {
    const row = await findDeployment(caller, deploymentId, 'DeploymentUpdate')
    await store.transaction(async transaction => {
      await deployments.updateDeployment(transaction, caller.accountId, row.id, { creationStep })
      await audit(transaction, caller, context, 'deployment.step', `deployment ${row.id}`, { creationStep })
    })
    return showDeployment({ ...row, creationStep }, baseUrl())
  }

  /** The deployment as it stays until the transaction ends, for changes that build on what is there. */
  async function lockDeployment(executor: Executor, caller: Caller, id: number) {
    const isThere = await deployments.lockDeployment(executor, caller.accountId, id)
    const row = isThere ? await deployments.findDeployment(executor, caller.accountId, id) : undefined
    if (!row) throw new CodedError('deployment_not_found', { deployment: id })
    return row
  }

  /** The columns that a settings body changes; what it does not name stays. */
  async function changes(
    executor: Executor,
    caller: Caller,
    row: deployments.DeploymentWithBranch,
    body: UpdateDeploymentInput,
  ) {
    const deployBranchId =
      typeof body.deployBranchName === 'string'
        ? await need.findSharedBranch(executor, caller.accountId, row.id, body.deployBranchName)
        : undefined
    return withoutUndefined({
      name: body.name ?? undefined,
      region: typeof body.region === 'string' ? requireRegion(body.region) : undefined,
      cloudProvider: body.cloudProvider ?? undefined,
      creationMethod: body.creationMethod ?? undefined,
      deployMode: body.deployMode ?? undefined,
      template: body.template ?? undefined,
      templateVariables: body.templateVariables
        ? JSON.stringify({ ...row.templateVariables, ...body.templateVariables })
        : undefined,
      deployBranchId,
      deployBranchReadOnly: body.deployBranchReadOnly ?? undefined,
      deployBranchMergeAllowed: body.deployBranchMergeAllowed ?? undefined,
      deployProjectRoot: typeof body.deployProjectRoot === 'string' ? projectRoot(body.deployProjectRoot) : undefined,
      customDomain: body.customDomain,
      defaultLaunchpadViewGroup: body.defaultLaunchpadViewGroup,
      launchpadTabs: body.launchpadTabs === undefined ? undefined : jsonOrNull(body.launchpadTabs),
      cspsConfig: body.cspsConfig === undefined ? undefined : jsonOrNull(body.cspsConfig),
      serviceAuthEnabled: body.serviceAuthEnabled ?? undefined,
      ...(await versionChanges(executor, caller, row, body)),
    })
  }

  async function versionChanges(
    executor: Executor,
    caller: Caller,
    row: deployments.DeploymentWithBranch,
    body: UpdateDeploymentInput,
  ) {
    const channel = body.releaseChannel ?? row.releaseChannel
    const hold = body.releaseChannelVersionHold ?? undefined
    const wanted = body.releaseChannelVersion ?? undefined
    if (!body.releaseChannel && wanted === undefined) return { releaseChannelVersionHold: hold }
    const used = await deployments.listUsedVersions(executor, caller.accountId)
    const listed = listVersions(releases, used, row)
    const chosen = chooseVersion(wanted ?? releases.current, channel, listed)
    return {
      releaseChannel: channel,
      releaseChannelVersion: chosen.version,
      releaseChannelVersionHold: hold ?? !chosen.isLatestInChannel,
    }
  }
}

/** The folder of the project inside its repository, as `/` or `/a/b`. */
function projectRoot(text: string): string {
  const parts = text.split('/').filter(part => part !== '')
  if (parts.some(part => part === '..' || part === '.' || part.includes('\\') || part.includes('\0'))) {
    throw new CodedError('path_invalid', {
      path: text,
      reason: 'a project root names a folder of the repository, such as /analytics',
    })
  }
  return `/${parts.join('/')}`
}

const jsonOrNull = (value: unknown): string | null => (value === null ? null : JSON.stringify(value))

type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> }

/** Drops fields that are undefined, for updates that leave them alone. */
function withoutUndefined<T extends object>(value: T): Defined<T> {
  return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined)) as Defined<T>
}
