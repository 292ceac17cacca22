import { type Api, unique } from './api.ts'
import { connect } from './contract-client.ts'

/** A name that no other embed tenant has. */
export const tenantName = (): string => unique('tenant').slice(0, 30)

/**
 * An embed tenant with five groups and five users.
 *
 * @param group whether the users are members of the group that is named.
 * @returns what the sample requests need, by path.
 */
export async function prepareEmbedTenant(
  api: Api,
  group: 'empty' | 'full' = 'empty',
): Promise<Record<string, string | number>> {
  const client = connect(api)
  const embedTenantName = tenantName()
  const ids: number[] = []
  for (const name of ['one', 'two', 'three', 'four', 'five']) {
    ids.push((await client.createGroup({ params: { embedTenantName }, body: { name } })).id)
  }
  const members = ['ann', 'ben', 'cem', 'dan', 'eve'].map(externalId => ({ externalId }))
  await client.addGroupMembers({ params: { embedTenantName, id: ids[1] ?? 0 }, body: { members } })
  const tenant = '/api/v1/embed-tenants/{embedTenantName}'
  return {
    [tenant]: embedTenantName,
    [`${tenant}/groups/{id}`]: ids[0] ?? 0,
    '/api/v1/deployments/{deploymentId}/embed-tenants/{embedTenantName}': embedTenantName,
    [`${tenant}/groups/{id}`]: ids[group === 'empty' ? 0 : 1] ?? 0,
  }
}
