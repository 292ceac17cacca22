import { describeModel, type MetaCube, type Model } from '../../../src/index.ts'
import { everyone } from '../../support/model.ts'
import type { Question } from './made-questions.ts'

type Values = readonly (string | null)[]

const likes = ['contains', 'notContains', 'startsWith', 'notStartsWith', 'endsWith', 'notEndsWith']
const lists = ['equals', 'notEquals', 'in', 'notIn']
const dates = [
  'inDateRange',
  'notInDateRange',
  'onTheDate',
  'beforeDate',
  'beforeOrOnDate',
  'afterDate',
  'afterOrOnDate',
]
const pairs = (operators: readonly string[], values: readonly Values[]) =>
  operators.flatMap(operator => values.map(value => [operator, value] as const))
const presence = pairs(['set', 'notSet'], [[]])

/** Every operator that fits a type, with values that find some rows and not all. */
const operatorsOf: Readonly<Record<string, readonly (readonly [string, Values])[]>> = {
  string: [
    ...pairs(lists, [['done'], ['Berlin', 'food', 'heart'], ['office', null]]),
    ...pairs(likes, [['O'], ['e', 'Ber'], ['s', null]]),
    ...presence,
  ],
  number: [
    ...pairs(lists, [['1'], ['1', '2', '48'], ['2', null]]),
    ...pairs(['gt', 'gte', 'lt', 'lte'], [['2'], ['-1', '50']]),
    ...presence,
  ],
  boolean: [...pairs(lists.slice(0, 2), [['true'], ['false']]), ...presence],
  time: [...pairs(dates, [['2024-03-10'], ['2024-02-29', '2024-11-03']]), ...presence],
}

/** One question for each dimension of a model and each operator that fits it, alone and as one of two. */
export const makeOperatorQuestions = (model: Model): Question[] =>
  describeModel(model, everyone).flatMap(sourceQuestions)

function sourceQuestions({ measures, dimensions }: MetaCube): Question[] {
  const [measure, ...others] = measures.map(({ name }) => name)
  const other = dimensions.find(({ type }) => type === 'string')
  if (measure === undefined) return []
  const asked = [measure, ...others.slice(-1)]
  return dimensions.flatMap(({ name, type }) =>
    (operatorsOf[type] ?? []).flatMap(([operator, values], turn): Question[] => {
      const filter = { member: name, operator, ...(values.length > 0 ? { values } : {}) }
      const title = `(made) ${name} ${operator} ${values.join(', ')}`
      const alone: Question = [title, { measures: asked, filters: [filter], timezone: 'America/New_York' }]
      if (!other || turn % 3 > 0) return [alone]
      const either = [filter, { member: other.name, operator: 'startsWith', values: ['d'] }]
      return [alone, [`${title}, or another`, { measures: asked, dimensions: [other.name], filters: [{ or: either }] }]]
    }),
  )
}
