import type { Effects } from '../../effects.ts'
import type { DataCaller } from '../../queries/data-caller.ts'
import { DataError } from '../../queries/data-error.ts'
import type { DataOperations } from '../../queries/data-operations.ts'
import { AgentError, type LookedUp, type ToolOutcome } from '../agent.ts'
import type { VisibleModel } from '../visible-model.ts'
import { createServiceMeta } from './service-meta.ts'
import { createServiceSqlApi, type StatementContext } from './service-sql-api.ts'
import { createShowModel } from './show-model.ts'
import { explainError, failure } from './tool-error.ts'
import { toolName } from './tool-names.ts'

/** As whom a tool runs. */
export interface ToolUser {
  /** Null: production. */
  readonly branchName: string | null
  /** His rights as they are now, asked for at each call, with the scopes `meta` and `data`. */
  dataCaller(): Promise<DataCaller>
}

interface ChatToolsNeeds {
  readonly data: Pick<DataOperations, 'shownCubes' | 'statements'>
  readonly effects: Effects
  /** Told of faults that the asker is told nothing about. */
  readonly report: (error: unknown) => void
  /** How long one call may take, in milliseconds. */
  readonly timeoutMs?: number
}

/**
 * The tools of agents, whichever they are: they search the asker's model and ask it, with his rights, which are part of the plan of
 * every statement. There is nothing else that an agent can do, whatever it was talked into.
 */
export interface ChatTools {
  /**
   * Calls a tool. What goes wrong is its result.
   *
   * @throws the reason of the context's signal, once that is aborted; nothing else
   */
  call(user: ToolUser, name: string, input: unknown, context: StatementContext): Promise<ToolOutcome>
  /** The model as the asker sees it. @throws {AgentError} where there is none, or he may not see it */
  visibleModel(user: ToolUser, signal: AbortSignal): Promise<VisibleModel>
  /** Rows of a statement, up to `maxRows`. @throws {DataError} where it is refused or fails */
  lookUp(user: ToolUser, sqlQuery: string, maxRows: number, context: StatementContext): Promise<LookedUp>
}

export function createChatTools(need: ChatToolsNeeds): ChatTools {
  const { data, effects, report, timeoutMs = 300_000 } = need
  const showModel = createShowModel(data.shownCubes)
  const serviceMeta = createServiceMeta()
  const sql = createServiceSqlApi({ sqlApi: data.statements, effects })
  const overdue = () => new DataError(400, `The query was stopped after ${timeoutMs / 1000} s. Ask for less.`)

  const tools: Readonly<
    Record<string, (caller: DataCaller, input: unknown, context: StatementContext) => Promise<object>>
  > = {
    serviceMeta: async (caller, input) => serviceMeta(await showModel(caller), input),
    serviceSqlApi: sql.call,
  }

  return {
    async call(user, name, input, context) {
      const { signal } = context
      signal.throwIfAborted()
      const tool = Object.hasOwn(tools, toolName(name)) ? tools[toolName(name)] : undefined
      if (!tool) return failure(`There is no tool ${JSON.stringify(name.slice(0, 100))}. ${whatThereIs}`)
      try {
        const result = await within(timeoutMs, overdue, signal, async bounded =>
          tool(await callerOf(user), input, { ...context, signal: bounded }),
        )
        return { failed: false, result: JSON.stringify(result) }
      } catch (error) {
        signal.throwIfAborted()
        const known = explainError(error, user.branchName)
        if (known !== undefined) return failure(known)
        report(error)
        return failure(`The tool failed for a reason that the server keeps to itself. Request ${context.requestId}.`)
      }
    },

    async visibleModel(user, signal) {
      signal.throwIfAborted()
      try {
        return await showModel(await callerOf(user))
      } catch (error) {
        const known = explainError(error, user.branchName)
        throw known === undefined ? error : new AgentError(known)
      }
    },

    lookUp: (user, sqlQuery, maxRows, context) =>
      within(timeoutMs, overdue, context.signal, async signal =>
        sql.lookUp(await callerOf(user), sqlQuery, maxRows, { ...context, signal }),
      ),
  }
}

/** What tools may do is to see the model and ask it. The scope `sql`, which shows what runs in the source, is for no agent. */
async function callerOf(user: ToolUser): Promise<DataCaller> {
  const caller = await user.dataCaller()
  return { ...caller, scopes: new Set(['meta', 'data'].filter(scope => caller.scopes.has(scope))) }
}

const whatThereIs = 'The tools are serviceMeta, which searches the data model, and serviceSqlApi, which queries it.'

/** Does the work with a signal that is aborted with the given one, and after some time. */
async function within<T>(
  milliseconds: number,
  overdue: () => Error,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController()
  const pass = () => controller.abort(signal.reason)
  let isOver = false
  const timer = setTimeout(() => {
    isOver = true
    controller.abort(overdue())
  }, milliseconds)
  signal.addEventListener('abort', pass, { once: true })
  try {
    signal.throwIfAborted()
    return await work(controller.signal)
  } catch (error) {
    if (isOver && !signal.aborted) throw overdue()
    throw error
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', pass)
  }
}
