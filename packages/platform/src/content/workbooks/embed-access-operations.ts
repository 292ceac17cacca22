import { CodedError, type EmbedAccessResponse, type UpdateEmbedAccessInput } from '@hedron/contract'
import { dashboards, type Executor, embedAccess, embedTenants, workbooks } from '@hedron/store'
import { requireAdmin } from '../../access.ts'
import type { Caller } from '../../caller.ts'
import type { Operations } from '../../operations.ts'
import { page } from '../../page.ts'
import { showWorkbooks } from './show-workbook.ts'
import type { WorkbooksNeed } from './workbook-needs.ts'

type EmbedAccessOperations = Pick<Operations, 'getEmbedAccess' | 'updateEmbedAccess' | 'listEmbedTenantWorkbooks'>

/** For which embed users a workbook's dashboard is (contract/platform-api.yaml, tag Dashboard Embed Access). */
export function createEmbedAccessOperations(need: WorkbooksNeed): EmbedAccessOperations {
  const { store, effects, audit, access } = need

  return {
    async getEmbedAccess(caller, { params: { deploymentId, workbookId } }) {
      const viewer = await access.viewerOf(caller, deploymentId)
      await access.require(viewer, 'Workbook', workbookId, 'read')
      return show(store.kysely, caller, workbookId)
    },

    async updateEmbedAccess(caller, { params: { deploymentId, workbookId }, body }, context) {
      const target = targetOf(body)
      const viewer = await access.viewerOf(caller, deploymentId)
      return store.transaction(async transaction => {
        await access.require(viewer, 'Workbook', workbookId, 'manage', transaction)
        const row = await workbooks.lockWorkbook(transaction, caller.accountId, deploymentId, workbookId)
        if (!row) throw new CodedError('workbook_not_found', { workbook: workbookId })
        if (target !== null) await share(transaction, caller, row, target)
        if (typeof body.allowEmbed === 'boolean') await allow(transaction, caller, workbookId, body.allowEmbed)
        await audit(transaction, caller, context, 'workbook.embed-access', `workbook ${workbookId}`, { ...body })
        return show(transaction, caller, workbookId)
      })
    },

    async listEmbedTenantWorkbooks(caller, { params, query }) {
      await access.viewerOf(caller, params.deploymentId)
      requireAdmin(caller)
      const { accountId } = caller
      const { id: embedTenantId } = await findTenant(store.kysely, accountId, params.embedTenantName)
      const place = { accountId, deploymentId: params.deploymentId, embedTenantId }
      const { items, pageInfo } = await page(
        'embed-tenant-workbooks',
        query,
        ({ limit, after }: { limit: number; after: readonly [number] | undefined }) =>
          embedAccess.listEmbedTenantWorkbooks(store.kysely, place, query.accessSource, { after: after?.[0], limit }),
        row => [row.id] as const,
        row => row,
      )
      const shown = await showWorkbooks(store.kysely, caller, items)
      return { items: shown, data: shown, pageInfo }
    },
  }

  /** Grants to a target or takes away. Content of an embed tenant stays inside it. */
  async function share(transaction: Executor, caller: Caller, row: workbooks.WorkbookRow, target: Target) {
    const { accountId } = caller
    if (target.embedTenantName === null) {
      if (row.embedTenantId !== null) {
        throw new CodedError('invalid_request', {
          problems: 'allEmbedUsers: a workbook of an embed tenant is shared inside it alone; send embedTenantName',
        })
      }
      const group = await embedAccess.ensureSharingGroup(transaction, accountId, null)
      await embedAccess.shareWorkbook(transaction, accountId, row.id, group, target.isGranted)
      return
    }
    const tenant = await findTenant(transaction, accountId, target.embedTenantName)
    if (row.embedTenantId !== null && row.embedTenantId !== tenant.id) {
      throw new CodedError('embed_tenant_not_found', { tenant: target.embedTenantName })
    }
    const group = await embedAccess.ensureSharingGroup(transaction, accountId, tenant)
    await embedAccess.shareWorkbook(transaction, accountId, row.id, group, target.isGranted)
  }

  async function allow(transaction: Executor, caller: Caller, workbookId: number, allowEmbed: boolean) {
    const published = await dashboards.findPublishedOfWorkbook(transaction, caller.accountId, workbookId)
    if (!published) throw new CodedError('dashboard_not_published', { workbook: workbookId })
    await dashboards.setAllowEmbed(transaction, caller.accountId, published.id, allowEmbed, effects.now())
  }

  async function show(executor: Executor, caller: Caller, workbookId: number): Promise<EmbedAccessResponse> {
    const { accountId, embed } = caller
    const [dashboard, groups] = await Promise.all([
      dashboards.findDashboardOfWorkbook(executor, accountId, workbookId),
      embedAccess.sharingGroupsOf(executor, accountId, workbookId),
    ])
    const all = groups.find(({ embedTenantName }) => embedTenantName === null)
    return {
      allowEmbed: dashboard?.allowEmbed ?? false,
      allEmbedUsers: { enabled: all !== undefined, action: all ? 'read' : 'none', groupId: all?.groupId ?? null },
      tenants: groups.flatMap(({ groupId, embedTenantName }) => {
        // Nobody in a frame learns who the other customers are.
        const isHidden = embed !== null && embedTenantName !== embed.embedTenant?.name
        return embedTenantName === null || isHidden ? [] : [{ groupId, embedTenantName, action: 'read' as const }]
      }),
    }
  }
}

interface Target {
  /** Null: all embed users. */
  readonly embedTenantName: string | null
  readonly isGranted: boolean
}

/** @throws {CodedError} `invalid_request` where not exactly one target comes with the action, or nothing is asked for. */
function targetOf({ embedTenantName, allEmbedUsers, action, allowEmbed }: UpdateEmbedAccessInput): Target | null {
  const refuse = (problems: string) => new CodedError('invalid_request', { problems })
  const named = embedTenantName ?? null
  if (named !== null && allEmbedUsers)
    throw refuse('allEmbedUsers: cannot be sent with embedTenantName; send one target')
  if (named === null && !allEmbedUsers) {
    if (action) throw refuse('action: needs a target; send embedTenantName or allEmbedUsers: true')
    if (typeof allowEmbed !== 'boolean') {
      throw refuse('body: asks for no change; send a target with an action, or allowEmbed')
    }
    return null
  }
  if (!action) throw refuse('action: is required with a target; send read or none')
  return { embedTenantName: named, isGranted: action === 'read' }
}

async function findTenant(executor: Executor, accountId: number, name: string) {
  const tenant = await embedTenants.findEmbedTenant(executor, accountId, name.trim().toLowerCase())
  if (!tenant) throw new CodedError('embed_tenant_not_found', { tenant: name })
  return tenant
}
