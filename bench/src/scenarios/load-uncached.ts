import * as z from 'zod'
import type { Figure, Scenario } from '../shapes.ts'
import { openDemo } from '../support/data-client.ts'
import { demoData } from '../support/demo-data.ts'
import { startDirectDuckDb } from '../support/direct-duckdb.ts'
import { interleave, timed } from '../support/interleave.ts'
import { startPlatform } from '../support/platform.ts'

const shapes: Readonly<Record<string, object>> = {
  'one number': { measures: ['flights.count'] },
  'six months': {
    measures: ['flights.count', 'flights.average_delay'],
    timeDimensions: [{ dimension: 'flights.departed_at', granularity: 'month' }],
  },
  'top 20 cities, one join': {
    measures: ['flight_facts.count'],
    dimensions: ['flight_facts.origin_city'],
    order: { 'flight_facts.count': 'desc' },
    limit: 20,
  },
  'pairs of states, two joins': {
    measures: ['flight_facts.share_delayed'],
    dimensions: ['flight_facts.origin_state', 'flight_facts.destination_state'],
  },
  'delayed, by day and punctuality': {
    measures: ['flights.count', 'flights.longest_delay'],
    dimensions: ['flights.punctuality'],
    segments: ['flights.delayed'],
    timeDimensions: [{ dimension: 'flights.departed_at', granularity: 'day', dateRange: ['2001-02-01', '2001-04-30'] }],
  },
  'distinct routes by origin': { measures: ['flights.routes'], dimensions: ['flights.origin'] },
  '10,000 rows': {
    measures: ['flights.count'],
    dimensions: ['flights.origin', 'flights.destination', 'flights.punctuality'],
    limit: 10_000,
  },
}

const Rows = z.object({ data: z.array(z.unknown()) })

export const loadUncached: Scenario = {
  name: 'load-uncached',
  describes: '/load over three million rows, not cached, over HTTP',
  async run({ quick, scope, say }) {
    const platform = await startPlatform(scope, { demo: true })
    const demo = await openDemo(platform)
    const duckdb = await startDirectDuckDb(scope, await demoData(platform))
    const figures: Figure[] = []
    for (const [name, query] of Object.entries(shapes)) {
      say(name)
      const statement = await demo.sql(query)
      const loaded = Rows.parse(JSON.parse(await demo.load(query, 'no-cache'))).data.length
      const { rows } = await duckdb.run(statement)
      if (rows !== loaded) throw new Error(`${name}: ${loaded} rows from Hedron, ${rows} from DuckDB`)
      const measured = await interleave(
        { rounds: quick ? 10 : 60, warmUps: 3 },
        {
          hedron: () => timed(() => demo.load(query, 'no-cache')),
          duckdb: async () => (await duckdb.run(statement)).milliseconds,
        },
      )
      const [hedron, direct] = [measured('hedron'), measured('duckdb')]
      figures.push({
        what: `/load uncached: ${name}`,
        unit: 'ms',
        hedron,
        beside: { what: 'the same SQL in DuckDB', summary: direct },
        goal: { text: 'at most 1.15x + 5 ms', met: hedron.median <= direct.median * 1.15 + 5 },
        isHeadline: name.startsWith('top 20 cities'),
        note: `${rows} rows.`,
      })
    }
    return figures
  },
}
