import { CodedError } from '@hedron/contract'
import { type Executor, embedTenants } from '@hedron/store'

/**
 * The embed tenant of that name, made where there is none, and kept from being deleted until the transaction ends. Whatever else
 * a transaction locks of a tenant, it locks after this; so no two of them wait for each other.
 *
 * @param name in lower case and of the SPEC's format.
 * @param displayName is written where it is given and differs.
 */
export async function ensureEmbedTenant(
  transaction: Executor,
  accountId: number,
  name: string,
  displayName?: string | null,
): Promise<embedTenants.EmbedTenantRow> {
  // Between each two of these another transaction may make the tenant or delete it.
  for (let attempt = 0; attempt < 10; attempt++) {
    const found = await embedTenants.holdEmbedTenant(transaction, accountId, name)
    if (found) {
      if (!displayName || found.displayName === displayName) return found
      await embedTenants.renameEmbedTenant(transaction, accountId, found.id, displayName)
      return { ...found, displayName }
    }
    const values = { accountId, name, displayName: displayName || null }
    const made = await embedTenants.insertEmbedTenant(transaction, values)
    if (made) return made
  }
  throw new Error(`embed tenant ${name} was made and deleted over and over`)
}

/** @throws {CodedError} `embed_tenant_not_found`. */
export async function requireEmbedTenant(
  executor: Executor,
  accountId: number,
  name: string,
): Promise<embedTenants.EmbedTenantRow> {
  const tenant = await embedTenants.findEmbedTenant(executor, accountId, name)
  if (!tenant) throw new CodedError('embed_tenant_not_found', { tenant: name })
  return tenant
}

/**
 * The tenant, kept from being deleted until the transaction ends.
 *
 * @throws {CodedError} `embed_tenant_not_found`.
 */
export async function holdEmbedTenant(
  transaction: Executor,
  accountId: number,
  name: string,
): Promise<embedTenants.EmbedTenantRow> {
  const tenant = await embedTenants.holdEmbedTenant(transaction, accountId, name)
  if (!tenant) throw new CodedError('embed_tenant_not_found', { tenant: name })
  return tenant
}
