import { parseStatement, planSql, SqlError, type SqlPlan, type Statement } from '@hedron/sql'
import { LRUCache } from 'lru-cache'
import { once } from '../once.ts'
import { requireModel } from '../queries/branch-models.ts'
import type { DataCaller } from '../queries/data-caller.ts'
import type { DeploymentRuntime } from '../queries/deployment-runtime.ts'
import { dialectOf } from '../queries/dialect-of.ts'
import type { OperationNeeds } from '../queries/operations/operation-needs.ts'
import { createPlanMemory } from '../queries/plan-memory.ts'
import { contextOf } from '../queries/understand.ts'
import { type PlannedRollup, planRollup } from '../rollups/plan-rollup.ts'
import type { SqlSession } from './sql-session.ts'

/** A statement planned for a caller, and what it is asked of. */
export interface PlannedSql {
  readonly plan: SqlPlan
  /** Which rollup of the model answers it; null where it is no one question to the model. */
  readonly rollup: () => PlannedRollup | null
  readonly runtime: DeploymentRuntime
}

/** One statement that reads, with its text. */
export interface ReadStatement {
  readonly text: string
  readonly statement: Statement
}

/** Reads and plans statements; what was read and planned before is remembered. */
export function createPlanStatement(need: OperationNeeds) {
  const { effects, findBranch, findRuntime } = need
  const remember = createPlanMemory<Pick<PlannedSql, 'plan' | 'rollup'>>()
  const texts = new LRUCache<string, ReadStatement>({
    maxSize: 4 * 2 ** 20,
    sizeCalculation: (_, text) => 500 + text.length * 10,
  })

  /** @throws {SqlError} for text that is no statement, or several */
  async function read(text: string): Promise<ReadStatement> {
    const known = texts.get(text)
    if (known) return known
    const made = { text, statement: await parseStatement(text) }
    texts.set(text, made)
    return made
  }

  /** @param values of parameters; null: they are not known yet. @throws {SqlError} @throws {QueryError} @throws {DataError} */
  async function plan(
    caller: DataCaller,
    { text, statement }: ReadStatement,
    session: SqlSession,
    values: readonly (string | null)[] | null,
  ): Promise<PlannedSql> {
    const runtime = await findRuntime(caller)
    const model = requireModel(await findBranch(caller))
    const { securityContext, groups, userAttributes } = caller
    const { defaultTimezone, defaultMasks } = runtime
    const timezone = session.timezone ?? defaultTimezone
    const sources = runtime.sources()
    const dialectOfSource = (name: string) => dialectOf(sources.get(name))
    // What depends on the time is the same within a second, so that it is the same statement.
    const second = Math.floor(effects.now().getTime() / 1000)
    const who = [securityContext, groups, userAttributes, defaultMasks]
    const filters = session.filters ?? []
    const { zonedParameters = new Set() } = session
    const settled = [
      timezone,
      filters,
      [...session.constants],
      [...zonedParameters],
      sources.names.map(dialectOfSource),
    ]
    return {
      runtime,
      ...remember(model, second, JSON.stringify([text, values, who, settled]), () => {
        const now = new Date(second * 1000)
        const context = { ...contextOf(caller, now), defaultMasks }
        const plan = planSql(text, statement.query, {
          model,
          context,
          now,
          localNow: localTime(now, timezone),
          timezone,
          dialectOf: dialectOfSource,
          constants: session.constants,
          parameters: values,
          zonedParameters,
          filters,
        })
        const [part] = plan.kind === 'regular' ? plan.parts : []
        const rollup = () =>
          part && !part.hasAdHocMembers ? planRollup({ model, query: part.query, context, runtime }) : null
        return { plan, rollup: once(rollup) }
      }),
    }
  }

  return { read, plan }
}
export type PlanStatement = ReturnType<typeof createPlanStatement>

/** `YYYY-MM-DDTHH:mm:ss.SSS` on the wall of a zone. @throws {SqlError} for a zone that there is not */
function localTime(now: Date, timezone: string): string {
  try {
    const text = new Intl.DateTimeFormat('sv-SE', {
      timeZone: timezone,
      dateStyle: 'short',
      timeStyle: 'medium',
    }).format(now)
    return `${text.replace(' ', 'T')}.${String(now.getUTCMilliseconds()).padStart(3, '0')}`
  } catch (error) {
    if (error instanceof RangeError)
      throw new SqlError('22023', `invalid value for parameter "TimeZone": "${timezone}"`)
    throw error
  }
}
