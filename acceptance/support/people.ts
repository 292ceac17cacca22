import { type Api, unique } from './api.ts'
import { connect } from './contract-client.ts'

/** A user, a role, a group and an attribute of the account, and what the sample requests need of them. */
export interface People {
  readonly userId: number
  readonly attributeId: number
  /** By the path of the operation. */
  readonly places: Readonly<Record<string, number>>
}

/** @param more how many of each there are beside those that are named, all of the users in the group. */
export async function preparePeople(api: Api, more = 0): Promise<People> {
  const client = connect(api)
  const name = unique('people')
  const user = await client.createUser({ body: { email: `${name}@example.com`, username: name } })
  const role = await client.createRole({ body: { name, policies: [] } })
  const group = await client.createUserGroup({ body: { name } })
  const attribute = await client.createUserAttribute({ body: { name, type: 'string' } })
  await client.addUserGroupMembers({ params: { id: group.id }, body: { members: [{ userId: user.id }] } })
  for (let count = 0; count < more; count++) {
    const other = `${name}-${count}`
    const body = { email: `${other}@example.com`, username: other }
    const { id } = await client.createUser({ body })
    await client.createRole({ body: { name: other, policies: [] } })
    await client.createUserGroup({ body: { name: other } })
    await client.createUserAttribute({ body: { name: other, type: 'string' } })
    await client.addUserGroupMembers({ params: { id: group.id }, body: { members: [{ userId: id }] } })
  }
  const me = await client.getMe({})
  return {
    userId: user.id,
    attributeId: attribute.id,
    places: {
      '/api/v1/users/{id}': user.id,
      '/api/v1/roles/{roleId}': role.id,
      '/api/v1/roles/{roleId}/users/{userId}': user.id,
      '/api/v1/roles/{roleId}/groups/{groupId}': group.id,
      '/api/v1/user-groups/{id}': group.id,
      '/api/v1/groups/{id}': group.id,
      '/api/v1/user-attributes/{id}': attribute.id,
      // Everybody reads their own.
      '/api/v1/user-attribute-values/{userId}': me.id,
    },
  }
}
