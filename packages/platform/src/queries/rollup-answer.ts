import { setTimeout as sleep } from 'node:timers/promises'
import type { Refresh } from '@hedron/query'
import type { RollupAnswer, RollupAnswers, RollupReply } from '../rollups/answer-from-rollup.ts'
import type { RollupDefinition } from '../rollups/definition.ts'
import type { Missing } from '../rollups/find-tables.ts'
import type { PlannedRollup } from '../rollups/plan-rollup.ts'
import { continueWait, DataError } from './data-error.ts'
import { isOpenModel } from './open-model.ts'
import { oneValue, type RefreshKeyValues } from './refresh-key-values.ts'
import type { Planned, Understood } from './understand.ts'

type Asked = Pick<Understood, 'runtime' | 'cache'>
type Wanted = Pick<Planned, 'rollup'> & Partial<Pick<Planned, 'needsRollup'>>

/**
 * What a rollup answers, null where the source does. At once, but where the newest rows have to be fetched first.
 *
 * @param waitMs how long to wait for those
 * @throws {DataError} where only rollups may answer, and none does or does yet
 */
export function findRollupAnswer(
  rollups: RollupAnswers,
  asked: Asked,
  planned: Wanted,
  waitMs: number,
): RollupAnswer | null | Promise<RollupAnswer | null> {
  const rollup = planned.rollup()
  if (!rollup) return answerOf(asked, planned, rollup, undefined)
  // Who wants nothing from a cache wants nothing that is due to be refreshed either.
  const isStrict = asked.cache === 'must-revalidate' || asked.cache === 'no-cache'
  const how = { isStrict, builds: asked.runtime.rollups.buildsForQueries }
  const reply = rollups.ask(rollup, how)
  if ('compiled' in reply) return reply
  if (!reply.fetching) return answerOf(asked, planned, rollup, reply)
  return within(reply.fetching, waitMs).then(() => answerOf(asked, planned, rollup, rollups.ask(rollup, how)))
}

/** Who waits without an end waits as long as a query may run. */
const longestWaitMs = 600_000

/** Until something is done, whether it succeeds or not, but no longer than that. */
async function within(done: Promise<void>, waitMs: number): Promise<void> {
  const over = new AbortController()
  const limit = sleep(Math.min(waitMs, longestWaitMs), undefined, { signal: over.signal }).catch(() => {})
  await Promise.race([done.catch(() => {}), limit])
  over.abort()
}

function answerOf(
  { runtime }: Asked,
  { needsRollup }: Wanted,
  rollup: PlannedRollup | null,
  reply: RollupReply | undefined,
): RollupAnswer | null {
  if (reply && 'compiled' in reply) return reply
  const isOnly = runtime.rollups.isOnly || needsRollup === true
  if (!isOnly) return null
  if (!rollup || 'miss' in rollup) {
    throw new DataError(
      400,
      'Your configuration restricts query requests to only be served from pre-aggregations, and no pre-aggregation was found ' +
        `matching this query. Either update your pre-aggregations or disable rollup only mode (CUBEJS_ROLLUP_ONLY).${rollup ? ` ${rollup.miss}.` : ''}`,
    )
  }
  if (reply?.isOnItsWay) throw continueWait()
  throw new DataError(
    400,
    `No pre-aggregation partitions were built yet for the pre-aggregation serving this query: ${reply && whyMissing(rollup, reply)}.`,
  )
}

/**
 * Why the tables of a rollup do not answer. What its source said of a failure is told only where no policy keeps anything of the model
 * from anybody: builds read all rows.
 */
export function whyMissing(rollup: PlannedRollup, { missing, failure }: Missing): string {
  if (failure === undefined || 'miss' in rollup) return missing
  const isOpen = rollup.parts.every(({ definition: { model } }) => isOpenModel(model))
  return isOpen ? `${missing}: ${failure}` : missing
}

const faults: readonly unknown[] = ['query_failed', 'statement_refused', 'source_unavailable', 'source_misconfigured']

/** How long an answer from tables is current: they are never changed, others are built in their place. */
export const refreshOfTables: Refresh = { everyMs: 24 * 3_600_000 }

/** Whether a query failed because its tables could not be read; its source can still answer then. */
export const isFaultOfTables = (error: unknown): boolean =>
  error instanceof DataError && faults.includes(error.body.code)

/** A name as the field gives tables; no file is called so. */
const tableNameOf = ({ tableName, hash }: RollupDefinition) => `${tableName}_${hash.slice(0, 8)}`

/** `usedPreAggregations` as the field's developer mode shows it (contract/behaviour/query.md section 5). */
export const describeUsed = (answer: RollupAnswer): object =>
  Object.fromEntries(
    answer.definitions.map(definition => [
      definition.name,
      {
        targetTableName: tableNameOf(definition),
        lastUpdatedAt: answer.builtAt.getTime(),
        refreshKeyValues: refreshValuesOf(answer, definition),
      },
    ]),
  )

/** With which values of their refresh keys the tables were built. */
export const tablesRefreshKeyValues = (answer: RollupAnswer): RefreshKeyValues =>
  answer.definitions.flatMap(definition => refreshValuesOf(answer, definition))

/** Of what a key says of rows that policies keep from somebody, only when it was asked. */
function refreshValuesOf(
  { builtAt, refreshValues }: RollupAnswer,
  { hash, model }: RollupDefinition,
): RefreshKeyValues {
  const value = isOpenModel(model) ? refreshValues.get(hash) : undefined
  return oneValue(value ?? builtAt.toISOString())
}

/** `preAggregations` of `/v1/sql`: the rollups whose tables a query is answered from when they are there. */
export const describeFitting = (planned: PlannedRollup | null): object[] =>
  planned && 'parts' in planned
    ? planned.parts.map(({ definition }) => ({
        preAggregationId: definition.name,
        tableName: tableNameOf(definition),
        external: true,
      }))
    : []
