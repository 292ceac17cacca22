import type { Executor } from '../executor.ts'

export interface SealedVariable {
  readonly name: string
  readonly sealed: Buffer
}

export async function listVariables(
  executor: Executor,
  accountId: number,
  deploymentId: number,
  window: { after?: string | undefined; limit?: number | undefined } = {},
): Promise<SealedVariable[]> {
  return executor
    .selectFrom('variables')
    .select(['name', 'sealed'])
    .where('accountId', '=', accountId)
    .where('deploymentId', '=', deploymentId)
    .$if(window.after !== undefined, query => query.where('name', '>', window.after ?? ''))
    .orderBy('name')
    .$if(window.limit !== undefined, query => query.limit(window.limit ?? 0))
    .execute()
}

export async function upsertVariables(
  executor: Executor,
  accountId: number,
  deploymentId: number,
  variables: readonly SealedVariable[],
): Promise<void> {
  if (variables.length === 0) return
  await executor
    .insertInto('variables')
    .values(variables.map(variable => ({ accountId, deploymentId, ...variable })))
    .onConflict(conflict =>
      conflict
        .columns(['deploymentId', 'name'])
        .doUpdateSet(({ ref }) => ({ sealed: ref('excluded.sealed'), updatedAt: new Date() })),
    )
    .execute()
}
