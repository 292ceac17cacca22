import type { AgentsConfig } from '@hedron/semantic'
import type { AgentSettings } from '../agent.ts'

/** An agent by its name in the files, with what its space gives it; undefined where they name none. */
export function agentSettings({ agents, spaces }: AgentsConfig, name: string): AgentSettings | undefined {
  const agent = agents.find(each => each.name === name)
  const space = spaces.find(each => each.name === agent?.space)
  if (!agent || !space) return undefined
  const { title, description, llm, runtime, accessibleViews, memoryMode } = agent
  const { rules, certifiedQueries, skills } = space
  const views = accessibleViews?.map(({ value }) => value) ?? null
  return {
    name,
    space: space.name,
    title,
    description,
    llm,
    runtime,
    accessibleViews: views,
    memoryMode,
    rules,
    certifiedQueries,
    skills,
  }
}
