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
  /** What its author should know though it compiles. */
  readonly warnings: readonly StoredProblem[]
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
    .select(['cubesCount', 'problems', 'warnings', 'model'])
    .where('accountId', '=', accountId)
    .where('deploymentId', '=', deploymentId)
    .where('tree', '=', toBytes(tree))
    .where('compilerVersion', '=', compilerVersion)
    .executeTakeFirst()
}

/** Models of a deployment that are kept. An older one is compiled again when it is asked for. */
const keptModels = 100

/** Keeps a compiled model; one that is there already stays, as the same tree gives the same model. */
export async function insertCompiledModel(
  executor: Executor,
  accountId: number,
  { deploymentId, compilerVersion, ...key }: CompiledModelKey,
  { problems, warnings, ...compiled }: StoredCompiledModel,
): Promise<void> {
  const tree = toBytes(key.tree)
  await executor
    .insertInto('compiledModels')
    .values({
      accountId,
      deploymentId,
      compilerVersion,
      tree,
      ...compiled,
      problems: JSON.stringify(problems),
      warnings: JSON.stringify(warnings),
    })
    .onConflict(conflict => conflict.doNothing())
    .execute()
  await executor
    .deleteFrom('compiledModels')
    .where('accountId', '=', accountId)
    .where('deploymentId', '=', deploymentId)
    .where('createdAt', '<', ({ selectFrom }) =>
      selectFrom('compiledModels')
        .select('createdAt')
        .where('accountId', '=', accountId)
        .where('deploymentId', '=', deploymentId)
        .orderBy('createdAt', 'desc')
        .offset(keptModels - 1)
        .limit(1),
    )
    .execute()
}
