import { type Permission, Policy } from '@hedron/contract'
import { type Executor, type embedSessions, roles } from '@hedron/store'
import { builtInRoleNamed } from '../people/roles/built-in-roles.ts'

/** What an embed session has of the roles that it was made with. */
export interface SessionRoles {
  /** As the account calls them now. */
  readonly names: readonly string[]
  readonly policies: readonly Policy[]
}

/** What a role can give an external user: to look. Making content is creator mode's, models and the account are nobody's of a frame. */
const looking: ReadonlySet<Permission> = new Set([
  'EmbedDeploymentRead',
  'EmbedDashboardRead',
  'DeploymentAgentRead',
  'DownloadData',
])

/** Roles of a session as they are now: one that was deleted since grants nothing, and one that was changed what it says now. */
export async function readSessionRoles(
  executor: Executor,
  { accountId, roles: keys }: Pick<embedSessions.EmbedSessionRow, 'accountId' | 'roles'>,
): Promise<SessionRoles> {
  const ids = keys.flatMap(({ roleId }) => (roleId === null ? [] : [roleId]))
  const own = await roles.findRolesById(executor, accountId, ids)
  const builtIn = keys.flatMap(key => (key.builtIn === null ? [] : (builtInRoleNamed(key.builtIn) ?? [])))
  const held = [...builtIn, ...own.map(({ name, policies }) => ({ name, policies: Policy.array().parse(policies) }))]
  return { names: held.map(({ name }) => name), policies: held.flatMap(({ policies }) => policies.flatMap(toLook)) }
}

function toLook({ actions, ...policy }: Policy): Policy[] {
  const left = actions.includes('All') ? [...looking] : actions.filter(action => looking.has(action))
  return left.length === 0 ? [] : [{ ...policy, actions: left }]
}
