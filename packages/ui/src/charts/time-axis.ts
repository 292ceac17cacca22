import { wallClock } from '../formats/time-format.ts'
import type { Column, Result } from '../results/result.ts'
import { distinct } from './chart-columns.ts'
import { momentOf } from './chart-rows.ts'
import { formatText, formatType } from './format-type.ts'
import { isPart, type Part } from './spec.ts'
import { hasTimeNames, type TimeName, type TimeSpan, timeNames } from './time-names.ts'

/** Names under which charts ask for the moments below them and how these are called; functions of Vega's expressions. */
export const timesFunction = 'namedTimes'
export const timeNameFunction = 'nameOfTime'

/**
 * The names below a chart over time: round moments, as many as there is room for, also when the chart is made wider. Left alone,
 * Vega names each as it likes ("Mar 18", "April", "Apr 15").
 *
 * @param width an expression of Vega: of the axis, in pixels.
 * @returns the definition as it was where it says itself what to name, or the steps are shorter than days.
 */
export function withTimeAxis(definition: Part, column: Column, result: Result, locale: string, width: string): Part {
  const { axis, type } = definition
  const { granularity = '' } = column
  const isOwn = isPart(axis) ? ['format', 'labelExpr', 'values', 'tickCount'].some(key => key in axis) : axis === null
  if (!hasTimeNames(granularity) || isOwn || 'timeUnit' in definition || 'bin' in definition) return definition
  const more = isPart(axis) ? axis : {}
  if (type === 'ordinal') {
    return { ...definition, axis: { ...more, format: formatText(column, locale, true), formatType } }
  }
  const moments = distinct(result, column)
    .map(wallClock)
    .filter(moment => !Number.isNaN(moment))
    .sort((one, other) => one - other)
  const [first, middle, last] = [moments[0], moments[Math.floor(moments.length / 2)], moments.at(-1)]
  if (type !== 'temporal' || first === undefined || middle === undefined || last === undefined) return definition
  const span: TimeSpan = { granularity, first, middle, last, locale }
  const text = JSON.stringify(JSON.stringify(span))
  const named = {
    values: { expr: `${timesFunction}(${text}, ${width})` },
    labelExpr: `${timeNameFunction}(${text}, ${width}, datum.value)`,
    labelOverlap: 'greedy',
    labelSeparation: 2,
  }
  return { ...definition, axis: { ...named, ...more } }
}

/** The moments that a chart of that width names, by the browser's own clock as charts have them. */
export function timesForChart(text: unknown, width: unknown): readonly Date[] {
  return [...namesFor(text, width).keys()].map(moment => new Date(moment))
}

/** How one of them is called: a text, or a text a line. */
export function timeNameForChart(text: unknown, width: unknown, moment: unknown): readonly string[] {
  return namesFor(text, width).get(Number(moment))?.lines ?? ['']
}

let last = { text: '', width: -1, names: new Map<number, TimeName>() }

/** An axis asks for its names one after the other. */
function namesFor(text: unknown, width: unknown): ReadonlyMap<number, TimeName> {
  if (typeof text !== 'string' || typeof width !== 'number') return new Map()
  if (last.text === text && last.width === width) return last.names
  const span: TimeSpan = JSON.parse(text)
  const names = new Map<number, TimeName>()
  for (const name of timeNames(span, width)) {
    const moment = momentOf(new Date(name.at).toISOString())
    if (moment) names.set(moment.getTime(), name)
  }
  last = { text, width, names }
  return names
}
