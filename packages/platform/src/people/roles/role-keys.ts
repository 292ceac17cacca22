import { CodedError } from '@hedron/contract'
import { type Executor, roles } from '@hedron/store'
import { adminRole, builtInRoleNamed } from './built-in-roles.ts'

/**
 * Roles by their names, each once. In a transaction they stay until it ends.
 *
 * @returns the keys of those that can be held, and whether Admin was among the names.
 * @throws {CodedError} `roles_not_found`, naming the first that is none.
 */
export async function roleKeysNamed(
  executor: Executor,
  accountId: number,
  names: readonly string[],
): Promise<{ readonly keys: readonly roles.RoleKey[]; readonly isAdmin: boolean }> {
  const wanted = new Set(names)
  const own = await roles.findRolesByName(executor, accountId, [...wanted])
  const ids = new Map(own.map(({ id, name }) => [name, id]))
  const keys: roles.RoleKey[] = []
  for (const name of wanted) {
    const roleId = ids.get(name)
    if (name === adminRole) continue
    if (builtInRoleNamed(name)) keys.push({ roleId: null, builtIn: name })
    else if (roleId !== undefined) keys.push({ roleId, builtIn: null })
    else throw new CodedError('roles_not_found', { name })
  }
  return { keys, isAdmin: wanted.has(adminRole) }
}
