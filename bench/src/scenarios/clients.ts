import type { Figure, Scenario } from '../shapes.ts'
import { openDemo } from '../support/data-client.ts'
import { type Driven, drive } from '../support/drive-load.ts'
import { startPlatform } from '../support/platform.ts'
import { summarise } from '../support/statistics.ts'
import { cachedQueries } from './load-cached.ts'

const crowds = [1, 4, 16, 64, 256] as const
/** Quick to compute, so that what many clients do to each other is seen rather than the engine's speed. */
const uncached = { query: { measures: ['flights.count'] }, cache: 'no-cache' }

export const clients: Scenario = {
  name: 'clients',
  describes: `/load by ${crowds.join(', ')} clients at once, cached and not`,
  async run({ quick, scope, say }) {
    const platform = await startPlatform(scope, { demo: true })
    const demo = await openDemo(platform)
    const cached = { query: cachedQueries['6 rows'] }
    const figures: Figure[] = []
    for (const [name, body] of Object.entries({ cached, uncached })) {
      await demo.load(body.query ?? {})
      const target = { url: demo.loadUrl, headers: demo.headers, body: JSON.stringify(body), seconds: quick ? 2 : 5 }
      let alone: readonly Driven[] = []
      for (const connections of crowds) {
        say(`${name}, ${connections}`)
        const driven: Driven[] = []
        // What is not answered, or not with 2xx, ends the measurement.
        for (let round = 0; round < (quick ? 1 : 3); round++)
          driven.push(await drive(scope, { ...target, connections }))
        if (connections === 1) alone = driven
        figures.push(figureOf(name, connections, driven, alone))
      }
    }
    return figures
  },
}

function figureOf(name: string, connections: number, driven: readonly Driven[], alone: readonly Driven[]): Figure {
  const rates = (of: readonly Driven[]) => summarise(of.map(({ requestsPerSecond }) => requestsPerSecond))
  const [ours, one] = [rates(driven), rates(alone)]
  const latency = (part: 'p50' | 'p99') => summarise(driven.map(({ latency }) => latency[part])).median
  return {
    what: `/load ${name}, ${connections} ${connections === 1 ? 'client' : 'clients'}`,
    unit: 'requests/s',
    hedron: ours,
    beside: connections === 1 ? null : { what: 'one client', summary: one },
    goal: { text: 'no error', met: true },
    note: `50th percentile ${latency('p50')} ms, 99th ${latency('p99')} ms.`,
  }
}
