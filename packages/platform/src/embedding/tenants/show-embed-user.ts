import type { EmbedUser } from '@hedron/contract'
import type { embedUsers } from '@hedron/store'

/** A user of an embed tenant as the API shows him. */
export function showEmbedUser(row: embedUsers.EmbedUserRow): EmbedUser {
  return {
    id: row.id,
    username: row.username,
    email: row.shownEmail,
    externalId: row.externalId,
    firstName: row.firstName,
    createdAt: row.createdAt.toISOString(),
    lastLogin: row.lastLoginAt?.toISOString() ?? null,
  }
}
