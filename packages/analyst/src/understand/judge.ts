import type { AskedMeasure } from '../shapes/question.ts'
import type { Source } from '../vocabulary/vocabulary.ts'
import type { Problem } from './parts.ts'

/** Measures of which more is worse, for everybody. */
const bad =
  /delay|fraud|death|mortality|complain|error|fail|churn|late\b|escalat|overdue|backlog|unsolved|cancel|return_?\s?rate|readmission|refund/i
/** Measures of which nobody can tell. */
const unclear =
  /cost|price|time|duration|length|fee|expens|spend|debt|loss|wait|rate|share|return|open|age|balance|amount|distance/i

/**
 * Which end `best` and `worst` mean of a measure: of a delay the worst is the longest, of satisfaction the lowest; of many a measure it
 * is for who asks to say.
 */
export function judge(
  measures: readonly AskedMeasure[],
  isCounted: boolean,
  source: Source,
  isBest: boolean,
): { readonly descending: boolean; readonly note: string } | { readonly problem: Problem } {
  const word = isBest ? 'best' : 'worst'
  const [measure] = measures
  if (isCounted || !measure)
    return { problem: { kind: 'impossible', message: `By what is the ${word} meant? Name what to measure.` } }
  const name = measure.kind === 'ratio' ? measure.of : measure.member
  const title = source.members.find(({ member }) => member.name === name)?.member.shortTitle ?? name
  const isBad = bad.test(title)
  if (!isBad && unclear.test(title)) {
    const message = `Which is the ${word} of ${title}: the highest or the lowest?`
    return { problem: { kind: 'impossible', message } }
  }
  const descending = isBest !== isBad
  return { descending, note: `I took the ${word} as the ${descending ? 'highest' : 'lowest'} ${title}.` }
}
