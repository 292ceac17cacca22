import { CodedError } from '@hedron/contract'
import { type ContentLevel, type Executor, resourcePolicies as table } from '@hedron/store'
import type { Caller } from '../../caller.ts'
import type { Viewer } from '../access/content-access.ts'

export type FindGrantee = (target: table.Target, level: ContentLevel) => Promise<table.Grantee | null>

/**
 * Whom an item may be shared with. In an embed tenant's workspace: its users, its groups and the group of all of them. In the
 * account's own: anybody of the account, and groups of embed users to read; but an external user who makes content there, without
 * a tenant, shares with external users without one, and with groups that he is in.
 *
 * @returns null for who is not there for the caller.
 * @throws {CodedError} `share_read_only`.
 */
export const createFindGrantee =
  (executor: Executor, caller: Caller, viewer: Viewer): FindGrantee =>
  async (target, level) => {
    const { accountId, embedTenantId } = viewer
    const isExternal = caller.embed !== null
    if ('userId' in target) {
      const user = await table.holdUser(executor, accountId, target.userId)
      const isSeen = isExternal || embedTenantId !== null ? isOfTenant(user, embedTenantId) : user !== undefined
      return isSeen ? { userId: target.userId, groupId: null, embedGroupId: null } : null
    }
    const group = await table.holdGroup(executor, accountId, target.groupId)
    if (group === undefined) return null
    if (embedTenantId !== null) {
      if (group.embedTenantId !== embedTenantId) return null
      return group.kind === null ? ofEmbedGroup(group.id) : ofGroup(group.id)
    }
    if (group.kind === null) return null
    if (isExternal) {
      const isMember = viewer.groupIds.includes(group.id) && !viewer.sharingGroupIds.includes(group.id)
      return isMember ? ofGroup(group.id) : null
    }
    if (group.kind !== 'custom' && level !== 'read') {
      throw new CodedError('share_read_only', { group: group.name })
    }
    return ofGroup(group.id)
  }

type HeldUser = Awaited<ReturnType<typeof table.holdUser>>

const isOfTenant = (user: HeldUser, embedTenantId: number | null): boolean =>
  user !== undefined && user.externalId !== null && user.embedTenantId === embedTenantId

const ofGroup = (groupId: number): table.Grantee => ({ userId: null, groupId, embedGroupId: null })
const ofEmbedGroup = (embedGroupId: number): table.Grantee => ({ userId: null, groupId: null, embedGroupId })
