import { numberOf, type Result } from '../results/result.ts'

/** A place that something flows through, in the room that there is; all in pixels. */
export interface FlowNode {
  readonly name: string
  readonly level: number
  readonly x: number
  readonly y: number
  readonly height: number
  readonly value: number
}

/** What flows from one to another; `y0` and `y1` are the upper edges at both ends. */
export interface Flow {
  readonly from: FlowNode
  readonly to: FlowNode
  readonly value: number
  readonly width: number
  readonly y0: number
  readonly y1: number
}

export interface FlowLayout {
  readonly nodes: readonly FlowNode[]
  readonly flows: readonly Flow[]
  /** Rows that no flow can be drawn of: without a figure above zero. */
  readonly leftOut: number
  /** More places than can be drawn apart. */
  readonly isTooMuch: boolean
}

export const nodeWidth = 10
const gap = 10
const mostNodes = 200

/** The columns of a flow: two texts or more that follow each other, and the figure; null where there are none. */
export function flowColumns(result: Result): { readonly steps: readonly number[]; readonly figure: number } | null {
  const figure = result.columns.findIndex(({ isMeasure, type }) => isMeasure ?? type === 'number')
  const steps = result.columns.flatMap((_, at) => (at === figure || result.columns[at]?.isMeasure === true ? [] : [at]))
  return figure < 0 || steps.length < 2 ? null : { steps, figure }
}

/**
 * Places the flows of a result: each text column is a level, each of its values a place as high as what flows through it. A value that stands in two
 * columns is two places, so nothing flows in a circle.
 *
 * @returns null where the result has not the columns for it.
 */
export function layFlows(result: Result, width: number, height: number): FlowLayout | null {
  const columns = flowColumns(result)
  if (columns === null) return null
  const { steps, figure } = columns
  const sums = new Map<string, number>()
  const through = steps.map(() => new Map<string, number>())
  let leftOut = 0
  for (const row of result.rows) {
    const value = numberOf(row[figure])
    if (!(value > 0)) {
      leftOut++
      continue
    }
    steps.forEach((at, level) => {
      const name = nameOf(row[at])
      const level0 = through[level]
      level0?.set(name, (level0.get(name) ?? 0) + value)
      const next = steps[level + 1]
      if (next === undefined) return
      const key = JSON.stringify([level, name, nameOf(row[next])])
      sums.set(key, (sums.get(key) ?? 0) + value)
    })
  }
  const most = Math.max(...through.map(({ size }) => size))
  if (most > mostNodes) return { nodes: [], flows: [], leftOut, isTooMuch: true }
  const total = [...(through[0]?.values() ?? [])].reduce((sum, value) => sum + value, 0)
  const room = Math.max(height - gap * (most - 1), height / 3)
  const space = most > 1 ? (height - room) / (most - 1) : 0
  const scale = total === 0 ? 0 : room / total
  const nodes = new Map<string, FlowNode>()
  through.forEach((values, level) => {
    const x = steps.length === 1 ? 0 : (level * (width - nodeWidth)) / (steps.length - 1)
    let y = 0
    for (const [name, value] of [...values].sort(([, one], [, other]) => other - one)) {
      nodes.set(keyOf(level, name), { name, level, x, y, height: value * scale, value })
      y += value * scale + space
    }
  })
  const placed = [...sums].flatMap(([key, value]) => {
    const [level, source, target]: [number, string, string] = JSON.parse(key)
    const from = nodes.get(keyOf(level, source))
    const to = nodes.get(keyOf(level + 1, target))
    return from && to ? [{ from, to, value }] : []
  })
  // At each place flows stand in the order of where they go to and come from, so that few cross.
  placed.sort((one, other) => one.from.y - other.from.y || one.to.y - other.to.y)
  const out = new Map<FlowNode, number>()
  const left = placed.map(flow => {
    const y0 = flow.from.y + (out.get(flow.from) ?? 0)
    out.set(flow.from, (out.get(flow.from) ?? 0) + flow.value * scale)
    return { ...flow, width: flow.value * scale, y0 }
  })
  const into = new Map<FlowNode, number>()
  const flows = [...left]
    .sort((one, other) => one.to.y - other.to.y || one.from.y - other.from.y)
    .map(flow => {
      const y1 = flow.to.y + (into.get(flow.to) ?? 0)
      into.set(flow.to, (into.get(flow.to) ?? 0) + flow.width)
      return { ...flow, y1 }
    })
  return { nodes: [...nodes.values()], flows, leftOut, isTooMuch: false }
}

const keyOf = (level: number, name: string): string => `${level} ${name}`
const nameOf = (cell: unknown): string => (cell === null || cell === undefined || cell === '' ? '–' : String(cell))
