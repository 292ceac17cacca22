import { type Api, unique } from './api.ts'
import { connect } from './contract-client.ts'

/** A name that no other embed tenant has. */
export const tenantName = (): string => unique('tenant').slice(0, 30)

/**
 * An embed tenant with five groups and, where a deployment is given, five attributes and five users.
 *
 * @param options.group whether those users are members of the group that is named.
 * @returns what the sample requests need, by path.
 */
export async function prepareEmbedTenant(
  api: Api,
  options: { readonly deploymentId?: number; readonly group?: 'empty' | 'full' } = {},
): Promise<Record<string, string | number>> {
  const client = connect(api)
  const embedTenantName = tenantName()
  const ids: number[] = []
  for (const name of ['one', 'two', 'three', 'four', 'five']) {
    ids.push((await client.createGroup({ params: { embedTenantName }, body: { name } })).id)
  }
  const { deploymentId, group = 'empty' } = options
  const attributeId = deploymentId === undefined ? 1 : await addPeople(api, deploymentId, embedTenantName, ids[1] ?? 0)
  const tenant = '/api/v1/embed-tenants/{embedTenantName}'
  return {
    [tenant]: embedTenantName,
    '/api/v1/deployments/{deploymentId}/embed-tenants/{embedTenantName}': embedTenantName,
    [`${tenant}/user-attributes/{id}`]: attributeId,
    [`${tenant}/groups/{id}`]: ids[group === 'empty' ? 0 : 1] ?? 0,
  }
}

/** Attributes that a session defines, and members of a group. @returns the id of an attribute. */
async function addPeople(api: Api, deploymentId: number, embedTenantName: string, groupId: number): Promise<number> {
  const client = connect(api)
  await client.generateSession({
    body: {
      deploymentId,
      externalId: 'ann',
      creatorMode: true,
      embedTenantName,
      userAttributeDefinitions: ['v', 'w', 'x', 'y', 'z'].map(name => ({ name, type: 'string' as const })),
    },
  })
  const members = ['ann', 'ben', 'cem', 'dan', 'eve'].map(externalId => ({ externalId }))
  await client.addGroupMembers({ params: { embedTenantName, id: groupId }, body: { members } })
  const { items } = await client.listEmbedUserAttributes({ params: { embedTenantName } })
  return items[0]?.id ?? 0
}
