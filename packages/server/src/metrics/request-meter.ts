import type { Metric } from './exposition.ts'
import { createHistogram, type Histogram } from './histogram.ts'

/** Upper bounds of the classes of durations, in seconds. */
const bounds = [0.001, 0.005, 0.025, 0.1, 0.5, 1, 5, 30]

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
  const durations = new Map<string, Histogram>()

  return {
    count(action, status, seconds) {
      const ofAction = answers.get(action) ?? new Map<number, number>()
      answers.set(action, ofAction)
      ofAction.set(status, (ofAction.get(status) ?? 0) + 1)
      const took = durations.get(action) ?? createHistogram(bounds)
      durations.set(action, took)
      took.add(seconds)
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
        samples: [...durations].flatMap(([action, took]) => took.samples({ action })),
      },
    ],
  }
}
