import { selectMeasure, titleOf } from '../ask/columns.ts'
import type { AskedFilter, AskedMeasure, Comparison, Question } from '../shapes/question.ts'
import { describeDays, describeRange } from '../times/calendar.ts'
import type { Vocabulary } from '../vocabulary/vocabulary.ts'

const comparisons: Readonly<Record<Comparison, string>> = {
  gt: 'more than',
  gte: 'at least',
  lt: 'less than',
  lte: 'at most',
  equals: 'exactly',
  notEquals: 'not',
}

const title = (vocabulary: Vocabulary, name: string) => {
  const named = vocabulary.find(name)
  return named ? titleOf(named) : name
}

export function describeFilter(filter: AskedFilter, vocabulary: Vocabulary): string {
  const name = title(vocabulary, filter.member)
  switch (filter.kind) {
    case 'segment':
      return filter.isNegated ? `not ${name}` : name
    case 'flag':
      return filter.value ? name : `not ${name}`
    case 'number':
      return `${name} ${comparisons[filter.operator]} ${filter.value.toLocaleString('en-US')}`
    case 'values': {
      const verb = { equals: 'is', notEquals: 'is not', contains: 'contains', notContains: 'does not contain' }[
        filter.operator
      ]
      return `${name} ${verb} ${filter.values.join(' or ')}`
    }
  }
}

const nameOf = (measure: AskedMeasure, vocabulary: Vocabulary) => {
  const { title: shown } = selectMeasure(vocabulary, measure).column
  const members = measure.kind === 'ratio' ? [measure.of, measure.per] : [measure.member]
  return `${shown} (${members.map(member => `\`${member}\``).join(' and ')})`
}

/** What a question was understood as: measures, groups, conditions, period. */
export function describeQuestion(question: Question, vocabulary: Vocabulary): string {
  const { measures, dimensions, time, filters, having, share, compare, average, extremes } = question
  const groups = dimensions.map(name => title(vocabulary, name))
  const period = time?.part === 'weekend' ? 'kind of day' : (time?.part ?? time?.grain ?? null)
  const over = average === 'periods' ? [period] : average === 'groups' ? groups : []
  const by = [...(period ? [period.replaceAll('_', ' ')] : []), ...groups].filter(each => !over.includes(each))
  const conditions = [...filters, ...(share && share !== 'ofTotal' ? share.filters : [])]
  const isDistinct = new Set(conditions.map(filter => describeFilter(filter, vocabulary)))
  const thresholds = having.map(({ measure, operator, value }) => {
    const column = selectMeasure(vocabulary, measure).column
    const shown =
      column.format.kind === 'percent' ? `${(value * 100).toLocaleString('en-US')}%` : value.toLocaleString('en-US')
    return `${column.title} ${comparisons[operator]} ${shown}`
  })
  const parts = [
    measures.length > 0
      ? `I used ${measures.map(measure => nameOf(measure, vocabulary)).join(' and ')}`
      : extremes !== null
        ? `I took the rows with the ${question.order?.descending === false ? 'lowest' : 'highest'} ${title(vocabulary, extremes)} (\`${extremes}\`)`
        : `I listed ${groups.join(' and ')} (${dimensions.map(name => `\`${name}\``).join(', ')})`,
    ...(measures.length > 0 && by.length > 0 ? [`by ${by.join(' and ')}`] : []),
    ...(over.length > 0 ? [`averaged over each ${over.join()} that has any`] : []),
    ...(isDistinct.size > 0 ? [`where ${[...isDistinct].join(' and ')}`] : []),
    ...(thresholds.length > 0 ? [`with ${thresholds.join(' and ')}`] : []),
    ...(time?.range
      ? [`${describeRange(time.range)} (${title(vocabulary, time.dimension)})`]
      : [time ? `over all times (${title(vocabulary, time.dimension)})` : 'over all times']),
    ...(time?.days ? [describeDays(time.days)] : []),
    ...(compare ? [`compared with ${describeRange(compare).replace(/^(in|on) /, '')}`] : []),
  ]
  return `${parts
    .join(', ')
    .replace(', by', ' by')
    .replace(', over all times', time || dimensions.length >= 0 ? ', over all times' : '')}.`
}
