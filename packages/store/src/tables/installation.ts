import type { Executor } from '../executor.ts'

/** A fact about this installation, or undefined. */
export async function readInstallation(executor: Executor, name: string): Promise<Record<string, unknown> | undefined> {
  const row = await executor.selectFrom('installation').select('value').where('name', '=', name).executeTakeFirst()
  return row?.value
}

/** Writes a fact once. @returns whether this call wrote it; the first one wins. */
export async function claimInstallation(
  executor: Executor,
  name: string,
  value: Record<string, unknown>,
): Promise<boolean> {
  const row = await executor
    .insertInto('installation')
    .values({ name, value: JSON.stringify(value) })
    .onConflict(conflict => conflict.column('name').doNothing())
    .returning('name')
    .executeTakeFirst()
  return row !== undefined
}
