import type { Metric, Sample } from './exposition.ts'

/** Upper bounds of the classes of durations, in seconds. */
const bounds = [0.001, 0.005, 0.025, 0.1, 0.5, 1, 5, 30]

interface Durations {
  /** How many were at most as long as each bound, and longer than the one before; the last: longer than all. */
  readonly classes: number[]
  sum: number
}

/**
 * Counts the requests of the data API by what they asked for and how they were answered. Never by deployment or by caller: there are
 * any number of those.
 */
export interface RequestMeter {
  count(action: string, status: number, seconds: number): void
  metrics(): readonly Metric[]
}

export function createRequestMeter(): RequestMeter {
  const answers = new Map<string, Map<number, number>>()
  const durations = new Map<string, Durations>()

  return {
    count(action, status, seconds) {
      const ofAction = answers.get(action) ?? new Map<number, number>()
      answers.set(action, ofAction)
      ofAction.set(status, (ofAction.get(status) ?? 0) + 1)
      const took = durations.get(action) ?? { classes: Array<number>(bounds.length + 1).fill(0), sum: 0 }
      durations.set(action, took)
      const found = bounds.findIndex(bound => seconds <= bound)
      const index = found < 0 ? bounds.length : found
      took.classes[index] = (took.classes[index] ?? 0) + 1
      took.sum += seconds
    },
    metrics: () => [
      {
        name: 'hedron_data_requests_total',
        help: 'Requests of the data API by what they asked for and the status of the answer.',
        type: 'counter',
        samples: [...answers].flatMap(([action, ofAction]) =>
          [...ofAction].map(([status, value]) => ({ labels: { action, status: String(status) }, value })),
        ),
      },
      {
        name: 'hedron_data_request_duration_seconds',
        help: 'How long requests of the data API took.',
        type: 'histogram',
        samples: [...durations].flatMap(([action, took]) => histogram(action, took)),
      },
    ],
  }
}

function histogram(action: string, { classes, sum }: Durations): readonly Sample[] {
  let count = 0
  const buckets = classes.map((inClass, index) => {
    count += inClass
    return { suffix: '_bucket', labels: { action, le: String(bounds[index] ?? '+Inf') }, value: count }
  })
  return [
    ...buckets,
    { suffix: '_sum', labels: { action }, value: sum },
    { suffix: '_count', labels: { action }, value: count },
  ]
}
