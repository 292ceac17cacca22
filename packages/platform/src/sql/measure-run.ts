import type { Effects } from '../effects.ts'
import type { SqlRows } from './sql-session.ts'

/** What a run of a statement took. */
export interface MeasuredRun {
  readonly lines: readonly string[]
  readonly lastRefreshTime: Date
}

/** Reads an answer to its end, a portion at a time, keeping none of its rows. @throws as the run does */
export async function measureRun(effects: Pick<Effects, 'now'>, run: () => Promise<SqlRows>): Promise<MeasuredRun> {
  const started = effects.now().getTime()
  const { rows, lastRefreshTime } = await run()
  let count = 0
  for await (const portion of rows) count += portion.length
  const took = effects.now().getTime() - started
  const lines = [`Rows: ${count}`, `Time: ${took} ms`, `Data of: ${lastRefreshTime.toISOString()}`]
  return { lines, lastRefreshTime }
}
