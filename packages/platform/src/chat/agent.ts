import type { Memories } from './memories/memories.ts'
import type { VisibleModel } from './visible-model.ts'

/**
 * Whoever answers a message of a chat: the agent on a language model, or the built-in analyst. It knows nothing of streams, threads
 * and rights: what it says and calls is written down and streamed by whoever runs its turn, and every tool runs as the asker.
 */
export interface Agent {
  /**
   * Answers one message. Ends early, by a rejection with the signal's reason, when `turn.signal` is aborted.
   *
   * @throws {AgentError} where no answer can be given, with a message for the asker
   */
  answer(turn: AgentTurn): Promise<AgentAnswer>
}

/** One message to answer, and the ways to do so. */
export interface AgentTurn {
  readonly input: string
  readonly images: readonly AgentImage[]
  /** Earlier turns of the thread that ended with an answer, oldest first. */
  readonly history: readonly PastTurn[]
  /** What the agent left behind for itself at the end of the last answered turn of the thread; null at its first. */
  readonly memo: unknown
  /** What was saved by `checkpoint` before the turn was suspended; null unless it is resumed. */
  readonly resumed: unknown
  readonly settings: AgentSettings
  readonly now: Date
  /** IANA name: in which zone the asker reads times. */
  readonly timeZone: string
  /** Ends when the turn is aborted or suspended, or its time is over. */
  readonly signal: AbortSignal
  /** The model as the asker may see it, now. */
  visibleModel(): Promise<VisibleModel>
  /** What the asker had this agent remember; null: it keeps no memories. */
  readonly memories: Memories | null
  /** More of the answer's text. What was said stays said. */
  say(text: string): void
  /** More of what the agent thinks; shown in development mode alone. */
  think(text: string): void
  /** Calls a tool with the asker's rights; the call and its result are part of the stream. Never rejects but by the signal. */
  callTool(name: string, input: unknown): Promise<ToolOutcome>
  /**
   * Rows of a statement over the asker's model that the stream does not show, for looking up what a word of the question names.
   *
   * @throws {DataError} where the statement is refused or fails
   */
  lookUp(sqlQuery: string, maxRows: number): Promise<LookedUp>
  /**
   * Saves at the end of a step how far the turn is: a turn that is suspended goes on from there. What was said until then stays
   * said; what is said after it, and not saved by another, is said again. Rejects with the signal's reason where the turn ends here.
   */
  checkpoint(state: unknown): Promise<void>
  /** What a call of a language model took, as soon as it is known: a turn that is aborted or fails also shows what it took. */
  spent(usage: AgentUsage): void
}

export interface AgentImage {
  readonly mimeType: string
  /** Base64. */
  readonly data: string
  readonly name: string | null
}

export interface PastTurn {
  readonly input: string
  readonly answer: string
  readonly toolCalls: readonly {
    readonly name: string
    /** JSON texts. */
    readonly input: string
    readonly result: string
  }[]
}

/** How a tool call ended: its result as JSON text, an object with `error` where it failed. */
export interface ToolOutcome {
  readonly failed: boolean
  readonly result: string
}

export interface LookedUp {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly unknown[])[]
  /** False: there are more than were asked for. */
  readonly complete: boolean
}

export interface AgentAnswer {
  /** The whole text: what was said, in one. */
  readonly text: string
  /** Kept with the thread for its next turn; plain JSON. */
  readonly memo: unknown
  /** What this call of `answer` took; what it told by `spent` included. What a suspended turn took before is added to it. */
  readonly usage: AgentUsage
}

/** What a turn took of language models (contract/chat.yaml, `__usage__`). */
export interface AgentUsage {
  readonly models: readonly string[]
  readonly llmCalls: number
  readonly inputTokens: number
  readonly outputTokens: number
  readonly cacheWriteTokens: number
  readonly cacheReadTokens: number
}

export const noUsage: AgentUsage = {
  models: [],
  llmCalls: 0,
  inputTokens: 0,
  outputTokens: 0,
  cacheWriteTokens: 0,
  cacheReadTokens: 0,
}

/** An agent as the deployment's files describe it (contract/behaviour/chat.md section 7). */
export interface AgentSettings {
  readonly name: string
  /** Whose rules, queries, skills and memories it has. */
  readonly space: string
  readonly title: string | null
  readonly description: string | null
  /** `auto`, one of the published names, or a provider of the team's own. */
  readonly llm: string | { readonly byom: string }
  readonly runtime: 'plain' | 'reasoning'
  /** Views that the agent should prefer; null: all. Guidance, not security. */
  readonly accessibleViews: readonly string[] | null
  readonly memoryMode: 'space' | 'user' | 'disabled'
  readonly rules: readonly AgentRule[]
  readonly certifiedQueries: readonly CertifiedQuery[]
  readonly skills: readonly AgentSkill[]
}

export interface AgentRule {
  readonly name: string
  readonly type: 'always' | 'agent_requested'
  readonly description: string | null
  readonly prompt: string
}

export interface CertifiedQuery {
  readonly name: string
  readonly userRequest: string
  readonly sqlQuery: string
  readonly description: string | null
}

export interface AgentSkill {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly instructions: string
}

/** The agent of a deployment whose files describe none. */
export const autoAgent: AgentSettings = {
  name: 'auto',
  space: 'auto',
  title: null,
  description: null,
  llm: 'auto',
  runtime: 'plain',
  accessibleViews: null,
  memoryMode: 'space',
  rules: [],
  certifiedQueries: [],
  skills: [],
}

/** No answer can be given; the message says why, to the asker. */
export class AgentError extends Error {
  override readonly name = 'AgentError'
}
