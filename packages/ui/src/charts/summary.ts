import { cellFormat } from '../formats/cell-format.ts'
import type { MessageKey, Translate } from '../messages/messages.ts'
import { type Column, numberOf, type Result } from '../results/result.ts'
import { foldedOf } from './folded.ts'
import { encodings, fieldOf, isPart, markType, type Part, views } from './spec.ts'

const kinds: Readonly<Record<string, MessageKey>> = {
  bar: 'chartBar',
  line: 'chartLine',
  area: 'chartArea',
  arc: 'chartPie',
  point: 'chartPoints',
  circle: 'chartPoints',
  square: 'chartPoints',
  rect: 'chartHeatmap',
  geoshape: 'chartMap',
}

/** What a chart says, in a few sentences, for who does not see it: its kind, of what by what, how much, and from where to where. */
export function summarize(spec: Part, result: Result, t: Translate, locale: string): string {
  const folded = foldedOf(spec, result)?.columns.map(({ name }) => name) ?? []
  const used = new Set([...[...encodings(spec)].map(([, definition]) => fieldOf(definition)), ...folded])
  const shown = result.columns.filter(({ name }) => used.has(name))
  const columns = shown.length > 0 ? shown : result.columns
  const measures = columns.filter(isMeasure)
  const dimensions = columns.filter(column => !isMeasure(column))
  const list = new Intl.ListFormat(locale, { type: 'conjunction' })
  const titles = (some: readonly Column[]) => list.format(some.map(({ title }) => title))
  const sentences = [t(kindOf(spec))]
  if (measures.length > 0 && dimensions.length > 0) {
    sentences.push(t('summaryOf', { measures: titles(measures), dimensions: titles(dimensions) }))
  } else sentences.push(titles(columns))
  sentences.push(t('summaryPoints', { count: result.rows.length }))
  const series = seriesNames(spec, result)
  if (series.length > 1) {
    const names = list.format([...series.slice(0, 5), ...(series.length > 5 ? ['…'] : [])])
    sentences.push(t('summarySeries', { count: series.length, names }))
  }
  for (const measure of measures.slice(0, 2)) {
    const said = describe(measure, dimensions, result, series.length > 1, t, locale)
    if (said) sentences.push(said)
  }
  return `${sentences.filter(sentence => sentence !== '').join('. ')}.`
}

export function kindOf(spec: Part): MessageKey {
  for (const view of views(spec)) {
    const kind = kinds[markType(view) ?? '']
    if (kind) return kind
  }
  return 'chartOther'
}

function isMeasure(column: Column): boolean {
  return column.isMeasure ?? column.type === 'number'
}

function seriesNames(spec: Part, { columns, rows }: Result): readonly string[] {
  for (const [channel, definition] of encodings(spec)) {
    if (channel !== 'color' || !isPart(definition)) continue
    const at = columns.findIndex(({ name, type }) => name === fieldOf(definition) && type !== 'number')
    if (at >= 0) return [...new Set(rows.map(row => String(row[at] ?? '')))]
  }
  return []
}

/** Where there is one line over time, its way; otherwise the lowest and the highest value and where they are. */
function describe(
  measure: Column,
  dimensions: readonly Column[],
  { columns, rows }: Result,
  hasSeries: boolean,
  t: Translate,
  locale: string,
): string | undefined {
  const at = columns.indexOf(measure)
  const write = cellFormat(measure, locale)
  const names = dimensions.map(column => ({ at: columns.indexOf(column), write: cellFormat(column, locale) }))
  const name = (row: (typeof rows)[number]) => names.map(one => one.write(row[one.at])).join(', ')
  const filled = rows.filter(row => Number.isFinite(numberOf(row[at])))
  const [start, end] = [filled[0], filled.at(-1)]
  if (!start || !end) return undefined
  const values = { measure: measure.title }
  if (filled.length === 1) return `${measure.title}: ${write(start[at])}`
  if (dimensions.length === 1 && dimensions[0]?.type === 'time' && !hasSeries) {
    return t('summaryTrend', {
      ...values,
      first: write(start[at]),
      firstAt: name(start),
      last: write(end[at]),
      lastAt: name(end),
    })
  }
  const value = (row: (typeof rows)[number]) => numberOf(row[at])
  const lowest = filled.reduce((least, row) => (value(row) < value(least) ? row : least))
  const highest = filled.reduce((most, row) => (value(row) > value(most) ? row : most))
  return t('summaryRange', {
    ...values,
    lowest: write(lowest[at]),
    lowestAt: name(lowest),
    highest: write(highest[at]),
    highestAt: name(highest),
  })
}
