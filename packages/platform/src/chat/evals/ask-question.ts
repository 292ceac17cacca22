import type { Agent, AgentSettings, AgentTurn } from '../agent.ts'
import type { ChatTools, ToolUser } from '../tools/chat-tools.ts'
import { toolName } from '../tools/tool-names.ts'

export interface QuestionContext {
  readonly agent: Agent
  readonly settings: AgentSettings
  readonly tools: ChatTools
  readonly user: ToolUser
  readonly now: Date
  readonly timeZone: string
  readonly requestId: string
  readonly signal: AbortSignal
}

/** What an agent did about a question. */
export interface Asked {
  readonly text: string
  /** The last statement that the agent ran, and that gave rows; null: none did. */
  readonly sql: string | null
  /** Why the last one failed, where none gave rows. */
  readonly failure: string | null
}

/**
 * Asks an agent one question that stands alone, as a chat would, and looks at which statement it answers from.
 *
 * @throws {AgentError} where it can give no answer; the reason of the signal once that is aborted
 */
export async function askQuestion(question: string, context: QuestionContext): Promise<Asked> {
  const { agent, settings, tools, user, now, timeZone, requestId, signal } = context
  let [sql, failure]: [string | null, string | null] = [null, null]
  const statement = { signal, requestId, timeZone }
  const turn: AgentTurn = {
    input: question,
    images: [],
    history: [],
    memo: null,
    resumed: null,
    settings,
    now,
    timeZone,
    signal,
    // What somebody told an agent is no part of how good it is.
    memories: null,
    visibleModel: () => tools.visibleModel(user, signal),
    say: () => {},
    think: () => {},
    checkpoint: async () => signal.throwIfAborted(),
    spent: () => {},
    lookUp: (text, maxRows) => tools.lookUp(user, text, maxRows, statement),
    async callTool(name, input) {
      const outcome = await tools.call(user, name, input, statement)
      if (toolName(name) !== 'serviceSqlApi') return outcome
      if (outcome.failed) failure = errorIn(outcome.result)
      else sql = statementIn(outcome.result) ?? sql
      return outcome
    },
  }
  const { text } = await agent.answer(turn)
  return { text, sql, failure: sql === null ? failure : null }
}

const fieldOf = (json: string, name: string): string | null => {
  const value: unknown = JSON.parse(json)
  const field = typeof value === 'object' && value !== null ? Object.entries(value).find(([key]) => key === name) : null
  return typeof field?.[1] === 'string' ? field[1] : null
}

const statementIn = (result: string) => fieldOf(result, 'sqlQuery')
const errorIn = (result: string) => fieldOf(result, 'error') ?? result
