import type { AskedMeasure, Question } from '../shapes/question.ts'
import type { Source } from '../vocabulary/vocabulary.ts'
import type { Parts, Problem } from './parts.ts'

const additive = new Set(['sum', 'count', 'countDistinct', 'countDistinctApprox'])

/** What a mean that was asked for is taken over: `per day on average`, `for each agent on average`. Null where there is none to take. */
export function averageOf(
  { onAverage, dimensions, grain, ownGrain, perPeriod, perGroup }: Parts,
  measures: readonly AskedMeasure[],
  ofTime: string | null,
  { members }: Source,
): Question['average'] | { readonly problem: Problem } {
  if (!onAverage) return null
  const [measure] = measures
  const impossible = (message: string) => ({ problem: { kind: 'impossible' as const, message } })
  if (!measure || measures.length > 1) return impossible('I can take the average of one measure at a time.')
  if (measure.kind === 'ratio' || (measure.kind === 'aggregate' && measure.function === 'avg')) return null
  const named = measure.kind === 'measure' ? members.find(({ member }) => member.name === measure.member) : undefined
  if (named?.member.aggType === 'avg') return null
  if (!additive.has(named?.member.aggType ?? ''))
    return impossible(`I take no average of ${named?.member.shortTitle ?? 'that'}: it is one already, or no sum.`)
  const isBoth = dimensions.length > 0 && perGroup
  if (ofTime !== null && (grain !== null || ownGrain !== null) && perPeriod && !isBoth) return 'periods'
  if (dimensions.length === 1 && ofTime === null) return 'groups'
  return impossible('I do not see over what to take the average. Say per what, as in “per day on average”.')
}
