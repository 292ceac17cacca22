import type { AnswerColumn } from '../ask/statement.ts'
import type { Question } from '../shapes/question.ts'
import { describeRange } from '../times/calendar.ts'

type Spec = Readonly<Record<string, unknown>>

/** Fields of rows by the names that columns have; brackets and dots would mean paths. */
const field = (name: string) => name.replace(/[\\.[\]'"]/g, '\\$&')

const formats: Readonly<Record<string, string>> = { percent: '.1%', currency: '$,.2~f', number: ',.2~f' }
const timeFormats: Readonly<Record<string, string>> = {
  year: '%Y',
  quarter: 'Q%q %Y',
  month: '%b %Y',
  week: '%d %b %Y',
  day: '%d %b %Y',
  hour: '%d %b %H:%M',
}

/** Where labels name the period, each stands at the beginning of one: ticks by weeks would name some months twice. */
const timeTicks: Readonly<Record<string, string | Spec>> = {
  year: 'year',
  quarter: { interval: 'month', step: 3 },
  month: 'month',
}

const quantitative = (column: AnswerColumn): Spec => ({
  field: field(column.name),
  type: 'quantitative',
  title: column.title,
  axis: {
    format:
      column.format.kind === 'currency' && column.format.currency !== 'USD'
        ? ',.2f'
        : (formats[column.format.kind] ?? ',.2~f'),
  },
})

function temporal({ name, title, format }: AnswerColumn): Spec {
  const grain = format.grain ?? ''
  const tickCount = timeTicks[grain]
  const axis = { format: timeFormats[grain] ?? '%Y-%m-%d', ...(tickCount === undefined ? {} : { tickCount }) }
  return { field: field(name), type: 'temporal', title, axis }
}

const nominal = (column: AnswerColumn): Spec => ({
  field: field(column.name),
  type: column.role === 'part' ? 'ordinal' : 'nominal',
  title: column.title,
  ...(column.role === 'part' ? {} : { sort: null }),
})

/**
 * A chart that suits an answer, as a Vega-Lite 5 specification without data and without looks (`config`), which are the house's; null where a table says it best: a single value, many
 * groups at once, texts alone.
 */
export function vegaSpec(question: Question, columns: readonly AnswerColumn[], title: string): Spec | null {
  const time = columns.find(({ role }) => role === 'time')
  const groups = columns.filter(({ role }) => role === 'dimension' || role === 'part')
  const measures = columns.filter(({ role }) => role === 'measure')
  const [measure, second] = measures
  const [group, other] = groups
  if (question.compare !== null && question.time?.range) return compared(question, columns, title)
  if (question.chart === 'table' || question.extremes !== null || !measure || (!time && !group) || groups.length > 2)
    return null
  const numeric = columns.filter(
    ({ role, format }) => ['measure', 'before', 'change', 'share', 'part'].includes(role) && format.kind !== 'text',
  )
  const common = {
    $schema: 'https://vega.github.io/schema/vega-lite/v5.json',
    title,
    width: 'container',
    // The SQL API gives numbers as texts where they have more digits than a double.
    transform: numeric.map(({ name }) => ({ calculate: `toNumber(datum[${JSON.stringify(name)}])`, as: field(name) })),
  }
  const tooltip = columns.map(({ name, title: shown }) => ({ field: field(name), title: shown }))
  if (question.chart === 'scatter' && second)
    return { ...common, mark: 'point', encoding: { x: quantitative(measure), y: quantitative(second), tooltip } }
  const kind = question.chart ?? (time ? 'line' : 'bar')
  if (kind === 'pie' && group && !time) {
    const theta = { field: field(measure.name), type: 'quantitative', title: measure.title }
    return { ...common, mark: { type: 'arc', innerRadius: 50 }, encoding: { theta, color: nominal(group), tooltip } }
  }
  if (time) {
    const mark = kind === 'bar' ? 'bar' : kind === 'area' ? 'area' : 'line'
    if (groups.length > 1) return null
    const color = group ? { color: nominal(group) } : {}
    if (!group && measures.length > 1) return folded(common, measures, temporal(time), mark)
    return { ...common, mark, encoding: { x: temporal(time), y: quantitative(measure), ...color, tooltip } }
  }
  if (!group) return null
  const color = other ? { color: nominal(other) } : {}
  if (group.role === 'part' || kind === 'line' || kind === 'area') {
    const mark = kind === 'bar' || kind === 'pie' || kind === 'scatter' ? 'bar' : kind
    return { ...common, mark, encoding: { x: nominal(group), y: quantitative(measure), ...color, tooltip } }
  }
  return { ...common, mark: 'bar', encoding: { y: nominal(group), x: quantitative(measure), ...color, tooltip } }
}

/** Two periods side by side, a colour each: a pair of bars for each group, or one pair. */
function compared({ chart, compare, time }: Question, columns: readonly AnswerColumn[], title: string): Spec | null {
  const [group, ...others] = columns.filter(({ role }) => role === 'dimension')
  const before = columns.find(({ role }) => role === 'before')
  const measure = columns.find(({ role }) => role === 'measure')
  if (chart === 'table' || !compare || !time?.range || !before || !measure || others.length > 0) return null
  const [earlier, later] = [compare, time.range].map(range => describeRange(range).replace(/^(in|on|from) /, ''))
  const isEarlier = `datum.${fold.column} === ${JSON.stringify(before.name)}`
  const period = {
    field: fold.period,
    type: 'nominal',
    title: 'Period',
    // The earlier one first, as time runs.
    sort: [earlier, later],
  }
  const value = { ...quantitative(measure), field: fold.value }
  const tooltip = [
    ...(group ? [{ field: field(group.name), title: group.title }] : []),
    { field: fold.period, title: 'Period' },
    { field: fold.value, title: measure.title },
  ]
  return {
    $schema: 'https://vega.github.io/schema/vega-lite/v5.json',
    title,
    width: 'container',
    transform: [
      ...[before, measure].map(({ name }) => ({
        calculate: `toNumber(datum[${JSON.stringify(name)}])`,
        as: field(name),
      })),
      { fold: [field(before.name), field(measure.name)], as: [fold.column, fold.value] },
      { calculate: `${isEarlier} ? ${JSON.stringify(earlier)} : ${JSON.stringify(later)}`, as: fold.period },
    ],
    mark: 'bar',
    encoding: {
      y: group ? nominal(group) : { ...period, title: null },
      x: value,
      ...(group ? { yOffset: { field: fold.period, sort: period.sort } } : {}),
      color: period,
      tooltip,
    },
  }
}

/** What the bars of two periods are drawn from; no column has such a name. */
const fold = { column: 'compared_column', value: 'compared_value', period: 'compared_period' } as const

/** Several measures in one chart, a colour each. */
function folded(
  common: { readonly transform: readonly Spec[] },
  measures: readonly AnswerColumn[],
  x: Spec,
  mark: string,
): Spec {
  const names = measures.map(({ name }) => name)
  return {
    ...common,
    transform: [...common.transform, { fold: names, as: ['measure', 'value'] }],
    mark,
    encoding: {
      x,
      y: { field: 'value', type: 'quantitative', title: 'Value' },
      color: { field: 'measure', type: 'nominal', title: 'Measure' },
    },
  }
}
