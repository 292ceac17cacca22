import { auditLog, type Executor } from '@hedron/store'
import type { CallContext, Caller } from './caller.ts'
import type { Effects } from './effects.ts'

/** Writes one row of the audit log, in the transaction of what it speaks of. */
export type Audit = (
  executor: Executor,
  caller: Caller,
  context: CallContext,
  action: string,
  target: string,
  details?: Readonly<Record<string, unknown>>,
) => Promise<void>

export const createAudit =
  (effects: Effects): Audit =>
  (executor, caller, context, action, target, details = {}) =>
    auditLog.insertAudit(executor, { ...auditRow(caller, context, action, effects.now(), details), target })

/** A row of the audit log but for its target, for what writes it in one statement with what it speaks of. */
export const auditRow = (
  caller: Caller,
  context: CallContext,
  action: string,
  at: Date,
  details: Readonly<Record<string, unknown>> = {},
) => ({
  accountId: caller.accountId,
  at,
  actor: `${caller.name} (${caller.credential})`,
  action,
  address: context.address,
  requestId: context.requestId,
  details: JSON.stringify(details),
})
