import type { Agent, AgentSettings } from './agent.ts'
import { findModel, hasLanguageModel } from './language-model/find-model.ts'
import { createOpenModel } from './language-model/open-model.ts'
import type { LanguageModelSettings } from './language-model/settings.ts'
import { waitFor } from './language-model/wait-for.ts'
import { withMemories } from './memories/with-memories.ts'

/** The deployment whose agent answers. */
export interface AgentHome {
  readonly accountId: number
  readonly deploymentId: number
}

export interface ChooseAgentNeeds {
  /** Answers where no language model is configured. */
  readonly builtIn: Agent
  readonly languageModels: LanguageModelSettings
  /** Variables of a deployment, where its team's own models are described. */
  readonly readVariables: (home: AgentHome) => Promise<Readonly<Record<string, string>>>
  readonly now: () => Date
  /** Told what the operator should know of a provider's failures. */
  readonly report: (error: unknown) => void
}

/** Gives who answers for an agent of a deployment's files. */
export type ChooseAgent = (settings: AgentSettings, home: AgentHome) => Agent

/**
 * A language model if one is configured, else the built-in analyst (DESIGN.md section 3, "Chat"). Where none is, agents whose files name a
 * published model are answered by the analyst too: the files of a project work wherever it is deployed.
 */
export function createChooseAgent(need: ChooseAgentNeeds): ChooseAgent {
  const { builtIn, languageModels, readVariables, now, report } = need
  const open = createOpenModel(languageModels)

  return (settings, home) => {
    if (!hasLanguageModel(settings, languageModels)) return withMemories(builtIn)
    return withMemories({
      async answer(turn) {
        // Most servers never need what talks to providers.
        const { createLanguageModelAgent } = await import('./language-model/language-model-agent.ts')
        return createLanguageModelAgent({
          open: async asked => open(await findModel(asked, languageModels, () => readVariables(home))),
          turnTokens: languageModels.turnTokens,
          report,
          now: () => now().getTime(),
          random: Math.random,
          wait: waitFor,
        }).answer(turn)
      },
    })
  }
}
