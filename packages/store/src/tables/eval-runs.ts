import type { Insertable, Selectable } from 'kysely'
import type { Executor } from '../executor.ts'
import type { EvalResultTable, EvalRunTable, EvalTruth } from '../schema-agents.ts'
import { isUniqueViolation } from '../unique-violation.ts'

export type EvalRunRow = Selectable<EvalRunTable>
export type EvalResultRow = Selectable<EvalResultTable>

type NewRun = Pick<
  Insertable<EvalRunTable>,
  | 'accountId'
  | 'deploymentId'
  | 'branchName'
  | 'agentName'
  | 'questionFile'
  | 'userId'
  | 'credential'
  | 'askerName'
  | 'askerEmail'
  | 'createdAt'
>

export interface NewQuestion {
  readonly name: string
  readonly question: string
  readonly truth: EvalTruth
}

/** Queues a run with its questions, in the transaction of its audit row. */
export async function insertEvalRun(
  executor: Executor,
  run: NewRun,
  questions: readonly NewQuestion[],
): Promise<EvalRunRow> {
  const row = await executor.insertInto('evalRuns').values(run).returningAll().executeTakeFirstOrThrow()
  const rows = questions.map(({ truth, ...question }, position) => ({
    ...question,
    accountId: row.accountId,
    runId: row.id,
    position,
    truth: JSON.stringify(truth),
  }))
  await executor.insertInto('evalResults').values(rows).execute()
  return row
}

export async function findEvalRun(
  executor: Executor,
  accountId: number,
  deploymentId: number,
  id: number,
): Promise<EvalRunRow | undefined> {
  return executor
    .selectFrom('evalRuns')
    .selectAll()
    .where('accountId', '=', accountId)
    .where('deploymentId', '=', deploymentId)
    .where('id', '=', id)
    .executeTakeFirst()
}

/** Runs of a deployment that have not ended. */
export async function countOpenRuns(executor: Executor, accountId: number, deploymentId: number): Promise<number> {
  const { count } = await executor
    .selectFrom('evalRuns')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('accountId', '=', accountId)
    .where('deploymentId', '=', deploymentId)
    .where('status', 'in', ['queued', 'running'])
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** How many questions a run has, and how many were answered rightly. */
export async function countResults(executor: Executor, accountId: number, runId: number) {
  const row = await executor
    .selectFrom('evalResults')
    .select(({ fn, eb }) => [
      fn.countAll<number>().as('total'),
      fn.count<number>('verdict').as('asked'),
      fn.count<number>(eb.case().when('verdict', '=', 'pass').then(1).end()).as('passed'),
    ])
    .where('accountId', '=', accountId)
    .where('runId', '=', runId)
    .executeTakeFirstOrThrow()
  return { total: Number(row.total), asked: Number(row.asked), passed: Number(row.passed) }
}

/** Results in the order of the questions, after a position; without a limit all of them. */
export async function listResults(
  executor: Executor,
  accountId: number,
  runId: number,
  { after, limit }: { readonly after?: number; readonly limit?: number } = {},
): Promise<EvalResultRow[]> {
  return executor
    .selectFrom('evalResults')
    .selectAll()
    .where('accountId', '=', accountId)
    .where('runId', '=', runId)
    .$if(after !== undefined, query => query.where('position', '>', after ?? 0))
    .orderBy('position')
    .$if(limit !== undefined, query => query.limit(limit ?? 1))
    .execute()
}

/**
 * Takes the oldest run that waits, of any account: queued, or of a node whose lease has ended. One whose agent is being asked on the
 * same branch waits. Nodes never wait for each other here.
 */
export async function claimEvalRun(
  executor: Executor,
  { now, leasedUntil }: { readonly now: Date; readonly leasedUntil: Date },
): Promise<EvalRunRow | undefined> {
  try {
    return await executor
      .updateTable('evalRuns')
      .set(({ eb, fn }) => ({
        status: 'running',
        leasedUntil,
        attempts: eb('attempts', '+', 1),
        startedAt: fn.coalesce('startedAt', eb.val(now)),
      }))
      .where('id', '=', ({ selectFrom }) =>
        selectFrom('evalRuns as waiting')
          .select('waiting.id')
          .where(({ or, and, not, exists, eb, selectFrom: selectBeside }) =>
            or([
              and([
                eb('waiting.status', '=', 'queued'),
                not(
                  exists(
                    selectBeside('evalRuns as running')
                      .select('running.id')
                      .where('running.status', '=', 'running')
                      .whereRef('running.deploymentId', '=', 'waiting.deploymentId')
                      .whereRef('running.branchName', '=', 'waiting.branchName')
                      .whereRef('running.agentName', '=', 'waiting.agentName'),
                  ),
                ),
              ]),
              and([eb('waiting.status', '=', 'running'), eb('waiting.leasedUntil', '<', now)]),
            ]),
          )
          .orderBy('waiting.id')
          .limit(1)
          .forUpdate()
          .skipLocked(),
      )
      .returningAll()
      .executeTakeFirst()
  } catch (error) {
    // Another node began with one of the same agent and branch in this moment.
    if (isUniqueViolation(error)) return undefined
    throw error
  }
}

/** Which run is worked on, and in which attempt: who was taken for dead meanwhile has no say any more. */
type Claim = Pick<EvalRunRow, 'accountId' | 'id' | 'attempts'>

/** @returns false where the run is somebody else's by now, or gone. */
export async function renewLease(executor: Executor, claim: Claim, leasedUntil: Date): Promise<boolean> {
  return updateClaimed(executor, claim, { leasedUntil })
}

/** Ends a run. @returns false where it is somebody else's by now, or gone. */
export async function finishEvalRun(
  executor: Executor,
  claim: Claim,
  end: { readonly status: 'completed' | 'failed'; readonly errorText: string | null; readonly finishedAt: Date },
): Promise<boolean> {
  return updateClaimed(executor, claim, { ...end, leasedUntil: null })
}

/** Puts a run back whose node stops, for another to go on with; the attempt does not count. */
export async function releaseEvalRun(executor: Executor, claim: Claim): Promise<void> {
  await updateClaimed(executor, claim, { status: 'queued', leasedUntil: null, attempts: claim.attempts - 1 })
}

async function updateClaimed(
  executor: Executor,
  { accountId, id, attempts }: Claim,
  values: Partial<Pick<EvalRunRow, 'status' | 'errorText' | 'finishedAt' | 'leasedUntil' | 'attempts'>>,
): Promise<boolean> {
  const { numUpdatedRows } = await executor
    .updateTable('evalRuns')
    .set(values)
    .where('accountId', '=', accountId)
    .where('id', '=', id)
    .where('attempts', '=', attempts)
    .where('status', '=', 'running')
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export type ResultValues = Pick<
  EvalResultRow,
  'verdict' | 'reason' | 'detail' | 'agentSql' | 'truthSql' | 'answer' | 'finishedAt'
>

/** Writes what came of one question, unless that is known already. */
export async function saveResult(
  executor: Executor,
  { accountId, runId, position }: Pick<EvalResultRow, 'accountId' | 'runId' | 'position'>,
  values: ResultValues,
): Promise<void> {
  await executor
    .updateTable('evalResults')
    .set(values)
    .where('accountId', '=', accountId)
    .where('runId', '=', runId)
    .where('position', '=', position)
    .where('verdict', 'is', null)
    .execute()
}
