import { describeModel, type MetaCube, type Model } from '../../../src/index.ts'
import { everyone } from '../../support/model.ts'

export type Question = readonly [name: string, query: Readonly<Record<string, unknown>>]

/** Questions that are asked of every model: each of its members alone, and in company. */
export function makeQuestions(model: Model): Question[] {
  return describeModel(model, everyone).flatMap(makeSourceQuestions)
}

function makeSourceQuestions(source: MetaCube): Question[] {
  const measures = source.measures.map(({ name }) => name)
  const dimensions = source.dimensions.filter(({ type }) => type !== 'time').map(({ name }) => name)
  const times = source.dimensions.filter(({ type }) => type === 'time').map(({ name }) => name)
  const [measure] = measures
  const some = measure === undefined ? [] : [measure]
  return [
    ...measures.map(name => question(`${name} in all`, { measures: [name] })),
    ...dimensions.map((name, place) =>
      question(`measures by ${name}`, { measures: someOf(measures, place), dimensions: [name] }),
    ),
    ...dimensions.map(name => question(`values of ${name}`, { dimensions: [name] })),
    ...times.map((name, place) =>
      question(`measures by month of ${name}`, {
        measures: someOf(measures, place + 1),
        timeDimensions: [{ dimension: name, granularity: 'month' }],
        timezone: 'America/New_York',
      }),
    ),
    ...source.segments.map(({ name }) =>
      question(`within ${name}`, { measures: some, dimensions: dimensions.slice(0, 1), segments: [name] }),
    ),
  ]
}

const question = (name: string, query: Question[1]): Question => [`(made) ${name}`, query]

/** Up to three, others each time. */
const someOf = (names: readonly string[], turn: number) => {
  const start = names.length > 3 ? (turn * 2) % names.length : 0
  return [...names.slice(start), ...names.slice(0, start)].slice(0, 3)
}
