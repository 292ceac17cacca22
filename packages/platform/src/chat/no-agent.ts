import { type Agent, AgentError } from './agent.ts'

/** Answers where nobody else does. */
export const noAgent: Agent = {
  answer: async () => {
    throw new AgentError('No language model is configured here. An administrator can set HEDRON_LLM_PROVIDER.')
  },
}
