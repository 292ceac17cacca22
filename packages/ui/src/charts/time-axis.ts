import type { Column, Result } from '../results/result.ts'
import { distinct } from './chart-columns.ts'
import { momentOf } from './chart-rows.ts'
import { formatText, formatType } from './format-type.ts'
import { isPart, type Part } from './spec.ts'

/** How many steps stand between two names, so that a year is divided as people divide it. */
const strides: Readonly<Record<string, readonly number[]>> = {
  day: [1, 2, 7, 14, 28, 56, 91, 182, 364],
  week: [1, 2, 4, 13, 26, 52],
  month: [1, 2, 3, 6, 12],
  quarter: [1, 2, 4],
  year: [1, 2, 5, 10],
}

/** Pixels that a name with the space around it takes. */
const roomOfName = 96

/**
 * The names below a chart over time: of steps that the rows have, all written in one way. Left alone, Vega names round moments,
 * each as short as it can ("Mar 18", "April", "Apr 15"), between which no row stands.
 *
 * @param width of the chart in pixels.
 * @returns the definition as it was where it says itself what to name, or the steps are shorter than days.
 */
export function withTimeAxis(definition: Part, column: Column, result: Result, locale: string, width: number): Part {
  const { axis, type } = definition
  const steps = strides[column.granularity ?? '']
  const isOwn = isPart(axis) ? ['format', 'labelExpr', 'values', 'tickCount'].some(key => key in axis) : axis === null
  if (steps === undefined || isOwn || 'timeUnit' in definition || 'bin' in definition) return definition
  const named = { format: formatText(column, locale, true), formatType }
  if (type === 'ordinal') return { ...definition, axis: { ...(isPart(axis) ? axis : {}), ...named } }
  if (type !== 'temporal') return definition
  const moments = distinct(result, column)
    .flatMap(text => momentOf(text) ?? [])
    .sort((one, other) => one.getTime() - other.getTime())
  const most = Math.max(2, Math.floor(width / roomOfName))
  const stride = steps.find(step => moments.length / step <= most) ?? Math.ceil(moments.length / most)
  const values = moments.filter((_, at) => at % stride === 0).map(partsOf)
  return { ...definition, axis: { ...(isPart(axis) ? axis : {}), ...named, values } }
}

/** As Vega-Lite is told of a day (DateTime, of the browser's own clock); its interpreter takes a number for a year. */
const partsOf = (moment: Date) => ({
  year: moment.getFullYear(),
  month: moment.getMonth() + 1,
  date: moment.getDate(),
})
