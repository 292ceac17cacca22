import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Figure, Scenario } from '../shapes.ts'
import { openDemo } from '../support/data-client.ts'
import { coresOf, type Drive, drive } from '../support/drive-load.ts'
import { interleave } from '../support/interleave.ts'
import { peer } from '../support/paths.ts'
import { startPlatform } from '../support/platform.ts'
import { processorMilliseconds } from '../support/process-facts.ts'
import type { Scope } from '../support/scope.ts'
import { startServer } from '../support/start-server.ts'
import { summarise } from '../support/statistics.ts'

export const connections = 16

/** By what comes back; 181 days are the most that a chart of the demo has. */
export const cachedQueries: Readonly<Record<string, object>> = {
  '6 rows': {
    measures: ['flight_facts.count', 'flight_facts.average_delay'],
    timeDimensions: [{ dimension: 'flight_facts.departed_at', granularity: 'month' }],
  },
  '181 rows': {
    measures: ['flight_facts.count', 'flight_facts.share_delayed'],
    timeDimensions: [{ dimension: 'flight_facts.departed_at', granularity: 'day' }],
  },
}

export const loadCached: Scenario = {
  name: 'load-cached',
  describes: '/load from the cache, requests per second',
  async run({ quick, scope, say }) {
    const cores = coresOf()
    const core = cores === null ? {} : { core: cores.server }
    const platform = await startPlatform(scope, { demo: true, ...core })
    const demo = await openDemo(platform)
    const figures: Figure[] = []
    for (const [name, query] of Object.entries(cachedQueries)) {
      say(name)
      const answer = await demo.load(query)
      const constant = await startConstantServer(scope, answer, cores?.server)
      const target = { headers: demo.headers, body: JSON.stringify({ query }), connections, seconds: quick ? 3 : 5 }
      const hedron = createDriven(scope, platform.pid, { ...target, url: demo.loadUrl })
      const peerServer = createDriven(scope, constant.pid, { ...target, url: `${constant.baseUrl}/load` })
      const measured = await interleave(
        { rounds: quick ? 2 : 6, warmUps: 1 },
        { hedron: hedron.run, constant: peerServer.run },
      )
      await constant.stop()
      const [ours, theirs] = [measured('hedron'), measured('constant')]
      figures.push({
        what: `/load cached: ${name}`,
        unit: 'requests/s',
        hedron: ours,
        beside: { what: 'Fastify answering a constant', summary: theirs },
        goal: { text: 'at least half', met: ours.median >= theirs.median / 2 },
        isHeadline: true,
        note: `${Buffer.byteLength(answer)} bytes, ${connections} kept connections, ${cores === null ? 'not pinned to cores' : 'server on one core, client on the other'}. Hedron ${hedron.describe()}; the constant ${peerServer.describe()}. The demo has no access policies.`,
      })
    }
    return figures
  },
}

const startConstantServer = async (scope: Scope, body: string, core: number | undefined) => {
  const file = join(await scope.folder(), 'body.json')
  await writeFile(file, body)
  return startServer(scope, {
    program: peer('fastify-server.ts'),
    environment: port => ({ PORT: String(port), BODY_FILE: file }),
    ...(core === undefined ? {} : { core }),
  })
}

/** Drives one server and keeps, beside the rate, what tells whether the server or the client was the limit. */
function createDriven(scope: Scope, pid: number, options: Drive) {
  const latencies: number[] = []
  const shares: number[] = []
  return {
    async run(): Promise<number> {
      const before = processorMilliseconds(pid)
      const began = performance.now()
      const { requestsPerSecond, latency } = await drive(scope, options)
      const after = processorMilliseconds(pid)
      if (before !== null && after !== null)
        shares.push((after - before) / Math.min(performance.now() - began, options.seconds * 1_000))
      latencies.push(latency.p99)
      return requestsPerSecond
    },
    describe(): string {
      const busy = shares.length === 0 ? '' : `, its core ${Math.round(summarise(shares).median * 100)}% busy`
      return `99th percentile ${summarise(latencies).median} ms${busy}`
    },
  }
}
