import { CodedError, type ResourceOwner, type ResourcePolicies, type SharedResourceType } from '@hedron/contract'
import { type ContentLevel, type Executor, type Store, resourcePolicies as table } from '@hedron/store'
import type { Audit } from '../../audit.ts'
import type { CallContext, Caller } from '../../caller.ts'
import type { Effects } from '../../effects.ts'
import type { Operations } from '../../operations.ts'
import { type ContentAccess, notFound, type Viewer } from '../access/content-access.ts'
import { listShareableGroups, listShareableUsers } from './list-targets.ts'
import { actionOf, actionsOf, levelOfAction } from './share-actions.ts'
import { createFindGrantee } from './share-targets.ts'

interface SharingNeeds {
  readonly store: Store
  readonly effects: Effects
  readonly audit: Audit
  readonly access: ContentAccess
}

interface Item {
  readonly resourceType: SharedResourceType
  readonly resourceId: number
}

type SharingOperations = Pick<
  Operations,
  'getResourcePolicies' | 'setUserPolicy' | 'setGroupPolicy' | 'listShareableUsers' | 'listShareableGroups'
>

/** Who folders, workbooks and reports are shared with (contract: cli-admin.md, 4.4). */
export function createSharingOperations({ store, effects, audit, access }: SharingNeeds): SharingOperations {
  return {
    async getResourcePolicies(caller, { query }) {
      return show(store.kysely, await managerOf(caller, query), query)
    },
    async listShareableUsers(caller, { query }) {
      return listShareableUsers(store.kysely, caller, await managerOf(caller, query), query, effects.now())
    },
    async listShareableGroups(caller, { query }) {
      return listShareableGroups(store.kysely, caller, await managerOf(caller, query), query)
    },
    setUserPolicy: (caller, { body }, context) => share(caller, context, body, { userId: body.userId }),
    setGroupPolicy: (caller, { body }, context) => share(caller, context, body, { groupId: body.groupId }),
  }

  /** The path names no deployment: it is the item's. */
  async function viewerOf(caller: Caller, { resourceType, resourceId }: Item): Promise<Viewer> {
    const deploymentId = await table.deploymentOf(store.kysely, caller.accountId, resourceType, resourceId)
    // What is of a deployment that an embed session is not for is not there for it.
    const isElsewhere = caller.embed !== null && caller.embed.deploymentId !== deploymentId
    if (deploymentId === undefined || isElsewhere) throw notFound(resourceType, resourceId)
    return access.viewerOf(caller, deploymentId)
  }

  /** With whose eyes somebody who manages the item looks at it. */
  async function managerOf(caller: Caller, item: Item): Promise<Viewer> {
    const viewer = await viewerOf(caller, item)
    await access.require(viewer, item.resourceType, item.resourceId, 'manage')
    return viewer
  }

  async function share(
    caller: Caller,
    context: CallContext,
    item: Item & { readonly action?: Parameters<typeof levelOfAction>[1] | null | undefined },
    target: table.Target,
  ): Promise<ResourcePolicies> {
    const { resourceType: type, resourceId: id, action } = item
    const level = action === undefined || action === null ? null : levelOfAction(type, action)
    const viewer = await viewerOf(caller, item)
    return store.transaction(async transaction => {
      await access.require(viewer, type, id, 'manage', transaction)
      const shared = { accountId: viewer.accountId, type, id }
      if (level === null) {
        // Whoever it is, and whether he is still there: nothing is shared with him afterwards.
        await table.clearPolicy(transaction, shared, target)
      } else {
        const grantee = await createFindGrantee(transaction, caller, viewer)(target, level)
        if (grantee === null) throw targetNotFound(item, target)
        await table.setPolicy(transaction, shared, grantee, level)
      }
      const details = { ...target, action: action ?? null }
      await audit(transaction, caller, context, 'content.share', `${type.toLowerCase()} ${id}`, details)
      return show(transaction, viewer, item)
    })
  }
}

function targetNotFound({ resourceType, resourceId }: Item, target: table.Target): CodedError {
  return new CodedError('share_target_not_found', {
    ...('userId' in target ? { target: 'user', id: target.userId } : { target: 'group', id: target.groupId }),
    type: resourceType.toLowerCase(),
    item: resourceId,
  })
}

async function show(executor: Executor, viewer: Viewer, { resourceType, resourceId }: Item): Promise<ResourcePolicies> {
  const places = await table.placesOf(executor, viewer.accountId, resourceType, resourceId)
  const rows = await table.listPolicies(executor, viewer.accountId, places)
  const [item, ...around] = places
  const of = (place: table.Place) => rows.filter(row => row.resourceType === place.type && row.resourceId === place.id)
  const from = (place: table.Place) => ({
    resourceType: place.type,
    resourceId: place.id,
    resourceName: place.name,
  })
  const owned = (place: table.Place) => {
    const user = personOf(place)
    return user === null ? [] : [{ userId: user.id, user, ...allowing(place.type, 'manage') }]
  }
  return {
    resourceType,
    resourceId,
    owner: item === undefined || isInWorkbook(places) ? null : personOf(item),
    userPolicies: item === undefined ? [] : of(item).flatMap(userPolicy),
    groupPolicies: item === undefined ? [] : of(item).flatMap(groupPolicy),
    inheritedUserPolicies: around.flatMap(place =>
      [...owned(place), ...of(place).flatMap(userPolicy)].map(policy => ({ ...policy, ...from(place) })),
    ),
    inheritedGroupPolicies: around.flatMap(place =>
      of(place)
        .flatMap(groupPolicy)
        .map(policy => ({ ...policy, ...from(place) })),
    ),
  }
}

/** Who wrote a report in a workbook has no rights by that. */
const isInWorkbook = ([item, next]: readonly table.Place[]): boolean =>
  item?.type === 'Report' && next?.type === 'Workbook'

const allowing = (type: SharedResourceType, level: ContentLevel) => ({
  action: actionOf(type, level),
  actions: actionsOf(type, level),
})

const userPolicy = (row: table.PolicyRow) => {
  const user = personOf(row)
  return user === null ? [] : [{ userId: user.id, user, ...allowing(row.resourceType, row.level) }]
}

const groupPolicy = ({ groupId, groupName, userCount, resourceType, level }: table.PolicyRow) =>
  groupId === null
    ? []
    : [
        {
          groupId,
          group: { id: groupId, name: groupName ?? '', userCount: Number(userCount ?? 0) },
          ...allowing(resourceType, level),
        },
      ]

type Person = Pick<table.Place, 'userId' | 'email' | 'firstName' | 'picture'>

const personOf = ({ userId, email, firstName, picture }: Person): ResourceOwner | null =>
  userId === null ? null : { id: userId, email: email ?? '', firstName, picture }
