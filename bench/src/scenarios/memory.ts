import type { Scenario } from '../shapes.ts'
import { openDemo } from '../support/data-client.ts'
import { drive } from '../support/drive-load.ts'
import { peer } from '../support/paths.ts'
import { startPlatform } from '../support/platform.ts'
import { residentMebibytes } from '../support/process-facts.ts'
import { startServer } from '../support/start-server.ts'
import { summarise } from '../support/statistics.ts'
import { cachedQueries, connections } from './load-cached.ts'

export const memory: Scenario = {
  name: 'memory',
  describes: 'resident memory of the server process',
  async run({ quick, scope, say }) {
    const values = { started: [] as number[], driven: [] as number[], fastify: [] as number[] }
    for (let round = 0; round < (quick ? 1 : 3); round++) {
      const platform = await startPlatform(scope, { demo: true })
      const empty = await startServer(scope, {
        program: peer('fastify-server.ts'),
        environment: port => ({ PORT: String(port) }),
      })
      values.started.push(residentMebibytes(platform.pid))
      values.fastify.push(residentMebibytes(empty.pid))
      say('under load')
      const demo = await openDemo(platform)
      for (const query of Object.values(cachedQueries)) {
        const body = JSON.stringify({ query })
        await demo.load(query)
        const seconds = quick ? 3 : 8
        await drive(scope, { url: demo.loadUrl, headers: demo.headers, body, connections, seconds })
      }
      values.driven.push(residentMebibytes(platform.pid))
      await Promise.all([platform.stop(), empty.stop()])
    }
    const beside = { what: 'an empty Fastify server', summary: summarise(values.fastify) }
    return [
      {
        what: 'resident memory after start',
        unit: 'MiB',
        hedron: summarise(values.started),
        beside,
        goal: null,
        note: 'The server process; its PostgreSQL and the engines of DuckDB are others.',
      },
      { what: 'resident memory after cached load', unit: 'MiB', hedron: summarise(values.driven), beside, goal: null },
    ]
  },
}
