import type { Figure, Summary, Unit } from '../shapes.ts'
import { ratioOf } from '../support/statistics.ts'
import { alignTable } from './align-table.ts'

/** How each unit is written: digits behind the point, below and from ten. */
const digits: Readonly<Record<Unit, readonly [small: number, large: number]>> = {
  ms: [2, 1],
  'files/s': [0, 0],
  'requests/s': [0, 0],
  requests: [0, 0],
  'rows/s': [0, 0],
  kB: [1, 1],
  MiB: [1, 0],
}
/** From so many rounds on the 99th percentile says more than the extremes. */
const roundsForPercentile = 100

const header = ['what', 'Hedron', 'beside', 'measured', 'ratio', 'goal', '', 'rounds'] as const

/** All figures as a Markdown table, its columns aligned so that it also reads in a terminal. */
export function writeTable(figures: readonly Figure[]): string {
  const rows = figures.map(figure => [
    figure.what,
    writeSummary(figure.hedron, figure.unit),
    figure.beside?.what ?? '',
    figure.beside === null ? '' : writeSummary(figure.beside.summary, figure.unit),
    writeRatio(figure),
    figure.goal?.text ?? '',
    figure.goal === null ? '' : figure.goal.met ? 'yes' : 'NO',
    String(figure.hedron.rounds),
  ])
  return alignTable([header, ...rows])
}

/** The medians of the few figures that the README shows. */
export function writeHeadlines(figures: readonly Figure[]): string {
  const rows = figures
    .filter(({ isHeadline }) => isHeadline)
    .map(({ what, unit, hedron, beside }) => [
      what,
      writeMedian(hedron, unit),
      beside === null ? '' : `${writeMedian(beside.summary, unit)}, ${beside.what}`,
    ])
  return alignTable([['', 'Hedron', 'beside'], ...rows])
}

const writeValue = (value: number, unit: Unit) => {
  // What takes microseconds is written to the microsecond.
  if (unit === 'ms' && value < 0.1) return value.toFixed(3)
  return value.toFixed(digits[unit][Math.abs(value) < 10 ? 0 : 1])
}
const writeMedian = ({ median }: Summary, unit: Unit) => `${writeValue(median, unit)} ${unit}`

function writeSummary({ median, p99, minimum, maximum, rounds }: Summary, unit: Unit): string {
  const write = (value: number) => writeValue(value, unit)
  if (rounds === 1) return `${write(median)} ${unit}`
  const spread = rounds < roundsForPercentile ? `${write(minimum)}–${write(maximum)}` : `p99 ${write(p99)}`
  return `${write(median)} ${unit} (${spread})`
}

function writeRatio(figure: Figure): string {
  const ratio = ratioOf(figure)
  return ratio === null ? '' : `${ratio.toPrecision(ratio < 100 ? 3 : 4)}x`
}
