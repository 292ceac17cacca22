import { sql } from 'kysely'
import type { Executor } from '../executor.ts'

/** How many attempts fit at once, and after how many seconds each is forgotten. */
export interface AttemptLimit {
  readonly most: number
  readonly secondsEach: number
}

/**
 * Counts one attempt in one statement, so that many at once are all counted, on every node. What is full takes no more in: who goes
 * on trying is let in again as soon as who waits.
 *
 * @param digest SHA-256 of what is counted.
 * @returns how many seconds to wait; 0: go on.
 */
export async function countAttempt(
  executor: Executor,
  digest: Buffer,
  { most, secondsEach }: AttemptLimit,
  now: Date,
): Promise<number> {
  const left = sql`greatest(0, attempts.level - extract(epoch from ${now}::timestamptz - attempts.at)::float8 / ${secondsEach}::float8)`
  const { rows } = await sql`
    insert into attempts (digest, level, at, forget_at)
    values (${digest}, 1, ${now}, ${now}::timestamptz + ${secondsEach}::float8 * interval '1 second')
    on conflict (digest) do update set
      level = ${left} + 1,
      at = excluded.at,
      forget_at = excluded.at + (${left} + 1) * ${secondsEach}::float8 * interval '1 second'
    where ${left} + 1 <= ${most}::float8
    returning 1`.execute(executor)
  if (rows.length > 0) return 0
  const full = await sql<{ wait: number }>`
    select (${left} + 1 - ${most}::float8) * ${secondsEach}::float8 as wait from attempts where digest = ${digest}`.execute(
    executor,
  )
  return Math.max(1, Math.ceil(full.rows[0]?.wait ?? 0))
}

/** Forgets what was counted, as after a success. */
export async function forgetAttempts(executor: Executor, digest: Buffer): Promise<void> {
  await executor.deleteFrom('attempts').where('digest', '=', digest).execute()
}

export async function deleteOldAttempts(executor: Executor, by: Date): Promise<void> {
  await executor.deleteFrom('attempts').where('forgetAt', '<', by).execute()
}
