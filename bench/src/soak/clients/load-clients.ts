import type { Client } from '../client.ts'
import { load } from '../data-client.ts'
import { askQuestion, type Question, type Questions } from '../questions.ts'
import { WrongAnswer } from '../refusal.ts'
import type { World } from '../world.ts'

/** Milliseconds: how old an answer may be that is kept for a second, on a machine however busy; and by how much two clocks may differ. */
const oldest = 60_000
const clockSlack = 20

const any = <T>(of: readonly T[]): T => {
  const found = of[Math.floor(Math.random() * of.length)]
  if (found === undefined) throw new Error('there is nothing to choose from')
  return found
}

const asking =
  (questions: readonly Question[], more: object = {}) =>
  async () => {
    await askQuestion(any(questions), more)
  }

/** `/load` in all ways: from the cache and past it, several queries in one, rollups, and what changes meanwhile. */
export function createLoadClients(world: World, { ofSource, several, ofDemo }: Questions): readonly Client[] {
  const { shop, ticks, version, defaultLimit } = world
  return [
    { name: 'load, cached', count: 3, pause: 10, once: asking([...ofSource, ...ofDemo]) },
    { name: 'load, uncached, of the source', count: 2, pause: 60, once: asking(ofSource, { cache: 'no-cache' }) },
    { name: 'load, uncached, of the demo', count: 1, pause: 250, once: asking(ofDemo, { cache: 'no-cache' }) },
    { name: 'load, must-revalidate', count: 1, pause: 60, once: asking(ofSource, { cache: 'must-revalidate' }) },
    { name: 'load, compared and blended', count: 1, pause: 80, once: asking(several) },
    {
      name: 'load, rows that grow',
      count: 1,
      pause: 150,
      async once() {
        const began = performance.now()
        const query = { measures: ['ticks.count'] }
        const { data, lastRefreshTime = '' } = await load(shop, { query, cache: 'must-revalidate' })
        // The answer says since when it is true. Its refresh time counts from its end, so that it is older on a busy machine.
        const since = Date.parse(lastRefreshTime) - performance.timeOrigin
        if (!(began - since <= oldest)) throw new WrongAnswer(`ticks of ${lastRefreshTime}`)
        const fewest = ticks.fewest(since - clockSlack)
        const count = Number(data[0]?.['ticks.count'])
        if (!(count >= fewest && count <= ticks.most())) {
          throw new WrongAnswer(`${count} ticks instead of ${fewest} to ${ticks.most()}`)
        }
      },
    },
    {
      name: 'load, a model that changes',
      count: 2,
      pause: 60,
      async once() {
        const isRight = version.watch()
        const { data } = await load(shop, { query: { measures: ['version.number'] } })
        const number = Number(data[0]?.['version.number'])
        if (!isRight(number)) throw new WrongAnswer(`version ${number} instead of ${version.current}`)
      },
    },
    {
      name: 'load, a limit that changes',
      count: 1,
      pause: 200,
      async once() {
        const isRight = defaultLimit.watch()
        const { data } = await load(shop, { query: { dimensions: ['facts.id'], order: { 'facts.id': 'asc' } } })
        if (!isRight(data.length)) throw new WrongAnswer(`${data.length} rows instead of ${defaultLimit.current}`)
        const wrong = data.findIndex((row, index) => Number(row['facts.id']) !== index)
        if (wrong >= 0) throw new WrongAnswer(`row ${wrong} is ${JSON.stringify(data[wrong])}`)
      },
    },
  ]
}
