import { CodedError, contentCreators, contentReaders } from '@hedron/contract'
import {
  type ContentLevel,
  type ContentType,
  dashboards,
  type Executor,
  type Store,
  contentAccess as table,
} from '@hedron/store'
import { isAllowed, requirePermission } from '../../access.ts'
import type { Caller } from '../../caller.ts'
import type { FindDeployment } from '../../deployments/find-deployment.ts'

/** With whose eyes a caller looks at the content of one deployment. */
export interface Viewer extends table.Viewer {
  /** Whether he may make content. */
  readonly mayCreate: boolean
  /** The most that a share or ownership gives him: sessions without creator mode only read. */
  readonly most: ContentLevel
  /** Groups through which the account shares with all embed users and with those of his embed tenant. */
  readonly sharingGroupIds: readonly number[]
  /** Whether items show without who owns them: what the account shares with embed users. */
  readonly hidesOwners: boolean
}

interface AccessNeeds {
  readonly store: Store
  readonly findDeployment: FindDeployment
}

export interface ContentAccess {
  /**
   * @throws {CodedError} those of `findDeployment`; `permission_missing` where the caller has none of the roles of content.
   */
  viewerOf(caller: Caller, deploymentId: number): Promise<Viewer>
  /**
   * What the viewer may do with an item; null where it is missing, of another account, deployment or embed tenant, or not
   * visible. What the account shares with embed users can be read from an embed tenant's workspace.
   */
  levelOf(viewer: Viewer, type: ContentType, id: number, executor?: Executor): Promise<ContentLevel | null>
  /**
   * Makes sure that the viewer may do this with an item. With a transaction the item can't be deleted until that ends.
   *
   * @returns through whose eyes it shows: the viewer's own, or `sharedView` of what the account shares with his embed tenant.
   * @throws {CodedError} `<type>_not_found`, as if it did not exist, where `levelOf` is null; `content_level_missing` where he
   * sees it without the level.
   */
  require(viewer: Viewer, type: ContentType, id: number, level: ContentLevel, executor?: Executor): Promise<Viewer>
  /** The same for who is about to delete the item in the transaction: it needs manage access. */
  requireToRemove(viewer: Viewer, type: ContentType, id: number, transaction: Executor): Promise<void>
  /** @throws {CodedError} `permission_missing`, naming the roles that make content. */
  requireCreator(caller: Caller, viewer: Viewer): void
}

/** Who may see and change folders, workbooks and reports. Every operation on content begins here. */
export function createContentAccess({ store, findDeployment }: AccessNeeds): ContentAccess {
  const access: ContentAccess = {
    async viewerOf(caller, deploymentId) {
      const { accountId, userId, embed } = caller
      const tenantId = embed?.embedTenant?.id ?? null
      // Every operation on content waits for both, so neither waits for the other.
      const [memberships, , onlyWorkbookId] = await Promise.all([
        table.membershipsOf(store.kysely, accountId, userId, tenantId),
        findDeployment(caller, deploymentId, contentReaders),
        workbookOfSession(caller),
      ])
      const sharingGroupIds = [memberships.allEmbedUsers, memberships.embedTenantGroup].filter(id => id !== null)
      const isOutsider = embed !== null && !embed.creatorMode
      const embedTenantId = embed?.creatorMode === true ? tenantId : null
      return {
        accountId,
        deploymentId,
        userId,
        seesAll: caller.isAdmin && embed === null,
        embedTenantId,
        onlyWorkbookId,
        groupIds: embed === null ? memberships.groupIds : [...memberships.groupIds, ...sharingGroupIds],
        embedGroupIds: memberships.embedGroupIds,
        sharingGroupIds,
        most: isOutsider ? 'read' : 'manage',
        hidesOwners: isOutsider,
        mayCreate:
          !isOutsider && (isAllowed(caller, contentCreators, deploymentId) || isAllowed(caller, contentCreators)),
      }
    },

    async levelOf(viewer, type, id, executor = store.kysely) {
      return (await find(viewer, type, id, executor))?.level ?? null
    },

    async require(viewer, type, id, level, executor) {
      const view = await check(viewer, type, id, level, executor ?? store.kysely)
      if (executor !== undefined && !(await table.holdContent(executor, type, id, 'keep'))) throw notFound(type, id)
      return view
    },

    async requireToRemove(viewer, type, id, transaction) {
      await check(viewer, type, id, 'manage', transaction)
      if (!(await table.holdContent(transaction, type, id, 'remove'))) throw notFound(type, id)
    },

    requireCreator(caller, viewer) {
      if (viewer.mayCreate) return
      requirePermission(caller, contentCreators, viewer.deploymentId)
      throw new CodedError('content_read_only', {})
    },
  }
  return access

  /** The workbook of the one dashboard that a session is for; null: it is for all. No workbook has the id 0. */
  async function workbookOfSession({ accountId, embed }: Caller): Promise<number | null> {
    if (embed === null || embed.onlyDashboard === null) return null
    const dashboard = await dashboards.findDashboardByPublicId(store.kysely, accountId, embed.onlyDashboard)
    return dashboard?.workbookId ?? 0
  }

  async function check(viewer: Viewer, type: ContentType, id: number, level: ContentLevel, executor: Executor) {
    const found = await find(viewer, type, id, executor)
    if (found === null) throw notFound(type, id)
    if (!table.includesLevel(found.level, level)) {
      throw new CodedError('content_level_missing', { type: type.toLowerCase(), id, level })
    }
    return found.view
  }

  async function find(viewer: Viewer, type: ContentType, id: number, executor: Executor) {
    const own = await table.levelOf(executor, viewer, type, id)
    if (own !== null) return { view: viewer, level: table.includesLevel(viewer.most, own) ? own : viewer.most }
    if (viewer.embedTenantId === null) return null
    const view = sharedView(viewer)
    return (await table.levelOf(executor, view, type, id)) === null ? null : { view, level: view.most }
  }
}

/**
 * The account's own workspace as every embed user of one embed tenant sees it: what is shared with all embed users, or with that
 * tenant.
 */
export const sharedView = (viewer: Viewer): Viewer => ({
  ...viewer,
  userId: null,
  seesAll: false,
  embedTenantId: null,
  groupIds: viewer.sharingGroupIds,
  embedGroupIds: [],
  most: 'read',
  hidesOwners: true,
  mayCreate: false,
})

/** As if the item did not exist. */
export function notFound(type: ContentType, id: number): CodedError {
  if (type === 'Folder') return new CodedError('folder_not_found', { folder: id })
  if (type === 'Workbook') return new CodedError('workbook_not_found', { workbook: id })
  return new CodedError('report_not_found', { report: id })
}
