import type { Executor } from '../executor.ts'

export interface EnvironmentRow {
  readonly branchId: number
  readonly branchName: string
  readonly type: 'production' | 'staging' | 'development'
  /** E-mail address of the user in dev mode. */
  readonly user: string | null
}

/**
 * The environments of a deployment that run: production, the staging environments that are kept active, and the branches that
 * open dev-mode sessions are on. Ids are those of the branches.
 */
export async function listEnvironments(
  executor: Executor,
  accountId: number,
  deploymentId: number,
): Promise<EnvironmentRow[]> {
  const rows = await executor
    .selectFrom('branches')
    .innerJoin('deployments', join =>
      join
        .onRef('deployments.id', '=', 'branches.deploymentId')
        .onRef('deployments.accountId', '=', 'branches.accountId'),
    )
    .leftJoin('users', join =>
      join.onRef('users.id', '=', 'branches.ownerUserId').onRef('users.accountId', '=', 'branches.accountId'),
    )
    .select(({ exists, selectFrom, ref }) => [
      'branches.id as branchId',
      'branches.name as branchName',
      'branches.kind',
      'branches.isStagingEnabled',
      'deployments.deployBranchId',
      'users.email as user',
      exists(
        selectFrom('devSessions').select('devSessions.branchId').where('devSessions.branchId', '=', ref('branches.id')),
      ).as('hasSession'),
    ])
    .where('branches.accountId', '=', accountId)
    .where('branches.deploymentId', '=', deploymentId)
    .orderBy('branches.id')
    .execute()
  return rows.flatMap<EnvironmentRow>(row => {
    const { branchId, branchName, user } = row
    if (branchId === row.deployBranchId) return [{ branchId, branchName, type: 'production', user: null }]
    if (row.kind === 'dev') return row.hasSession ? [{ branchId, branchName, type: 'development', user }] : []
    return row.isStagingEnabled ? [{ branchId, branchName, type: 'staging', user: null }] : []
  })
}
