import { Policy } from '@hedron/contract'
import { type Executor, roles } from '@hedron/store'
import { builtInRoleNamed } from './built-in-roles.ts'

/**
 * What a user of the account may do: his own policies and those of every role that he or a group of his holds, together. An
 * administrator may do everything whatever this says; one who is deactivated or gone may do nothing.
 */
export async function effectivePolicies(executor: Executor, accountId: number, userId: number): Promise<Policy[]> {
  const { policies, builtIn } = await roles.grantsOf(executor, accountId, userId)
  return [...Policy.array().parse(policies), ...builtIn.flatMap(name => builtInRoleNamed(name)?.policies ?? [])]
}
