import type { Sample } from './exposition.ts'

/** Durations by class. */
export interface Histogram {
  add(seconds: number): void
  /** Under a name that says that they are seconds. */
  samples(labels?: Readonly<Record<string, string>>): readonly Sample[]
}

/** @param bounds upper bounds of the classes, in seconds, rising */
export function createHistogram(bounds: readonly number[]): Histogram {
  // How many were at most as long as each bound, and longer than the one before; the last: longer than all.
  const classes = Array<number>(bounds.length + 1).fill(0)
  let sum = 0
  return {
    add(seconds) {
      const found = bounds.findIndex(bound => seconds <= bound)
      const index = found < 0 ? bounds.length : found
      classes[index] = (classes[index] ?? 0) + 1
      sum += seconds
    },
    samples(labels = {}) {
      let count = 0
      const buckets = classes.map((inClass, index) => {
        count += inClass
        return { suffix: '_bucket', labels: { ...labels, le: String(bounds[index] ?? '+Inf') }, value: count }
      })
      return [...buckets, { suffix: '_sum', labels, value: sum }, { suffix: '_count', labels, value: count }]
    },
  }
}
