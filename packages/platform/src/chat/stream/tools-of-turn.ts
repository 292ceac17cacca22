import type { LookedUp, ToolOutcome } from '../agent.ts'
import type { Asker } from '../asker/asker.ts'
import type { FindMemories } from '../memories/memories.ts'
import type { VisibleModel } from '../visible-model.ts'

/** What a call of a tool belongs to. */
export interface ToolContext {
  readonly signal: AbortSignal
  readonly requestId: string
  /** IANA name. */
  readonly timeZone: string
}

/** What tools a turn has: `tools/chat-tools.ts` makes them. */
export interface TurnTools {
  call(asker: Asker, name: string, input: unknown, context: ToolContext): Promise<ToolOutcome>
  visibleModel(asker: Asker, signal: AbortSignal): Promise<VisibleModel>
  memories: FindMemories
  lookUp(asker: Asker, sqlQuery: string, maxRows: number, context: ToolContext): Promise<LookedUp>
}
