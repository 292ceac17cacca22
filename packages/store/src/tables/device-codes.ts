import type { Insertable, Selectable, Updateable } from 'kysely'
import type { Executor } from '../executor.ts'
import type { DeviceCodeTable } from '../schema-sign-in.ts'

export type DeviceCodeRow = Selectable<DeviceCodeTable>

type New = 'digest' | 'userCode' | 'clientId' | 'address' | 'agent' | 'createdAt' | 'expiresAt' | 'intervalSeconds'

/** @returns false where another device has that user code. */
export async function insertDeviceCode(
  executor: Executor,
  values: Pick<Insertable<DeviceCodeTable>, New>,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await executor
    .insertInto('deviceCodes')
    .values(values)
    .onConflict(conflict => conflict.column('userCode').doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

/** The code with this digest; it stays as it is until the transaction ends. */
export async function lockDeviceCode(transaction: Executor, digest: Buffer): Promise<DeviceCodeRow | undefined> {
  return transaction.selectFrom('deviceCodes').selectAll().where('digest', '=', digest).forUpdate().executeTakeFirst()
}

/** The device that waits for somebody to decide on that user code. */
export async function findWaitingDevice(
  executor: Executor,
  userCode: string,
  now: Date,
): Promise<DeviceCodeRow | undefined> {
  return executor
    .selectFrom('deviceCodes')
    .selectAll()
    .where('userCode', '=', userCode)
    .where('decision', 'is', null)
    .where('expiresAt', '>', now)
    .executeTakeFirst()
}

/** @returns the device; undefined where nobody waits for that code: of two decisions at once one is the first. */
export async function decideOnDevice(
  executor: Executor,
  userCode: string,
  decision: {
    readonly accountId: number
    readonly userId: number
    readonly decision: 'allowed' | 'denied'
    readonly decidedAt: Date
  },
): Promise<DeviceCodeRow | undefined> {
  return executor
    .updateTable('deviceCodes')
    .set(decision)
    .where('userCode', '=', userCode)
    .where('decision', 'is', null)
    .where('expiresAt', '>', decision.decidedAt)
    .returningAll()
    .executeTakeFirst()
}

export async function updateDeviceCode(
  executor: Executor,
  digest: Buffer,
  values: Pick<Updateable<DeviceCodeTable>, 'polledAt' | 'intervalSeconds' | 'exchangedAt' | 'exchangedFor'>,
): Promise<void> {
  await executor.updateTable('deviceCodes').set(values).where('digest', '=', digest).execute()
}

export async function deleteOldDeviceCodes(executor: Executor, expiredBy: Date): Promise<void> {
  await executor.deleteFrom('deviceCodes').where('expiresAt', '<', expiredBy).execute()
}
