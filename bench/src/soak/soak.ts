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
import { judgeSoak, type Verdict } from './verdict.ts'
import { readMetrics, restless, takeVitalSigns, type VitalSigns } from './vital-signs.ts'
import { startWorld, type World } from './world.ts'

/** Seconds of a first load, after which caches are full and what is held is taken as the measure. */
const warmUpSeconds = (seconds: number) => Math.min(60, Math.max(15, seconds / 4))
/** How long the platform may take to come to rest: queries that nobody asks for again are given up after two minutes. */
const shortRest = 40_000
const longRest = 150_000
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
  const patience = seconds >= longSoak ? longRest : shortRest

  const warmUp = warmUpSeconds(seconds)
  say(`warming up for ${Math.round(warmUp)} s`)
  await runFor(world, clients, warmUp)
  await comeToRest(world, patience, say)
  const before = await takeVitalSigns(world, true)
  say(`at rest: ${writeSigns(before)}`)

  say(`under load for ${Math.round(seconds)} s`)
  const during = await runFor(world, clients, seconds, signs => say(writeSigns(signs)))
  say('coming to rest')
  const isAtRest = await comeToRest(world, patience, say)
  const after = await takeVitalSigns(world, true)
  say(`at rest: ${writeSigns(after)}`)
  const exitCode = await world.server.stop()
  return judgeSoak({ world, before, during, after, isAtRest, exitCode, isLong: seconds >= longSoak })
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

/** Waits until nothing runs, waits or is held. @returns whether it came to that */
async function comeToRest({ server }: World, patience: number, say: (message: string) => void): Promise<boolean> {
  const deadline = performance.now() + patience
  for (;;) {
    const metrics = await readMetrics(server.baseUrl)
    const left = restless.filter(name => metrics.get(name) !== 0)
    if (left.length === 0) break
    if (performance.now() > deadline) {
      say(`not at rest after ${patience / 1000} s: ${left.map(name => `${name} ${metrics.get(name)}`).join(', ')}`)
      return false
    }
    await pause(pollEvery, new AbortController().signal)
  }
  return true
}

function writeSigns({
  residentMebibytes,
  heapMebibytes,
  descriptors,
  connections,
  busyConnections,
  metrics,
}: VitalSigns): string {
  return [
    `resident ${Math.round(residentMebibytes)} MiB`,
    `heap ${heapMebibytes?.toFixed(1)} MiB`,
    `cache ${((metrics.get('hedron_query_cache_bytes') ?? 0) / 2 ** 20).toFixed(1)} MiB`,
    `${descriptors} descriptors`,
    `${connections} connections at the source, ${busyConnections} busy`,
    `${metrics.get('hedron_queries_running')} running, ${metrics.get('hedron_queries_waiting')} waiting`,
  ].join(', ')
}
