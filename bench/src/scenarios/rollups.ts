import { readFlightsExample } from '@hedron/example-flights'
import * as z from 'zod'
import type { Figure, Scenario } from '../shapes.ts'
import { type DataClient, openDemo } from '../support/data-client.ts'
import { interleave, timed } from '../support/interleave.ts'
import { type Platform, startPlatform } from '../support/platform.ts'

const path = 'model/cubes/flights.yml'

const preAggregations = `
    pre_aggregations:
      - name: by_day
        measures: [count, delayed_count, longest_delay, distance_flown]
        dimensions: [origin, punctuality]
        time_dimension: departed_at
        granularity: day
        refresh_key: { every: 1 day }
`

/** All of which the rollup has. */
const shapes: Readonly<Record<string, object>> = {
  'one number': { measures: ['flights.count'] },
  'six months': {
    measures: ['flights.share_delayed'],
    timeDimensions: [{ dimension: 'flights.departed_at', granularity: 'month' }],
  },
  'top 20 airports': {
    measures: ['flights.distance_flown'],
    dimensions: ['flights.origin'],
    order: { 'flights.distance_flown': 'desc' },
    limit: 20,
  },
  'three months by day and punctuality': {
    measures: ['flights.count', 'flights.longest_delay'],
    dimensions: ['flights.punctuality'],
    timeDimensions: [{ dimension: 'flights.departed_at', granularity: 'day', dateRange: ['2001-02-01', '2001-04-30'] }],
  },
}

const Rows = z.object({ external: z.boolean(), data: z.array(z.unknown()) })
const Branch = z.object({ branchName: z.string() })

export const rollups: Scenario = {
  name: 'rollups',
  describes: '/load over three million rows with a rollup and without, not cached, over HTTP',
  async run({ quick, scope, say }) {
    const platform = await startPlatform(scope, { demo: true })
    const without = await openDemo(platform)
    const kept = await openDemo(platform, await branchWithRollup(platform, without.deploymentId))
    const build = await timed(() => untilKept(kept))
    say(`built within ${Math.round(build)} ms`)
    const figures: Figure[] = []
    for (const [name, query] of Object.entries(shapes)) {
      say(name)
      const [ours, theirs] = await Promise.all(
        [kept, without].map(async each => Rows.parse(JSON.parse(await each.load(query, 'no-cache')))),
      )
      if (ours?.external !== true || theirs?.external !== false)
        throw new Error(`${name}: the rollup is not what answers`)
      if (JSON.stringify(ours.data) !== JSON.stringify(theirs.data))
        throw new Error(`${name}: other rows from the rollup`)
      const measured = await interleave(
        { rounds: quick ? 10 : 60, warmUps: 3 },
        {
          rollup: () => timed(() => kept.load(query, 'no-cache')),
          source: () => timed(() => without.load(query, 'no-cache')),
        },
      )
      const [rollup, source] = [measured('rollup'), measured('source')]
      figures.push({
        what: `/load from a rollup: ${name}`,
        unit: 'ms',
        hedron: rollup,
        beside: { what: 'the same query without the rollup', summary: source },
        goal: null,
        isHeadline: name.startsWith('three months'),
        note: `${ours.data.length} rows.`,
      })
    }
    return figures
  },
}

async function branchWithRollup(platform: Platform, deploymentId: number): Promise<string> {
  const base = `/build/api/v1/deployments/${deploymentId}`
  const { branchName } = await platform.call(Branch, 'POST', `${base}/dev-mode`, { branchName: 'main' })
  const content = (await readFlightsExample()).files.get(path)
  if (content === undefined) throw new Error(`the demo has no ${path}`)
  const files = [{ path, content: content.trimEnd() + preAggregations }]
  await platform.call(z.unknown(), 'PUT', `${base}/data-model/files`, { branchName, files })
  return branchName
}

async function untilKept(client: DataClient): Promise<void> {
  const deadline = performance.now() + 120_000
  while (!Rows.parse(JSON.parse(await client.load({ measures: ['flights.count'] }))).external) {
    if (performance.now() > deadline) throw new Error('the rollup was not built within two minutes')
    await new Promise(resolve => setTimeout(resolve, 50))
  }
}
