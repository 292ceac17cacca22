import type { AgentSettings } from './agent.ts'

/** The agent of a chat's address, and the deployment that it answers for. */
export interface FoundAgent {
  readonly deploymentId: number
  readonly agentId: number
  readonly settings: AgentSettings
}
