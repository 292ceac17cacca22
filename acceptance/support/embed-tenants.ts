import { type Api, unique } from './api.ts'
import { connect } from './contract-client.ts'

/** A name that no other embed tenant has. */
export const tenantName = (): string => unique('tenant').slice(0, 30)

/**
 * An embed tenant with five groups, none of which has members.
 *
 * @returns what the sample requests need, by path.
 */
export async function prepareEmbedTenant(api: Api): Promise<Record<string, string | number>> {
  const client = connect(api)
  const embedTenantName = tenantName()
  const ids: number[] = []
  for (const name of ['one', 'two', 'three', 'four', 'five']) {
    ids.push((await client.createGroup({ params: { embedTenantName }, body: { name } })).id)
  }
  const tenant = '/api/v1/embed-tenants/{embedTenantName}'
  return {
    [tenant]: embedTenantName,
    [`${tenant}/groups/{id}`]: ids[0] ?? 0,
    '/api/v1/deployments/{deploymentId}/embed-tenants/{embedTenantName}': embedTenantName,
  }
}
