import type { AgentRule, AgentSettings, AgentSkill, CertifiedQuery } from '../../agent.ts'
import { searchWords } from '../../tools/words.ts'

/** What of an agent's file counts for one question. */
export interface Guidance {
  readonly always: readonly AgentRule[]
  readonly requested: readonly AgentRule[]
  readonly skills: readonly AgentSkill[]
  readonly certified: readonly CertifiedQuery[]
  /** The question without the name of a skill before it. */
  readonly question: string
}

const [mostRequested, mostSkills, mostCertified] = [8, 3, 5]

/**
 * Picks what belongs to a question (contract/behaviour/chat.md section 6, steps 2 and 3): rules and skills by their descriptions, certified
 * queries by the requests that they answer. `/skill-name` before a question names a skill outright.
 */
export function chooseGuidance(settings: AgentSettings, question: string): Guidance {
  const { rules, skills, certifiedQueries } = settings
  const [, named = '', rest = ''] = /^\/([\w-]+)(?:\s+([\s\S]*))?$/.exec(question.trim()) ?? []
  const skill = skills.find(({ name }) => name === named)
  const asked = new Set(searchWords(question))
  const likeness = (text: string) => {
    const words = new Set(searchWords(text))
    return words.size === 0 ? 0 : [...words].filter(word => asked.has(word)).length / Math.sqrt(words.size)
  }
  const best = <T>(items: readonly T[], text: (item: T) => string, most: number) =>
    items
      .map(item => ({ item, points: likeness(text(item)) }))
      .filter(({ points }) => points > 0)
      .sort((left, right) => right.points - left.points)
      .slice(0, most)
      .map(({ item }) => item)
  const requested = rules.filter(({ type }) => type === 'agent_requested')
  return {
    always: rules.filter(({ type }) => type === 'always'),
    // A few are all given: their descriptions say when they count, and the model reads those better than we compare words.
    requested:
      requested.length <= mostRequested
        ? requested
        : best(requested, ({ name, description }) => `${name} ${description ?? ''}`, mostRequested),
    skills: skill ? [skill] : best(skills, ({ title, description }) => `${title} ${description}`, mostSkills),
    certified: best(
      certifiedQueries,
      ({ userRequest, description }) => `${userRequest} ${description ?? ''}`,
      mostCertified,
    ),
    question: skill ? rest.trim() || skill.title : question,
  }
}
