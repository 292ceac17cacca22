/** A part of a chart's specification: JSON that somebody wrote. */
export type Part = { readonly [key: string]: unknown }

export function isPart(value: unknown): value is Part {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Why a chart is not drawn. `key` says it in the viewer's language, `message` in the words of what refused it. */
export class ChartError extends Error {}

/** A specification, also as JSON text (contract, ReportMeta; SPEC, serviceSqlApi). */
export function readSpec(spec: unknown): Part {
  const value = typeof spec === 'string' ? parse(spec) : spec
  if (!isPart(value)) throw new ChartError('The chart has no specification: an object of Vega-Lite is expected.')
  return value
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new ChartError('The specification of the chart is not JSON.')
  }
}

/** Vega itself is told by its list of marks; everything else is Vega-Lite. */
export function isVega(spec: Part): boolean {
  return Array.isArray(spec.marks) || Array.isArray(spec.signals) || Array.isArray(spec.scales)
}

/** One plot, which can be made to fit a box; grids of plots cannot. */
export function isSingleView(spec: Part): boolean {
  const encoding = isPart(spec.encoding) ? spec.encoding : {}
  const isGrid = ['facet', 'hconcat', 'vconcat', 'concat', 'repeat'].some(key => key in spec)
  return !isGrid && !('row' in encoding || 'column' in encoding || 'facet' in encoding)
}

/** Type of a mark, which is written as a text or as an object. */
export function markType(spec: Part): string | undefined {
  const mark = isPart(spec.mark) ? spec.mark.type : spec.mark
  return typeof mark === 'string' ? mark : undefined
}

/** A specification and those that are layered or placed in it, outermost first. */
export function* views(spec: Part): Generator<Part> {
  yield spec
  for (const key of ['layer', 'hconcat', 'vconcat', 'concat']) {
    const parts = spec[key]
    if (Array.isArray(parts)) for (const part of parts) if (isPart(part)) yield* views(part)
  }
  if (isPart(spec.spec)) yield* views(spec.spec)
}

/** Every encoding of a specification, as channel and definition. */
export function* encodings(spec: Part): Generator<readonly [string, Part]> {
  for (const view of views(spec)) {
    if (!isPart(view.encoding)) continue
    for (const [channel, definition] of Object.entries(view.encoding)) {
      for (const one of Array.isArray(definition) ? definition : [definition]) if (isPart(one)) yield [channel, one]
    }
  }
}

/** The column that an encoding names: dots are written with a backslash before them, in brackets, or plainly. */
export function fieldOf(definition: Part): string | undefined {
  const { field } = definition
  return typeof field === 'string' ? field.replace(/\\(.)/g, '$1').replace(/^\[(['"])(.*)\1\]$/, '$2') : undefined
}
