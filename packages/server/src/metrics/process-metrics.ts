import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { Metric } from './exposition.ts'

/** What the process itself takes, and how long it keeps others waiting. */
export interface ProcessMeter {
  metrics(): readonly Metric[]
  close(): void
}

export function createProcessMeter(): ProcessMeter {
  const delay = monitorEventLoopDelay({ resolution: 20 })
  delay.enable()
  return {
    metrics() {
      const { rss, heapUsed, external } = process.memoryUsage()
      const gauge = (name: string, help: string, value: number): Metric => ({
        name,
        help,
        type: 'gauge',
        samples: [{ value }],
      })
      const quantiles = [0.5, 0.99, 1].map(quantile => ({
        labels: { quantile: String(quantile) },
        value: delay.percentile(quantile * 100) / 1e9,
      }))
      delay.reset()
      return [
        gauge('process_resident_memory_bytes', 'Memory of the process.', rss),
        gauge('nodejs_heap_used_bytes', 'Memory that JavaScript takes.', heapUsed),
        gauge('nodejs_external_memory_bytes', 'Memory outside of the heap that JavaScript holds.', external),
        gauge('process_uptime_seconds', 'Since the start.', process.uptime()),
        {
          name: 'hedron_event_loop_delay_seconds',
          help: 'How late the event loop was since the last look.',
          type: 'gauge',
          samples: quantiles,
        },
      ]
    },
    close: () => delay.disable(),
  }
}
