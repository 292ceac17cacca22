import type { Pool } from 'pg'

/** Tells all who listen on a channel (`listen`), this node too. @param payload of at most 7,999 bytes */
export async function notify(pool: Pool, channel: string, payload: string): Promise<void> {
  await pool.query('select pg_notify($1, $2)', [channel, payload])
}

/** How many connections listen on a channel, of all nodes: PostgreSQL remembers what each asked last, which for these is to listen. */
export async function countListeners(pool: Pool, channel: string): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(
    'select count(*)::int as count from pg_stat_activity where datname = current_database() and query = $1',
    [`listen ${channel}`],
  )
  return rows[0]?.count ?? 0
}
