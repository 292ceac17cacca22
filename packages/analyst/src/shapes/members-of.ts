import type { AskedMeasure, Question } from './question.ts'

const ofMeasure = (measure: AskedMeasure): readonly string[] =>
  measure.kind === 'ratio' ? [measure.of, measure.per] : [measure.member]

/** Full names of all members that a question is made of. */
export function membersOf({ measures, dimensions, filters, having, time, share, extremes }: Question): string[] {
  const conditions = [...filters, ...(share && share !== 'ofTotal' ? share.filters : [])]
  return [
    ...measures.flatMap(ofMeasure),
    ...having.flatMap(({ measure }) => ofMeasure(measure)),
    ...dimensions,
    ...(extremes === null ? [] : [extremes]),
    ...conditions.map(({ member }) => member),
    ...(time ? [time.dimension] : []),
  ]
}
