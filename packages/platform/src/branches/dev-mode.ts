import { CodedError, type DevBranchResponse } from '@hedron/contract'
import { branches, type Executor, type Store } from '@hedron/store'
import type { Audit } from '../audit.ts'
import type { CallContext, Caller } from '../caller.ts'
import type { FindDeployment } from '../deployments/find-deployment.ts'
import type { Effects } from '../effects.ts'
import type { Operations } from '../operations.ts'
import { personalBranchName } from './branch-name.ts'
import { changeDevBranches } from './permissions.ts'
import { findDeployBranch, findNamedBranch, requireOwnDevBranch } from './resolve-branch.ts'
import { enterBranch, leaveDevMode } from './session.ts'

interface DevModeNeeds {
  readonly store: Store
  readonly effects: Effects
  readonly findDeployment: FindDeployment
  readonly audit: Audit
}

/** Names are random; this many in a row are not all taken. */
const attempts = 5

/** Dev mode is per credential: one session, on one branch (SPEC, client row Dev-mode rules). */
export function createDevModeOperations(needs: DevModeNeeds): Pick<Operations, 'startDevMode' | 'stopDevMode'> {
  const { store, effects, findDeployment, audit } = needs

  return {
    async startDevMode(caller, { params, body }, context) {
      const deployment = await findDeployment(caller, params.deploymentId, changeDevBranches)
      refuseEmptyName(body?.branchName)
      const repository = { accountId: caller.accountId, deploymentId: deployment.id }
      return store.transaction(async transaction => {
        const named = await findNamedBranch(transaction, repository, body ?? {}, { lock: true })
        const source =
          named ?? (await findDeployBranch(transaction, repository, deployment.deployBranchId, { lock: true }))
        const branch = await personalBranchOf(transaction, caller, context, source)
        await enterBranch(transaction, caller, branch)
        return { active: true, branchName: branch.name, parentBranch: branch.parentName } satisfies DevBranchResponse
      })
    },

    async stopDevMode(caller, { params }) {
      const { id } = await findDeployment(caller, params.deploymentId, changeDevBranches)
      await leaveDevMode(store.kysely, caller, id)
      return { success: true }
    },
  }

  /** The caller's own branch to work on: the source itself, one forked from it before, or a new fork. */
  async function personalBranchOf(
    executor: Executor,
    caller: Caller,
    context: CallContext,
    source: branches.BranchRow,
  ): Promise<branches.BranchRow> {
    if (source.kind === 'dev') {
      requireOwnDevBranch(caller, source)
      return source
    }
    // The lock on the source makes two calls at once take turns, so that they do not fork twice.
    const forked = await branches.findDevBranch(executor, source.accountId, source.deploymentId, {
      credential: caller.credential,
      parentId: source.id,
    })
    if (forked) {
      const locked = await branches.findBranch(
        executor,
        source.accountId,
        source.deploymentId,
        { id: forked.id },
        { lock: true },
      )
      if (locked) return locked
    }
    return fork(executor, caller, context, source)
  }

  async function fork(
    executor: Executor,
    caller: Caller,
    context: CallContext,
    source: branches.BranchRow,
  ): Promise<branches.BranchRow> {
    for (let attempt = 0; attempt < attempts; attempt++) {
      const branch = await branches.insertBranch(executor, {
        accountId: source.accountId,
        deploymentId: source.deploymentId,
        name: personalBranchName(caller.name, effects.randomBytes(4).toString('hex')),
        kind: 'dev',
        parentId: source.id,
        head: source.head,
        ownerUserId: caller.userId,
        ownerCredential: caller.credential,
      })
      if (!branch) continue
      await audit(
        executor,
        caller,
        context,
        'branch.create',
        `branch ${branch.name} of deployment ${source.deploymentId}`,
        {
          from: source.name,
        },
      )
      return branch
    }
    throw new Error(`${attempts} random branch names in a row were taken`)
  }
}

/** An empty name would quietly be another branch than the one that was meant (contract/cli-core.md 5.1). */
export function refuseEmptyName(name: string | null | undefined): void {
  if (name !== undefined && name !== null && name.trim() === '') {
    throw new CodedError('invalid_request', {
      problems: 'branchName: an empty value names no branch; leave it out for the deploy branch',
    })
  }
}
