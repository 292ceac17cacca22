import { type Api, unique } from './api.ts'
import { connect } from './contract-client.ts'

/** A name that no other embed tenant has. */
export const tenantName = (): string => unique('tenant').slice(0, 30)

/**
 * An embed tenant with five groups, five users and five attributes.
 *
 * @param group whether the users are members of the group that is named.
 * @returns what the sample requests need, by path.
 */
export async function prepareEmbedTenant(
  api: Api,
  deploymentId: number,
  group: 'empty' | 'full' = 'empty',
): Promise<Record<string, string | number>> {
  const client = connect(api)
  const embedTenantName = tenantName()
  const ids: number[] = []
  for (const name of ['one', 'two', 'three', 'four', 'five']) {
    ids.push((await client.createGroup({ params: { embedTenantName }, body: { name } })).id)
  }
  await client.generateSession({
    body: {
      deploymentId,
      externalId: 'ann',
      creatorMode: true,
      embedTenantName,
      userAttributeDefinitions: ['v', 'w', 'x', 'y', 'z'].map(name => ({ name, type: 'string' as const })),
    },
  })
  const attributes = await client.listEmbedUserAttributes({ params: { embedTenantName } })
  const members = ['ann', 'ben', 'cem', 'dan', 'eve'].map(externalId => ({ externalId }))
  await client.addGroupMembers({ params: { embedTenantName, id: ids[1] ?? 0 }, body: { members } })
  const tenant = '/api/v1/embed-tenants/{embedTenantName}'
  return {
    [tenant]: embedTenantName,
    [`${tenant}/groups/{id}`]: ids[0] ?? 0,
    '/api/v1/deployments/{deploymentId}/embed-tenants/{embedTenantName}': embedTenantName,
    [`${tenant}/user-attributes/{id}`]: attributes.items[0]?.id ?? 0,
    [`${tenant}/groups/{id}`]: ids[group === 'empty' ? 0 : 1] ?? 0,
  }
}
