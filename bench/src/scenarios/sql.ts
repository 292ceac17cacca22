import type { Figure, Scenario } from '../shapes.ts'
import { openDemo } from '../support/data-client.ts'
import { interleave, timed } from '../support/interleave.ts'
import { startPlatform } from '../support/platform.ts'

/** The same question as a query of `/load` and as a statement. */
const questions: Readonly<Record<string, { readonly query: object; readonly statement: string }>> = {
  'one number': {
    query: { measures: ['flights.count'] },
    statement: 'SELECT MEASURE(count) FROM flights',
  },
  'six months': {
    query: {
      measures: ['flights.count', 'flights.average_delay'],
      timeDimensions: [{ dimension: 'flights.departed_at', granularity: 'month' }],
    },
    statement: `SELECT date_trunc('month', departed_at), MEASURE(count), MEASURE(average_delay) FROM flights GROUP BY 1 ORDER BY 1`,
  },
  'top 20 cities, one join': {
    query: {
      measures: ['flight_facts.count'],
      dimensions: ['flight_facts.origin_city'],
      order: { 'flight_facts.count': 'desc' },
      limit: 20,
    },
    statement: 'SELECT origin_city, MEASURE(count) FROM flight_facts GROUP BY 1 ORDER BY 2 DESC LIMIT 20',
  },
  'delayed, by punctuality': {
    query: {
      measures: ['flights.count', 'flights.longest_delay'],
      dimensions: ['flights.punctuality'],
      segments: ['flights.delayed'],
    },
    statement: 'SELECT punctuality, MEASURE(count), MEASURE(longest_delay) FROM flights WHERE delayed GROUP BY 1',
  },
}

export const sql: Scenario = {
  name: 'sql',
  describes: 'the same questions through cubesql and through /load, not cached and cached',
  async run({ quick, scope, say }) {
    const platform = await startPlatform(scope, { demo: true })
    const demo = await openDemo(platform)
    const figures: Figure[] = []
    for (const [name, { query, statement }] of Object.entries(questions)) {
      const loaded = JSON.parse(await demo.load(query)).data.length
      const rows = rowsOf(await demo.cubesql(statement))
      if (rows !== loaded) throw new Error(`${name}: ${loaded} rows by /load, ${rows} by cubesql`)
      for (const cache of ['no-cache', undefined] as const) {
        const kind = cache === undefined ? 'cached' : 'uncached'
        say(`${name}, ${kind}`)
        const measured = await interleave(
          { rounds: (quick ? 10 : 60) * (cache === undefined ? 5 : 1), warmUps: 3 },
          {
            sql: () => timed(() => demo.cubesql(statement, cache)),
            load: () => timed(() => demo.load(query, cache)),
          },
        )
        const [ours, theirs] = [measured('sql'), measured('load')]
        figures.push({
          what: `cubesql ${kind}: ${name}`,
          unit: 'ms',
          hedron: ours,
          beside: { what: 'the same by /load', summary: theirs },
          goal: { text: 'at most 1.25x + 5 ms', met: ours.median <= theirs.median * 1.25 + 5 },
          note: `${rows} rows.`,
        })
      }
    }
    return figures
  },
}

/** Of an answer in lines. */
const rowsOf = (text: string): number =>
  text
    .split('\n')
    .filter(line => line.startsWith('{"data"'))
    .reduce((count, line) => count + Number(JSON.parse(line).data.length), 0)
