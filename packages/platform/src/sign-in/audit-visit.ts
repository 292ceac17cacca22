import { auditLog, type Executor } from '@hedron/store'
import type { Visit } from './person.ts'

/** Writes one row of the audit log for somebody who is no caller yet. */
export async function auditVisit(
  executor: Executor,
  { address, requestId, agent }: Visit,
  row: {
    readonly accountId: number
    readonly at: Date
    readonly actor: string
    readonly action: string
    readonly target: string
    readonly details?: Readonly<Record<string, unknown>>
  },
): Promise<void> {
  const { details = {}, ...rest } = row
  await auditLog.insertAudit(executor, {
    ...rest,
    address,
    requestId,
    details: JSON.stringify({ ...details, ...(agent === null ? {} : { agent }) }),
  })
}
