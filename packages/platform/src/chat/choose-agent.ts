import type { Agent, AgentSettings } from './agent.ts'

/** The deployment whose agent answers. */
export interface AgentHome {
  readonly accountId: number
  readonly deploymentId: number
}

export interface ChooseAgentNeeds {
  /** Answers where no language model is configured. */
  readonly builtIn: Agent
}

/** Gives who answers for an agent of a deployment's files. */
export type ChooseAgent = (settings: AgentSettings, home: AgentHome) => Agent

/** A language model if one is configured, else the built-in analyst (DESIGN.md section 3, "Chat"). */
export function createChooseAgent({ builtIn }: ChooseAgentNeeds): ChooseAgent {
  return () => builtIn
}
