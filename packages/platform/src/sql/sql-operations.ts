import { Readable } from 'node:stream'
import type { SqlPlan } from '@hedron/sql'
import type { Effects } from '../effects.ts'
import { requireScope } from '../queries/authenticate-data.ts'
import type { DataCaller } from '../queries/data-caller.ts'
import { DataError } from '../queries/data-error.ts'
import type { OperationNeeds } from '../queries/operations/operation-needs.ts'
import { explainPlan } from './explain-plan.ts'
import { measureRun } from './measure-run.ts'
import { createPlanStatement, type PlanStatement, type ReadStatement } from './plan-statement.ts'
import { createRunPlan } from './run-plan.ts'
import type { PreparedSql, SqlSession } from './sql-session.ts'
import { withSqlErrors } from './to-sql-error.ts'

/**
 * Questions in PostgreSQL's language over the model as a caller sees it (contract/behaviour/query.md section 7). There is no other
 * way from a statement to data than the parts that the semantic engine compiles for the caller.
 */
export interface SqlOperations {
  /**
   * Reads and plans a statement that reads rows; nothing runs yet.
   *
   * @param caller with the scope `data`
   * @throws {DataError} 400 with `code` (SQLSTATE) and `position` for a statement that is refused, 403 without the scope
   */
  prepare(caller: DataCaller, text: string, session: SqlSession): Promise<PreparedSql>
  /** Reads and plans without running, for interfaces that show the plan. */
  readonly planning: PlanStatement
}

export function createSqlOperations(need: OperationNeeds): SqlOperations {
  const { effects } = need
  const planning = createPlanStatement(need)
  const run = createRunPlan(need)

  async function planAs(
    caller: DataCaller,
    statement: ReadStatement,
    session: SqlSession,
    values: readonly (string | null)[] | null,
  ) {
    const planned = await planning.plan(caller, statement, session, values)
    const { user } = planned.plan
    if (user === null) return { caller, planned }
    if (!session.switchUser) {
      throw new DataError(403, '__user cannot be used here: a request asks with the rights of its token', {
        code: '42501',
      })
    }
    const other = await session.switchUser(user)
    return { caller: other, planned: await planning.plan(other, statement, session, values) }
  }

  return {
    planning,
    prepare: (caller, text, session) =>
      withSqlErrors(async () => {
        requireScope(caller, 'data')
        const statement = await planning.read(text)
        const first = await planAs(caller, statement, session, null)
        const { kind, columns, filtered, parameterTypes } = first.planned.plan
        if (statement.statement.kind === 'explain') requireScope(caller, 'sql')
        const answer: PreparedSql = {
          kind,
          columns,
          filtered,
          parameters: parameterTypes,
          run: (values, options) =>
            withSqlErrors(async () => {
              if (values.length !== parameterTypes.length) {
                const message = `The statement takes ${parameterTypes.length} parameters and was given ${values.length}`
                throw new DataError(400, message, { code: '08P01' })
              }
              const final = values.length === 0 ? first : await planAs(caller, statement, session, values)
              return run(final.caller, final.planned, options)
            }),
        }
        if (statement.statement.kind !== 'explain') return answer
        return explained(first.planned.plan, effects, statement.statement.analyze ? answer : null)
      }),
  }
}

/** What EXPLAIN shows, as rows; of EXPLAIN ANALYZE, `analyzed` is asked and its answer counted. */
const explained = (plan: SqlPlan, effects: Pick<Effects, 'now'>, analyzed: PreparedSql | null): PreparedSql => ({
  kind: plan.kind,
  columns: [{ name: 'QUERY PLAN', type: 'text' }],
  filtered: plan.filtered,
  parameters: analyzed?.parameters ?? [],
  async run(values, options) {
    const measured = analyzed ? await measureRun(effects, () => analyzed.run(values, options)) : null
    const lines = [...explainPlan(plan), ...(measured?.lines ?? [])].map(line => [line])
    return {
      rows: Readable.from([lines], { objectMode: true }),
      lastRefreshTime: measured?.lastRefreshTime ?? effects.now(),
    }
  },
})
