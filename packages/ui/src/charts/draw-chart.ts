import {
  expressionFunction,
  formatLocale,
  type Item,
  type Loader,
  logger,
  parse,
  type Spec,
  timeFormatLocale,
  View,
  Warn,
} from 'vega'
import { expressionInterpreter } from 'vega-interpreter'
import { compile, type TopLevelSpec } from 'vega-lite'
import type { Theme } from '../theme/theme.ts'
import type { ChartRow } from './chart-rows.ts'
import { chartConfig, plainVegaConfig } from './config.ts'
import { formatType, writeForChart } from './format-type.ts'
import { type PreparedChart, rowsName } from './prepare-chart.ts'
import { ChartError, type Part } from './spec.ts'
import { timeNameForChart, timeNameFunction, timesForChart, timesFunction } from './time-axis.ts'
import { numberLocale, timeLocale } from './vega-locale.ts'

expressionFunction(formatType, writeForChart)
expressionFunction(timesFunction, timesForChart)
expressionFunction(timeNameFunction, timeNameForChart)

/** A chart on the page. */
export interface DrawnChart {
  /** A PNG as a data: address; `scale` 2 has two dots for each of the page's. */
  toPng(scale: number): Promise<string>
  resize(width: number, height: number): Promise<void>
  close(): void
}

export interface DrawOptions {
  readonly container: HTMLElement
  readonly chart: PreparedChart
  readonly rows: readonly ChartRow[]
  readonly theme: Theme
  readonly locale: string
  /** What is under the pointer: the values of a mark, and where it is on the screen; null where there is none. */
  readonly onHover: (values: unknown, at: { readonly x: number; readonly y: number } | null) => void
  readonly onClick: (values: Part) => void
}

/**
 * Draws on a canvas. Expressions run in the interpreter, so that the page needs no `unsafe-eval`; nothing is loaded from anywhere but
 * pictures that are written into the specification.
 *
 * @throws {ChartError} for a specification that Vega or Vega-Lite refuse.
 */
export async function drawChart(options: DrawOptions): Promise<DrawnChart> {
  const { container, chart, rows, theme, locale, onHover, onClick } = options
  formatLocale(numberLocale(locale))
  timeFormatLocale(timeLocale(locale))
  const { view, hasRows, faults } = open(chart, theme)
  try {
    view.tooltip((_, event, item: Item | undefined, value: unknown) => {
      const isOver = value !== null && value !== undefined && value !== '' && item !== undefined
      onHover(isOver ? value : null, isOver && 'clientX' in event ? { x: event.clientX, y: event.clientY } : null)
    })
    view.addEventListener('click', (_, item) => {
      const values: unknown = item?.datum
      if (isRecord(values)) onClick(values)
    })
    if (hasRows) view.data(rowsName, [...rows])
    await view.initialize(container).runAsync()
    // Vega tells its log what it could not compute, and leaves an empty canvas.
    if (faults.length > 0) throw faults[0]
  } catch (error) {
    view.finalize()
    throw notDrawn(error)
  }
  return {
    toPng: scale => view.toImageURL('png', scale),
    async resize(width, height) {
      await view.width(width).height(height).runAsync()
    },
    close() {
      onHover(null, null)
      view.finalize()
    },
  }
}

interface Opened {
  readonly view: View
  readonly hasRows: boolean
  /** What Vega could not do so far. */
  readonly faults: readonly unknown[]
}

/** A chart that draws from data of its own, as maps do, has no place for the rows. */
function open({ mode, spec }: PreparedChart, theme: Theme): Opened {
  const faults: unknown[] = []
  const quiet = logger(Warn, 'log', (_, level, [fault]) => {
    if (level === 'ERROR') faults.push(fault)
  })
  try {
    const written: unknown = spec
    if (mode === 'vega-lite') {
      if (!isVegaLite(written)) throw new Error('It has no mark, no layers and no plots.')
      const compiled = compile(written, { config: chartConfig(theme), logger: quiet }).spec
      const hasRows = compiled.data?.some(({ name }) => name === rowsName) ?? false
      return { view: newView(parse(compiled, {}, { ast: true }), quiet), hasRows, faults }
    }
    if (!isVegaSpec(written)) throw new Error('It has no marks.')
    return { view: newView(parse(written, plainVegaConfig(theme), { ast: true }), quiet), hasRows: true, faults }
  } catch (error) {
    throw notDrawn(error)
  }
}

/** What stops on a mistake inside Vega-Lite names its own parts, so it is said that the specification is what it stopped on. */
function notDrawn(error: unknown): ChartError {
  const message = error instanceof Error ? error.message : String(error)
  const isInside = error instanceof TypeError || error instanceof RangeError
  return new ChartError(isInside ? `The specification is not one of Vega-Lite (${message}).` : message)
}

function newView(runtime: ReturnType<typeof parse>, quiet: ReturnType<typeof logger>): View {
  return new View(runtime, {
    expr: expressionInterpreter,
    loader: written,
    logger: quiet,
    renderer: 'canvas',
    hover: true,
  })
}

const picture = /^data:image\/(?:png|jpeg|gif|webp);base64,/

/** Refuses every address but that of a picture that is written out; links lead nowhere. */
const written: Loader = {
  load: async (uri: string) => refuse(uri),
  http: async (uri: string) => refuse(uri),
  file: async (uri: string) => refuse(uri),
  sanitize: async (uri: string) => (picture.test(uri) ? { href: uri } : refuse(uri)),
}

function refuse(uri: string): never {
  throw new Error(`Charts load nothing: ${uri.slice(0, 100)}`)
}

function isRecord(value: unknown): value is Part {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isVegaLite(spec: unknown): spec is TopLevelSpec {
  return (
    isRecord(spec) &&
    ['mark', 'layer', 'hconcat', 'vconcat', 'concat', 'facet', 'repeat', 'spec'].some(key => key in spec)
  )
}

function isVegaSpec(spec: unknown): spec is Spec {
  return isRecord(spec) && Array.isArray(spec.data)
}
