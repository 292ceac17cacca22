import type { Figure, Summary } from '../shapes.ts'

/** @param values at least one */
export function summarise(values: readonly number[]): Summary {
  if (values.length === 0) throw new Error('nothing was measured')
  const sorted = values.toSorted((left, right) => left - right)
  return {
    rounds: sorted.length,
    median: (quantile(sorted, 0.5, Math.floor) + quantile(sorted, 0.5, Math.ceil)) / 2,
    p99: quantile(sorted, 0.99, Math.ceil),
    minimum: sorted[0] ?? Number.NaN,
    maximum: sorted.at(-1) ?? Number.NaN,
  }
}

const quantile = (sorted: readonly number[], part: number, round: (place: number) => number): number =>
  sorted[round((sorted.length - 1) * part)] ?? Number.NaN

/** Hedron's median over the other's; null where nothing stands beside it. */
export const ratioOf = ({ hedron, beside }: Pick<Figure, 'hedron' | 'beside'>): number | null =>
  beside === null ? null : hedron.median / beside.summary.median
