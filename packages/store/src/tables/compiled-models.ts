import type { Executor } from '../executor.ts'
import { toBytes } from '../object-id.ts'
import type { StoredProblem } from '../schema.ts'

/** Which compiled model: a tree's, as one version of the compiler made it. */
export interface CompiledModelKey {
  readonly deploymentId: number
  /** Git id of the project's tree. */
  readonly tree: string
  readonly compilerVersion: string
}

export interface StoredCompiledModel {
  readonly cubesCount: number
  readonly problems: readonly StoredProblem[]
  /** JSON; null when there are problems. */
  readonly model: string | null
}

export async function findCompiledModel(
  executor: Executor,
  accountId: number,
  { deploymentId, tree, compilerVersion }: CompiledModelKey,
): Promise<StoredCompiledModel | undefined> {
  return executor
    .selectFrom('compiledModels')
    .select(['cubesCount', 'problems', 'model'])
    .where('accountId', '=', accountId)
    .where('deploymentId', '=', deploymentId)
    .where('tree', '=', toBytes(tree))
    .where('compilerVersion', '=', compilerVersion)
    .executeTakeFirst()
}

/** Keeps a compiled model; one that is there already stays, as the same tree gives the same model. */
export async function insertCompiledModel(
  executor: Executor,
  accountId: number,
  { tree, ...key }: CompiledModelKey,
  { problems, ...compiled }: StoredCompiledModel,
): Promise<void> {
  await executor
    .insertInto('compiledModels')
    .values({ accountId, ...key, tree: toBytes(tree), ...compiled, problems: JSON.stringify(problems) })
    .onConflict(conflict => conflict.doNothing())
    .execute()
}
