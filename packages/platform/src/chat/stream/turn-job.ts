import type { chatTurns } from '@hedron/store'
import type { Agent, AgentImage, AgentSettings, PastTurn } from '../agent.ts'
import type { Asker } from '../asker/asker.ts'
import type { Checkpoint } from './checkpoint.ts'

/** All that answering a message takes. */
export interface TurnJob {
  readonly asker: Asker
  readonly agent: Agent
  readonly settings: AgentSettings
  readonly row: chatTurns.ChatTurnRow
  readonly images: readonly AgentImage[]
  readonly history: readonly PastTurn[]
  readonly memo: unknown
  /** From where a turn that was suspended goes on. */
  readonly checkpoint: Checkpoint | null
  /** The last number of the thread's stream. */
  readonly lastSort: number
  /** IANA name. */
  readonly timeZone: string
  readonly requestId: string
}
