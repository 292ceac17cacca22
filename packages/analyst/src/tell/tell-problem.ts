import { nearMembers, suggest } from '../suggest/suggest.ts'
import type { Problem } from '../understand/parts.ts'
import type { NamedMember, Source, Vocabulary } from '../vocabulary/vocabulary.ts'

export interface ProblemNeeds {
  readonly vocabulary: Vocabulary
  /** What the question seemed to be about; null where nothing fits. */
  readonly source: Source | null
  readonly today: string
  readonly preferred: readonly string[] | null
  /** What of the question was understood: members that it named. */
  readonly near?: readonly NamedMember[]
}

/** Why a question cannot be answered as it stands, and three that can. */
export function tellProblem(
  problem: Problem,
  { vocabulary, source, today, preferred, near = [] }: ProblemNeeds,
): string {
  const questions = suggest(vocabulary, source, today, preferred, near)
  const list = questions.map(question => `\n- ${question}`).join('')
  const ending = questions.length > 0 ? `\n\nYou can ask, for example:\n${list}` : ''
  return `${reason(problem, source)}${ending}`
}

/** What no statement over measures gives unless the model defines it. */
const statistics =
  /^(median|percentiles?|p\d\d|quartiles?|mode|variance|stddev|deviation|correlation|forecast|prediction)$/i

function reason(problem: Problem, source: Source | null): string {
  switch (problem.kind) {
    case 'unknown': {
      if (/^\d{4}-\d\d-\d\d$/.test(problem.words)) return `There is no day ${problem.words}.`
      if (statistics.test(problem.words))
        return `The data model has no ${problem.words.toLowerCase()} of it, and I make none: ask for an average, a minimum or a maximum.`
      const near = source ? nearMembers(source, problem.words) : []
      const meant = near.length > 0 ? ` Near it are ${near.join(', ')}.` : ''
      return `I do not know what “${problem.words}” means in this data model, so I have not answered.${meant}`
    }
    case 'ambiguous':
      return `“${problem.words}” can mean several things: ${problem.choices.join('; ')}. Which one do you mean?`
    case 'impossible':
      return problem.message
  }
}
