import { CodedError } from '@hedron/contract'
import { contentAccess, dashboards, embedAccess, type Store } from '@hedron/store'
import type { Caller } from '../../caller.ts'
import type { ContentAccess, Viewer } from '../../content/access/content-access.ts'

export interface DashboardsNeed {
  readonly store: Store
  readonly access: ContentAccess
}

/**
 * The published dashboard with that address, if the caller may look at it (contract/behaviour/embed.md, section 6): his own, one
 * shared with him or his groups itself or through a folder, one of a policy `EmbedDashboardRead`, or one for all embed users.
 *
 * @throws {CodedError} `dashboard_not_found` where it is missing or he does not see it, without telling which;
 * or whose session is for another one; `dashboard_embedding_off` where he sees it and signed embedding is switched off for it.
 */
export async function findVisibleDashboard(
  { store, access }: DashboardsNeed,
  caller: Caller,
  publicId: string,
): Promise<dashboards.PublishedDashboard> {
  const notFound = () => new CodedError('dashboard_not_found', { dashboard: publicId })
  const dashboard = await dashboards.findPublishedByPublicId(store.kysely, caller.accountId, publicId)
  if (!dashboard || caller.deploymentScope?.has(dashboard.deploymentId) === false) throw notFound()
  if (caller.embed !== null && caller.embed.deploymentId !== dashboard.deploymentId) throw notFound()
  if (caller.embed !== null && (caller.embed.onlyDashboard ?? publicId) !== publicId) throw notFound()
  const viewer = await viewerOf(dashboard)
  const isSeen = viewer !== null && (await access.levelOf(viewer, 'Workbook', dashboard.workbookId)) !== null
  if (!isSeen && !holdsDashboard(caller, dashboard)) throw notFound()
  const isSigned = caller.embed !== null && !caller.embed.creatorMode && !caller.embed.isPrivate
  const needsFlag = isSigned && !dashboard.allowEmbed
  if (needsFlag && !(viewer !== null && (await isForAll(viewer)))) {
    throw new CodedError('dashboard_embedding_off', { dashboard: publicId })
  }
  return dashboard

  /** With whose eyes he looks: at content of his embed tenant with its own, also in a session that makes none. */
  async function viewerOf({ deploymentId, embedTenantId }: dashboards.PublishedDashboard): Promise<Viewer | null> {
    try {
      const own = await access.viewerOf(caller, deploymentId)
      if (embedTenantId === null || embedTenantId === own.embedTenantId) return own
      return embedTenantId === caller.embed?.embedTenant?.id ? { ...own, embedTenantId } : null
    } catch (error) {
      // Without any right on the deployment nothing of it is seen but by policy.
      if (error instanceof CodedError && error.status < 500) return null
      throw error
    }
  }

  async function isForAll(eyes: Viewer): Promise<boolean> {
    const group = await embedAccess.allEmbedUsersGroup(store.kysely, caller.accountId)
    if (group === undefined) return false
    const everyone = {
      ...eyes,
      userId: null,
      seesAll: false,
      embedTenantId: null,
      groupIds: [group],
      embedGroupIds: [],
    }
    return (await contentAccess.levelOf(store.kysely, everyone, 'Workbook', dashboard?.workbookId ?? 0)) !== null
  }
}

/** Whether a policy lets him read dashboards, on this one, its deployment or everywhere. */
function holdsDashboard({ policies, embed }: Caller, dashboard: dashboards.PublishedDashboard): boolean {
  const { id, publicId, deploymentId, embedTenantId } = dashboard
  // What a customer has made is no other customer's, whatever roles a session was made with.
  const isOwn = embedTenantId === null || embedTenantId === embed?.embedTenant?.id
  if (embed !== null && embed.externalId !== null && !isOwn) return false
  const names: Readonly<Record<string, readonly string[]>> = {
    Global: [],
    Deployment: [String(deploymentId), 'All'],
    Dashboard: [String(id), publicId, 'All'],
  }
  return policies.some(({ resourceType, actions, resources }) => {
    const wanted = names[resourceType]
    if (wanted === undefined || !actions.includes('EmbedDashboardRead')) return false
    return resourceType === 'Global' || resources.some(resource => wanted.includes(resource))
  })
}
