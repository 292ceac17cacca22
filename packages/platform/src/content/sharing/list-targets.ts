import { type Executor, shareTargets } from '@hedron/store'
import type { Caller } from '../../caller.ts'
import { type Page, page, type Window } from '../../page.ts'
import type { Viewer } from '../access/content-access.ts'

interface TargetsQuery {
  readonly first?: number | undefined
  readonly after?: string | undefined
  readonly search?: string | null | undefined
}

type Place = readonly [name: string, id: number]

/**
 * Users with whom who manages an item may share it, as `createFindGrantee` decides. In the account's own workspace external users
 * can be shared with too, but are listed to administrators alone (`listUsers`).
 */
export async function listShareableUsers(
  executor: Executor,
  caller: Caller,
  viewer: Viewer,
  query: TargetsQuery,
  now: Date,
): Promise<Page<shareTargets.ShareableUserRow>> {
  const isExternal = caller.embed !== null || viewer.embedTenantId !== null
  const who = isExternal
    ? ({ kind: 'external', embedTenantId: viewer.embedTenantId } as const)
    : ({ kind: 'internal' } as const)
  return page(
    'shareable-users',
    query,
    ({ limit, after }: Window<Place>) =>
      shareTargets.listShareableUsers(executor, viewer.accountId, who, {
        search: query.search ?? '',
        after,
        limit,
        now,
      }),
    ({ username, id }) => [username, id] as const,
    ({ id, username, email, firstName, picture }) => ({ id, username, email, firstName, picture }),
  )
}

/** Groups with which who manages an item may share it, as `createFindGrantee` decides. */
export async function listShareableGroups(
  executor: Executor,
  caller: Caller,
  viewer: Viewer,
  query: TargetsQuery,
): Promise<Page<shareTargets.ShareableGroupRow>> {
  const { embedTenantId, groupIds, sharingGroupIds } = viewer
  const who =
    embedTenantId !== null
      ? ({ kind: 'embedTenant', embedTenantId } as const)
      : caller.embed === null
        ? ({ kind: 'account' } as const)
        : ({ kind: 'member', groupIds: groupIds.filter(id => !sharingGroupIds.includes(id)) } as const)
  return page(
    'shareable-groups',
    query,
    ({ limit, after }: Window<Place>) =>
      shareTargets.listShareableGroups(executor, viewer.accountId, who, { search: query.search ?? '', after, limit }),
    ({ name, id }) => [name, id] as const,
    row => row,
  )
}
