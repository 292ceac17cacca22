import type { Json } from '../column-types.ts'
import type { Executor } from '../executor.ts'

/** What the address of an embedded page names. */
export interface FramedPage {
  readonly publicId: string | null
  readonly deploymentId: number | null
  /** SHA-256 of the session id. */
  readonly sessionDigest: Buffer | null
}

/**
 * The stored settings of the account that a page belongs to: by its session, else by its dashboard, else by its deployment. Asked before
 * anybody is known, so the account is what is looked for; nothing but settings is read.
 *
 * @returns undefined where the address names nothing that is there.
 */
export async function findSettingsOfPage(executor: Executor, page: FramedPage): Promise<Json | undefined> {
  const { publicId, deploymentId, sessionDigest } = page
  const accountId =
    (sessionDigest && (await ofSession(executor, sessionDigest))) ??
    (publicId && (await ofDashboard(executor, publicId))) ??
    (deploymentId && (await ofDeployment(executor, deploymentId)))
  if (!accountId) return undefined
  const row = await executor
    .selectFrom('accountSettings')
    .select('settings')
    .where('accountId', '=', accountId)
    .executeTakeFirst()
  return row?.settings ?? {}
}

const ofSession = async (executor: Executor, digest: Buffer) =>
  (await executor.selectFrom('embedSessions').select('accountId').where('digest', '=', digest).executeTakeFirst())
    ?.accountId

const ofDashboard = async (executor: Executor, publicId: string) =>
  (await executor.selectFrom('dashboards').select('accountId').where('publicId', '=', publicId).executeTakeFirst())
    ?.accountId

const ofDeployment = async (executor: Executor, id: number) =>
  (await executor.selectFrom('deployments').select('accountId').where('id', '=', id).executeTakeFirst())?.accountId

/** The stored settings of every account, for pages that name none; at most `limit`. */
export async function settingsOfAccounts(executor: Executor, limit: number): Promise<Json[]> {
  const rows = await executor
    .selectFrom('accounts')
    .leftJoin('accountSettings', 'accountSettings.accountId', 'accounts.id')
    .select('accountSettings.settings')
    .limit(limit)
    .execute()
  return rows.map(({ settings }) => settings ?? {})
}
