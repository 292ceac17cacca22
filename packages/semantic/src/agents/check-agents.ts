import { createProblemLog } from '../messages/model-messages.ts'
import type { AgentsConfig } from '../shapes/agents.ts'
import type { Model } from '../shapes/model.ts'
import type { ModelProblem } from '../shapes/source.ts'

/** What agents' files name that is not there: views of the model, certified queries of a space. It stops nothing. */
export function checkAgents(config: AgentsConfig, model: Model | null): readonly ModelProblem[] {
  const log = createProblemLog()
  const views = model?.views.map(({ name }) => name) ?? []
  for (const { name: agent, accessibleViews } of model === null ? [] : config.agents) {
    for (const { value: view, at } of accessibleViews ?? []) {
      if (!views.includes(view)) log.warn(at, 'agents_view', { view, agent, known: views })
    }
  }
  for (const { name: question, space, truth, at } of config.questions) {
    if (!('certifiedQuery' in truth)) continue
    const queries = config.spaces.find(({ name }) => name === space)?.certifiedQueries ?? []
    const known = queries.map(({ name }) => name)
    const query = truth.certifiedQuery
    if (!known.includes(query)) log.warn(at, 'agents_certified', { query, question, known })
  }
  return log.warnings
}
