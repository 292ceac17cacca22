import type { Scope } from '../support/scope.ts'
import { createChanges } from './changes.ts'
import { type Client, pause, runClients } from './client.ts'
import { createGraphqlClients } from './clients/graphql-clients.ts'
import { createLoadClients } from './clients/load-clients.ts'
import { createRudeClients } from './clients/rude-clients.ts'
import { createSocketClients } from './clients/socket-clients.ts'
import { createSqlClients } from './clients/sql-clients.ts'
import { createWireClients } from './clients/wire-clients.ts'
import { prepareQuestions } from './questions.ts'
import { sourceConcurrency } from './source.ts'
import { judgeSoak, type Verdict } from './verdict.ts'
import { busy, type Rest, restless, takeVitalSigns, type VitalSigns } from './vital-signs.ts'
import { startWorld, type World } from './world.ts'

/** Seconds of a first load, after which caches are full and what is held is taken as the measure. */
const warmUpSeconds = (seconds: number) => Math.min(40, Math.max(15, seconds / 4))
/**
 * How long the platform may take to come to rest: connections that nobody uses are ended after half a minute, queries that nobody asks
 * for again are given up after two minutes.
 */
const shortRest = 45_000
const longRest = 135_000
/** From so many seconds on the long rest is waited for. */
const longSoak = 180
const signsEvery = 10_000
const pollEvery = 500

export interface SoakPlan {
  readonly seconds: number
  /** Part of the names of the clients that take part, beside what changes; empty: all. */
  readonly name: string
}

/** Puts a platform under mixed load, lets it come to rest, and says whether all was well. */
export async function soak(
  scope: Scope,
  { seconds, name }: SoakPlan,
  say: (message: string) => void,
): Promise<Verdict> {
  const world = await startWorld(scope, say)
  const questions = await prepareQuestions(world)
  const asking = [
    ...createLoadClients(world, questions),
    ...createSqlClients(world),
    ...createGraphqlClients(world),
    ...createSocketClients(
      world,
      [...questions.ofSource].filter(({ total }) => total === undefined),
    ),
    ...createWireClients(world),
    ...createRudeClients(world),
  ]
  const clients: readonly Client[] = [
    ...asking.filter(client => client.name.includes(name)),
    ...(await createChanges(world)),
  ]

  const warmUp = warmUpSeconds(seconds)
  say(`warming up for ${Math.round(warmUp)} s`)
  await runFor(world, clients, warmUp)
  const before = await comeToRest(world, busy, shortRest, say)

  say(`under load for ${Math.round(seconds)} s`)
  const during = await runFor(world, clients, seconds, signs => say(writeSigns(signs)))
  say('coming to rest')
  const isLong = seconds >= longSoak
  const after = await comeToRest(world, isLong ? restless : busy, isLong ? longRest : shortRest, say)
  const exitCode = await world.server.stop()
  return judgeSoak({ world, before, during, after, exitCode, isLong })
}

async function runFor(
  world: World,
  clients: readonly Client[],
  seconds: number,
  tell: (signs: VitalSigns) => void = () => {},
): Promise<readonly VitalSigns[]> {
  const signs: VitalSigns[] = []
  const stopping = new AbortController()
  const watching = (async () => {
    while (!stopping.signal.aborted) {
      await pause(signsEvery, stopping.signal)
      if (stopping.signal.aborted) return
      if (!world.server.isRunning()) throw new Error(`the platform ended:\n${world.server.log().slice(-20).join('\n')}`)
      // The source may be away at this moment; the next look is soon.
      const taken = await takeVitalSigns(world, true).catch(() => null)
      if (taken === null) continue
      signs.push(taken)
      tell(taken)
    }
  })()
  const running = runClients(world, clients, stopping.signal)
  const over = pause(seconds * 1_000, stopping.signal)
  try {
    // What watches ends early only when the platform has.
    await Promise.race([over, watching])
  } finally {
    stopping.abort()
  }
  await Promise.all([running, watching])
  return signs
}

/**
 * Waits for a moment at which these gauges are 0 and the source has no more to do: rollups are refreshed on, so such moments pass.
 *
 * @returns the signs of that moment, or the last ones, and what was not at rest in them
 */
async function comeToRest(
  world: World,
  gauges: readonly string[],
  patience: number,
  say: (message: string) => void,
): Promise<Rest> {
  const deadline = performance.now() + patience
  for (;;) {
    const signs = await takeVitalSigns(world, false)
    const restless = gauges
      .map(name => [name, signs.metrics.get(name)] as const)
      .concat([['busy connections at the source', signs.busyConnections]])
      .filter(([, value]) => value !== 0)
      .map(([name, value]) => `${name} ${value}`)
    if (signs.connections > sourceConcurrency) restless.push(`${signs.connections} connections at the source`)
    const isLate = performance.now() > deadline
    if (restless.length > 0 && !isLate) {
      await pause(pollEvery, new AbortController().signal)
      continue
    }
    const rest = { ...(await takeVitalSigns(world, true)), restless }
    say(`${restless.length === 0 ? 'at rest' : `NOT at rest: ${restless.join(', ')}`}: ${writeSigns(rest)}`)
    return rest
  }
}

function writeSigns({
  residentMebibytes,
  engines,
  heapMebibytes,
  descriptors,
  connections,
  busyConnections,
  metrics,
}: VitalSigns): string {
  return [
    `resident ${Math.round(residentMebibytes)} MiB`,
    ...(engines ? [`${engines.count} engines of ${Math.round(engines.residentMebibytes)} MiB`] : []),
    `heap ${heapMebibytes?.toFixed(1)} MiB`,
    `cache ${((metrics.get('hedron_query_cache_bytes') ?? 0) / 2 ** 20).toFixed(1)} MiB`,
    `${descriptors} descriptors`,
    `${connections} connections at the source, ${busyConnections} busy`,
    `${metrics.get('hedron_queries_running')} running, ${metrics.get('hedron_queries_waiting')} waiting`,
  ].join(', ')
}
