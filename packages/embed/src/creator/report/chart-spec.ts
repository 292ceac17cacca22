/** What reports can be shown as; the first are drawn by Vega-Lite. */
export const chartKinds = [
  'bar',
  'row',
  'line',
  'area',
  'pie',
  'points',
  'heatmap',
  'table',
  'figure',
  'map',
  'sankey',
] as const
export type ChartKind = (typeof chartKinds)[number]

/** A column that a chart can be made of. */
export interface Field {
  readonly name: string
  readonly type: 'nominal' | 'temporal' | 'quantitative'
}

interface Shown {
  readonly kind: 'vega' | 'table' | 'kpi' | 'map' | 'sankey'
  readonly spec: Record<string, unknown> | null
}

/** Kinds that have a series for each figure, while no category takes the colours. */
const seriesKinds: readonly ChartKind[] = ['bar', 'row', 'line', 'area']
const hasSeries = (kind: ChartKind, categories: number, figures: number) =>
  seriesKinds.includes(kind) && categories === 1 && figures > 1

/** Whether a kind shows the first figure alone of those that are asked. */
export function leavesFiguresOut(kind: ChartKind, categories: number, figures: number): boolean {
  if (figures < 2 || ['table', 'map', 'points'].includes(kind)) return false
  return !hasSeries(kind, categories, figures)
}

/**
 * How columns are shown: categories and times in their order, and the first figure, or a series for each. What a kind has not the columns for is a
 * table, or the figure alone.
 */
export function shownAs(kind: ChartKind, categories: readonly Field[], figures: readonly Field[]): Shown {
  if (kind === 'table' || kind === 'map' || kind === 'sankey') return { kind, spec: null }
  const [x, other] = categories
  const [y, second] = figures
  if (y === undefined) return { kind: 'table', spec: null }
  if (kind === 'figure' || x === undefined) return { kind: 'kpi', spec: null }
  const color = other === undefined ? {} : { color: encoded(other) }
  if (hasSeries(kind, categories.length, figures.length)) return inSeries(kind, x, figures)
  switch (kind) {
    case 'row':
      return vega('bar', { y: { ...encoded(x), sort: '-x' }, x: encoded(y), ...color })
    case 'pie':
      return vega('arc', { theta: encoded(y), color: { ...encoded(x), type: 'nominal' } })
    case 'points':
      return second === undefined
        ? vega('point', { x: encoded(x), y: encoded(y), ...color })
        : vega('point', { x: encoded(y), y: encoded(second), color: encoded(x) })
    case 'heatmap':
      return other === undefined
        ? vega('rect', { x: ordinal(x), color: encoded(y) })
        : vega('rect', { x: ordinal(x), y: ordinal(other), color: encoded(y) })
    default:
      return vega(kind, { x: encoded(x), y: encoded(y), ...color })
  }
}

/** A figure beside the other: bars side by side, lines and areas over each other. */
function inSeries(kind: ChartKind, x: Field, figures: readonly Field[]): Shown {
  const transform = [{ fold: figures.map(({ name }) => name), as: ['measure', 'value'] }]
  const value = { field: 'value', type: 'quantitative' }
  const color = { field: 'measure', type: 'nominal' }
  const encoding =
    kind === 'row'
      ? { y: { ...ordinal(x), sort: '-x' }, x: value, yOffset: { field: 'measure' }, color }
      : kind === 'bar'
        ? { x: ordinal(x), y: value, xOffset: { field: 'measure' }, color }
        : { x: encoded(x), y: { ...value, stack: null }, color }
  return { kind: 'vega', spec: { mark: kind === 'row' ? 'bar' : kind, transform, encoding } }
}

const vega = (mark: string, encoding: object): Shown => ({ kind: 'vega', spec: { mark, encoding } })
/** A dot in the name of a column is part of it (Vega-Lite, field definitions). */
const encoded = ({ name, type }: Field) => ({ field: name, type })
const ordinal = (field: Field) => ({ ...encoded(field), type: field.type === 'nominal' ? 'nominal' : 'ordinal' })

/** The kind that a specification was made as; null for one that was made elsewhere. */
export function kindOf(kind: string | null | undefined, spec: unknown): ChartKind | null {
  if (kind === 'kpi') return 'figure'
  if (kind === 'table' || kind === 'map' || kind === 'sankey') return kind
  if (kind !== 'vega' || typeof spec !== 'object' || spec === null)
    return kind === 'vega' || kind === 'html' ? null : 'table'
  const { mark, encoding, transform, ...more }: { mark?: unknown; encoding?: unknown; transform?: unknown } = {
    ...spec,
  }
  const isPlain =
    transform === undefined || (Array.isArray(transform) && transform.every(step => 'fold' in Object(step)))
  if (Object.keys(more).length > 0 || !isPlain) return null
  const channels = typeof encoding === 'object' && encoding !== null ? Object.entries(encoding) : []
  const isSideways = channels.some(([channel, one]) => channel === 'y' && Object(one).sort === '-x')
  const kinds: Readonly<Record<string, ChartKind>> = {
    bar: isSideways ? 'row' : 'bar',
    line: 'line',
    area: 'area',
    arc: 'pie',
    point: 'points',
    rect: 'heatmap',
  }
  return typeof mark === 'string' ? (kinds[mark] ?? null) : null
}
