import { deleteTenant, embedTenants } from '@hedron/store'
import type { CallContext, Caller } from '../../caller.ts'
import type { TenantsNeed } from './tenants-need.ts'

/** Rows of one transaction, with all that belongs to them: it holds its locks for less than a second. */
const most = 200

/**
 * Removes an embed tenant with everything: its sessions first, so that tokens end, what there can be much of in steps, and the tenant with
 * the rest last. A removal that is cut off leaves the tenant with less; the next one goes on there.
 *
 * @returns whether there was one.
 */
export async function removeTenant(
  { store, audit }: Pick<TenantsNeed, 'store' | 'audit'>,
  caller: Caller,
  name: string,
  context: CallContext,
): Promise<boolean> {
  const { accountId } = caller
  const found = await embedTenants.findEmbedTenant(store.kysely, accountId, name)
  if (!found) return false
  const tenant = { accountId, embedTenantId: found.id }
  for (const part of deleteTenant.tenantParts) {
    // What is made meanwhile goes with the tenant, so that this ends however many are made.
    const until = await deleteTenant.newestOf(store.kysely, part, tenant)
    let deleted = until === undefined ? 0 : most
    while (until !== undefined && deleted === most) {
      context.signal.throwIfAborted()
      deleted = await store.transaction(async transaction => {
        await deleteTenant.lockTenantRemoval(transaction, tenant)
        return deleteTenant.deleteSome(transaction, part, tenant, { until, limit: most })
      })
    }
  }
  return store.transaction(async transaction => {
    await deleteTenant.lockTenantRemoval(transaction, tenant)
    const isGone = await embedTenants.deleteEmbedTenant(transaction, accountId, name)
    if (isGone) await audit(transaction, caller, context, 'embed-tenant.delete', `embed-tenant ${name}`)
    return isGone
  })
}
