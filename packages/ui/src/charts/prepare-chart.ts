import { cellFormat, noValue } from '../formats/cell-format.ts'
import { type Column, numberOf, type Result } from '../results/result.ts'
import type { Theme } from '../theme/theme.ts'
import { columnOf, distinct } from './chart-columns.ts'
import { checkSpec } from './check-spec.ts'
import { plotWidth } from './config.ts'
import { type Ranking, rankingOf } from './crowded.ts'
import { directLabels } from './direct-labels.ts'
import { type Folded, foldedOf, titleExpression } from './folded.ts'
import { formatText, formatType } from './format-type.ts'
import { colorAt, type SeriesColors } from './series-colors.ts'
import { fieldOf, isPart, isSingleView, isVega, markType, type Part, readSpec } from './spec.ts'
import { withTimeAxis } from './time-axis.ts'

export interface ChartRequest {
  readonly spec: unknown
  readonly result: Result
  readonly theme: Theme
  readonly locale: string
  readonly colors: SeriesColors
  /** Room in pixels. */
  readonly width: number
  readonly height: number
}

/** What is drawn: rows come apart from it, under the name `rows`. */
export interface PreparedChart {
  readonly mode: 'vega' | 'vega-lite'
  readonly spec: Part
  /** It can be made larger and smaller with its box. */
  readonly fits: boolean
  /** More series than colours. */
  readonly colorsRepeat: boolean
  /** Null where it is no ranking. */
  readonly ranking: Ranking | null
}

export const rowsName = 'rows'

/**
 * A specification as Hedron draws it: with the rows of the result in place of its data, titles and formats of the model, colours that
 * a series keeps, labels beside up to five lines rather than a legend, and the size of its box. What it says itself is kept.
 *
 * @throws {ChartError} for what is no chart, or would take the page down.
 */
export function prepareChart(request: ChartRequest): PreparedChart {
  const written = readSpec(request.spec)
  checkSpec(written, request.result)
  const { usermeta: _, $schema: __, ...spec } = written
  if (isVega(spec)) return { mode: 'vega', spec: withRows(spec), fits: false, colorsRepeat: false, ranking: null }
  let colorsRepeat = false
  const folded = foldedOf(spec, request.result)
  const drawn = improve({ ...spec, data: { name: rowsName } })
  const fits = isSingleView(drawn)
  if (!fits) return { mode: 'vega-lite', spec: drawn, fits, colorsRepeat, ranking: null }
  const ranking = rankingOf(drawn, request.result, request.height) ?? null
  const fitted = directLabels(sized(withCut(drawn, ranking), request), request)
  return { mode: 'vega-lite', spec: fitted, fits, colorsRepeat, ranking }

  function improve(view: Part): Part {
    const { encoding } = view
    const better: Record<string, unknown> = { ...view }
    if (isPart(encoding)) better.encoding = improveEncoding(encoding, view)
    for (const key of ['layer', 'hconcat', 'vconcat', 'concat']) {
      const parts = view[key]
      if (Array.isArray(parts)) better[key] = parts.map(part => (isPart(part) ? improve(part) : part))
    }
    if (isPart(view.spec)) better.spec = improve(view.spec)
    return better
  }

  function improveEncoding(encoding: Part, view: Part): Part {
    const better: Record<string, unknown> = {}
    for (const [channel, definition] of Object.entries(encoding)) {
      better[channel] = Array.isArray(definition)
        ? definition.map(one => (isPart(one) ? improveDefinition(channel, one, view) : one))
        : isPart(definition)
          ? improveDefinition(channel, definition, view)
          : definition
    }
    return better
  }

  function improveDefinition(channel: string, definition: Part, view: Part): Part {
    const column = columnOf(definition, request.result)
    if (!column) return folded === undefined ? definition : withFold(channel, definition, folded, request)
    let better: Part = definition
    const isPlain = !('aggregate' in definition || 'bin' in definition || 'timeUnit' in definition)
    const title = titleOf(definition, column)
    if (!('title' in definition) && title !== undefined) better = { ...better, title }
    better = withFormat(channel, better, column, request)
    if (channel === 'x') better = withTimeAxis(better, column, request.result, request.locale, axisWidth(view))
    if ((channel === 'color' || channel === 'fill' || channel === 'stroke') && isPlain) {
      const colored = withColors(better, column, view)
      if (colored) better = colored
    }
    return better
  }

  /** Of one plot Vega knows it; those of a grid are as wide as they say, or as the look of all charts has them. */
  function axisWidth(view: Part): string {
    if (isSingleView(spec)) return 'width'
    return String(typeof view.width === 'number' ? view.width : plotWidth)
  }

  function withColors(definition: Part, column: Column, view: Part): Part | undefined {
    const { scale, type } = definition
    const isCategory = type === 'nominal' || (type === undefined && column.type === 'string')
    const isOwn = isPart(scale) ? 'range' in scale || 'scheme' in scale || 'domain' in scale : scale === null
    // A transform may make other values of it than the rows have.
    if (!isCategory || isOwn || 'transform' in view || 'transform' in spec) return undefined
    const values = distinct(request.result, column)
    const places = request.colors.places(column.name, values)
    if (places.some(place => place >= request.theme.series.length)) colorsRepeat = true
    const range = places.map(place => colorAt(place, request.theme.series))
    return { ...definition, scale: { ...(isPart(scale) ? scale : {}), domain: values, range } }
  }
}

/** What has no room is left out before anything else is done with the rows. */
function withCut(spec: Part, ranking: Ranking | null): Part {
  if (!ranking?.cut) return spec
  return { ...spec, transform: [ranking.cut.transform, ...(Array.isArray(spec.transform) ? spec.transform : [])] }
}

/** The member's title; how it is put together stands beside it, where that is more than adding up. */
function titleOf({ aggregate }: Part, { title }: Column): string | undefined {
  if (aggregate === undefined || aggregate === 'sum') return title
  return typeof aggregate === 'string' && aggregate !== 'count' ? `${title} (${aggregate})` : undefined
}

/** Series that are columns have the titles of these, and their values a format where all have the same. */
function withFold(channel: string, definition: Part, folded: Folded, { locale }: ChartRequest): Part {
  const field = fieldOf(definition)
  const guide = channel === 'x' || channel === 'y' ? 'axis' : 'legend'
  const written = definition[guide]
  if (written === null || channel.endsWith('Offset')) return definition
  const more = isPart(written) ? written : {}
  if (field === folded.key) {
    return { title: null, ...definition, [guide]: { labelExpr: titleExpression(folded), ...more } }
  }
  const [first, ...others] = folded.columns.map(column => formatText(column, locale, true))
  if (field !== folded.value || first === undefined) return definition
  // A format of its own is one of D3's, which goes without ours.
  const isOwn = 'format' in more || 'labelExpr' in more
  const format = !isOwn && others.every(other => other === first) ? { format: first, formatType } : {}
  return { title: null, ...definition, [guide]: { ...format, ...more } }
}

/** Axes and legends have room for few digits, labels on marks for all. */
function withFormat(channel: string, definition: Part, column: Column, { locale, result }: ChartRequest): Part {
  if (column.type === 'string' && (channel === 'x' || channel === 'y')) return withoutNull(channel, definition)
  if (column.type !== 'number' || 'bin' in definition || definition.aggregate === 'count') return definition
  const guide =
    channel === 'x' || channel === 'y' ? 'axis' : channel === 'text' || channel === 'tooltip' ? '' : 'legend'
  const format = { format: formatText(column, locale, guide !== ''), formatType }
  // Between whole numbers there is nothing to name.
  const step = guide === 'axis' && areWhole(result, column) ? { tickMinStep: 1 } : {}
  if (guide === '') return 'format' in definition ? definition : { ...definition, ...format }
  const written = definition[guide]
  if (written === null || definition.type === 'nominal') return definition
  if (isPart(written) && ('format' in written || 'labelExpr' in written)) {
    return { ...definition, [guide]: { ...step, ...written } }
  }
  return { ...definition, [guide]: { ...step, ...(isPart(written) ? written : {}), ...format } }
}

/** A category without a value is written as tables write it. Names beside a chart that would touch are left out. */
function withoutNull(channel: string, definition: Part): Part {
  const { axis } = definition
  if (axis === null) return definition
  const written = { ...(channel === 'y' ? { labelOverlap: 'greedy' } : {}), ...(isPart(axis) ? axis : {}) }
  if ('labelExpr' in written || 'format' in written) return { ...definition, axis: written }
  const labelExpr = `datum.value === null ? '${noValue}' : datum.label`
  return { ...definition, axis: { ...written, labelExpr } }
}

function areWhole({ columns, rows }: Result, column: Column): boolean {
  const at = columns.indexOf(column)
  return rows.every(row => row[at] === null || Number.isInteger(numberOf(row[at])))
}

function sized(spec: Part, request: ChartRequest): Part {
  const { width, height } = request
  const size = {
    width: Math.max(40, width),
    height: Math.max(40, height),
    autosize: { type: 'fit', contains: 'padding' },
  }
  return {
    ...spec,
    ...size,
    ...(isPart(spec.encoding) ? { encoding: turned(spec, spec.encoding, request) } : {}),
  }
}

/**
 * Names below the columns of a chart stand upright while they have the room, and lean where they have not; where even then they
 * would lie on each other, they stand on end and only as many of them as do not touch.
 */
function turned(spec: Part, encoding: Part, { result, width, locale }: ChartRequest): Part {
  const { x } = encoding
  if (!isPart(x) || markType(spec) === undefined) return encoding
  const column = columnOf(x, result)
  const isDiscrete = x.type === 'nominal' || x.type === 'ordinal'
  if (!column || !isDiscrete || (isPart(x.axis) ? 'labelAngle' in x.axis : x.axis === null)) return encoding
  const names = distinct(result, column).map(cellFormat(column, locale))
  const longest = names.reduce((most, name) => Math.max(most, name.length), 0)
  const room = (width - 60) / Math.max(1, names.length)
  const angle =
    Math.min(longest, 22) * 6.6 + 8 < room
      ? { labelAngle: 0 }
      : room >= 15
        ? { labelAngle: -40, labelAlign: 'right', labelLimit: 110 }
        : { labelAngle: -90, labelAlign: 'right', labelBaseline: 'middle', labelLimit: 110, labelOverlap: 'greedy' }
  return { ...encoding, x: { ...x, axis: { ...(isPart(x.axis) ? x.axis : {}), ...angle } } }
}

/** Vega's own language names its data: the rows stand in for the first that the specification does not derive from another. */
function withRows(spec: Part): Part {
  const data = Array.isArray(spec.data) ? spec.data.filter(isPart) : []
  const first = data.findIndex(one => !('source' in one))
  const named = data.map((one, at) => {
    const { url: _, values: __, format: ___, ...rest } = one
    return at === first ? { ...rest, source: rowsName } : 'url' in one ? { ...rest, values: [] } : one
  })
  return { ...spec, data: [{ name: rowsName }, ...named.filter(one => !('name' in one && one.name === rowsName))] }
}
