import { CodedError } from '@hedron/contract'
import { type Executor, roles } from '@hedron/store'
import { adminRole, builtInRole } from './built-in-roles.ts'

/**
 * A role that can be assigned, as users and groups hold it. It stays until the transaction ends.
 *
 * @throws {CodedError} `role_not_found`, for Admin too: assigning a role never makes an administrator.
 */
export async function requireRoleKey(transaction: Executor, accountId: number, roleId: number): Promise<roles.RoleKey> {
  const builtIn = builtInRole(roleId)
  if (builtIn && builtIn.name !== adminRole) return { roleId: null, builtIn: builtIn.name }
  const held = builtIn ? undefined : await roles.holdRole(transaction, accountId, roleId)
  if (held === undefined) throw new CodedError('role_not_found', { role: roleId })
  return { roleId: held, builtIn: null }
}

/**
 * A role as it is taken away; one that is not there is held by nobody.
 *
 * @throws {CodedError} `role_not_found` for Admin, which nobody holds by assignment.
 */
export function roleKeyToTake(roleId: number): roles.RoleKey {
  const builtIn = builtInRole(roleId)
  if (builtIn?.name === adminRole) throw new CodedError('role_not_found', { role: roleId })
  return builtIn ? { roleId: null, builtIn: builtIn.name } : { roleId, builtIn: null }
}
