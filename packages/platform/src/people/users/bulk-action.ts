import { type BulkUserAction, type BulkUserActionPayload, CodedError } from '@hedron/contract'

/**
 * Applies one action to users one by one, in the order given; each id once. A refusal is listed with what the single operation would
 * answer, and the rest still applies (contract/platform-api.yaml, bulkUserAction).
 */
export async function applyToUsers(
  action: BulkUserAction,
  userIds: readonly number[],
  apply: (userId: number) => Promise<void>,
): Promise<BulkUserActionPayload> {
  const answer: BulkUserActionPayload = { action, succeeded: [], failed: [] }
  for (const userId of new Set(userIds)) {
    try {
      await apply(userId)
      answer.succeeded.push(userId)
    } catch (error) {
      if (!(error instanceof CodedError)) throw error
      answer.failed.push({ userId, error: { status: error.status, message: error.message } })
    }
  }
  return answer
}
