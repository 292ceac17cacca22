import { CodedError, type EmbedGroupMemberInput } from '@hedron/contract'
import { type Executor, type embedTenants, embedUsers, externalUsers } from '@hedron/store'
import { normalizeExternalId } from '../../people/external-id.ts'

interface Wanted {
  readonly ids: readonly number[]
  readonly externalIds: readonly string[]
}

/** Whom a request names, each once. */
export const readMembers = (members: readonly EmbedGroupMemberInput[]): Wanted => ({
  ids: [...new Set(members.flatMap(({ embedUserId }) => embedUserId ?? []))],
  externalIds: [
    ...new Set(members.flatMap(({ externalId }) => (externalId == null ? [] : normalizeExternalId(externalId)))),
  ],
})

/**
 * The users of a tenant whom a request names, in its order; those of external ids that are new are made. Ten thousand new users
 * are counted once, and exactly.
 *
 * @throws {CodedError} `embed_user_not_found` for an id that is not of the tenant, `external_user_limit`.
 */
export async function ensureMembers(
  transaction: Executor,
  tenant: embedTenants.EmbedTenantRow,
  members: readonly EmbedGroupMemberInput[],
  { now, limit }: { readonly now: Date; readonly limit: number },
): Promise<embedUsers.EmbedUserRow[]> {
  const scope = { accountId: tenant.accountId, embedTenantId: tenant.id }
  const wanted = readMembers(members)
  let rows = await embedUsers.holdEmbedUsers(transaction, scope, wanted, now)
  const unknown = wanted.ids.find(id => !rows.some(row => row.id === id))
  if (unknown !== undefined) throw new CodedError('embed_user_not_found', { id: unknown, tenant: tenant.name })
  if (missingIn(rows, wanted).length > 0) {
    await externalUsers.lockExternalUsers(transaction, tenant.accountId)
    rows = await embedUsers.holdEmbedUsers(transaction, scope, wanted, now)
    const missing = missingIn(rows, wanted)
    const count = await externalUsers.countExternalUsers(transaction, tenant.accountId, now)
    if (count + missing.length > limit) throw new CodedError('external_user_limit', { limit })
    await embedUsers.insertEmbedUsers(transaction, scope, missing, now)
    rows = await embedUsers.holdEmbedUsers(transaction, scope, wanted, now)
  }
  return inOrder(rows, wanted)
}

function missingIn(rows: readonly embedUsers.EmbedUserRow[], { externalIds }: Wanted): string[] {
  const known = new Set(rows.map(({ externalId }) => externalId))
  return externalIds.filter(id => !known.has(id))
}

/** First those named by id, then those named by external id; who is named both ways stands once. */
function inOrder(rows: readonly embedUsers.EmbedUserRow[], { ids, externalIds }: Wanted): embedUsers.EmbedUserRow[] {
  const byId = new Map(rows.map(row => [row.id, row]))
  const byExternalId = new Map(rows.map(row => [row.externalId, row]))
  const named = [...ids.map(id => byId.get(id)), ...externalIds.map(id => byExternalId.get(id))]
  return [...new Set(named.filter(row => row !== undefined))]
}
