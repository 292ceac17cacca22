import { CodedError, type CreateDeploymentInput } from '@hedron/contract'
import { agents, deployments, type Executor, type Store } from '@hedron/store'
import type { Audit } from '../audit.ts'
import type { CallContext, Caller } from '../caller.ts'
import type { Effects } from '../effects.ts'
import { regions } from './regions.ts'
import { starterProject } from './starter-project.ts'
import type { SaveVariables } from './variables.ts'
import type { Releases } from './versions.ts'

/** What a new deployment is made with. */
export interface NewDeployment {
  readonly name: string
  readonly region: string
  readonly cloudProvider: string
  readonly targetPlatform: string
  readonly isManaged: boolean
  readonly creationStep: string
  readonly creationMethod: string | null
  readonly deployMode: string
  readonly cspsConfig: string | null
  readonly releaseChannelVersion: string
  /** Path to content of its first commit. */
  readonly files: ReadonlyMap<string, string>
  readonly variables: Readonly<Record<string, string>>
}

/** Fills in what a request left open. */
export function deploymentDefaults(body: CreateDeploymentInput, releases: Releases): NewDeployment {
  const fromProvider = body.creationMethod === 'github' || body.creationMethod === 'ssh'
  return {
    name: body.name,
    region: body.region ?? regions[0].name,
    cloudProvider: body.cloudProvider ?? 'cubecloud',
    targetPlatform: body.targetPlatform ?? 'aws',
    isManaged: body.isManaged ?? true,
    creationStep: body.creationStep ?? 'project',
    creationMethod: body.creationMethod ?? null,
    deployMode: body.deployMode ?? (fromProvider ? 'git' : 'cli'),
    cspsConfig: body.cspsConfig ? JSON.stringify(body.cspsConfig) : null,
    releaseChannelVersion: releases.current,
    files: body.creationMethod === 'github' ? new Map() : starterProject,
    variables: {},
  }
}

export type CreateDeployment = (
  caller: Caller,
  context: CallContext,
  values: NewDeployment,
) => Promise<deployments.DeploymentRow>

export interface CreateDeploymentNeeds {
  readonly store: Store
  readonly effects: Effects
  readonly audit: Audit
  readonly saveVariables: SaveVariables
  /** Writes the first commit and the deploy branch, and queues the first build. @returns the branch's id. */
  readonly createProject: (
    executor: Executor,
    caller: Caller,
    deploymentId: number,
    files: ReadonlyMap<string, string>,
  ) => Promise<number>
  /** A place for the files that its data source reads. */
  readonly makeDataFolder: (deploymentId: number) => Promise<void>
  /** Builds that were queued in a transaction can begin. */
  readonly wakeBuilds: () => void
}

/**
 * Makes a deployment with its first commit, its deploy branch, a secret for data-API tokens and a queued build, all or nothing.
 *
 * @throws {CodedError} `name_taken`.
 */
export function createCreateDeployment(need: CreateDeploymentNeeds): CreateDeployment {
  return async (caller, context, { files, variables, ...values }) => {
    const row = await need.store.transaction(async transaction => {
      const inserted = await deployments.insertDeployment(transaction, { accountId: caller.accountId, ...values })
      if (!inserted) throw new CodedError('name_taken', { kind: 'deployment', name: values.name })
      const deployBranchId = await need.createProject(transaction, caller, inserted.id, files)
      await deployments.updateDeployment(transaction, caller.accountId, inserted.id, { deployBranchId })
      await agents.insertAutoAgent(transaction, caller.accountId, inserted.id)
      const secret = need.effects.randomBytes(32).toString('hex')
      await need.saveVariables(transaction, caller.accountId, inserted.id, { CUBEJS_API_SECRET: secret, ...variables })
      await need.audit(transaction, caller, context, 'deployment.create', `deployment ${inserted.id}`, {
        name: values.name,
      })
      return inserted
    })
    need.wakeBuilds()
    await need.makeDataFolder(row.id)
    return row
  }
}
