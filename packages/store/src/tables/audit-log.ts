import type { Insertable } from 'kysely'
import type { Executor } from '../executor.ts'
import type { AuditTable } from '../schema.ts'

/** Adds a row; there is no way to change or remove one. */
export async function insertAudit(executor: Executor, values: Insertable<AuditTable>): Promise<void> {
  await executor.insertInto('auditLog').values(values).execute()
}
