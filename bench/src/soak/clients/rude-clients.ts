import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from '../client.ts'
import { cancel, load } from '../data-client.ts'
import { isRefusal, WrongAnswer } from '../refusal.ts'
import type { World } from '../world.ts'

/** Two seconds of sleep in the source, each time another query. */
const slowQuery = () => ({
  measures: ['slow.count'],
  filters: [{ member: 'slow.id', operator: 'gt', values: [String(-Math.ceil(Math.random() * 1e9))] }],
})

/** Those who cancel, who vanish while they wait, and who stop in the middle of a request. */
export function createRudeClients({ shop }: World): readonly Client[] {
  let number = 0
  return [
    {
      name: 'running-query, cancelled',
      count: 2,
      pause: 500,
      async once() {
        const requestId = `soak-${++number}`
        const asked = load(shop, { query: slowQuery() }, { requestId }).then(
          ({ data }) => data,
          (error: unknown) => error,
        )
        await sleep(100 + Math.random() * 1_500)
        const found = await cancel(shop, requestId)
        const outcome = await asked
        const isCancelled = isRefusal(outcome) && /^The query was cancelled: it was asked to stop/.test(outcome.message)
        // A query that is waited for by asking again begins anew when it was cancelled between two requests.
        const isWhole = Array.isArray(outcome) && Number(outcome[0]?.['slow.count']) === 200
        if (outcome instanceof Error && !isCancelled) throw outcome
        if (!isCancelled && !isWhole) throw new WrongAnswer(`${found} found, then ${JSON.stringify(outcome)}`)
      },
    },
    {
      name: 'clients that vanish',
      count: 2,
      pause: 400,
      async once() {
        const signal = AbortSignal.timeout(Math.round(50 + Math.random() * 800))
        await load(shop, { query: slowQuery() }, { signal }).catch((error: unknown) => {
          if (!signal.aborted) throw error
        })
      },
    },
    {
      name: 'half a request',
      count: 1,
      pause: 500,
      async once() {
        const { hostname, port, pathname } = new URL(`${shop.url}/v1/load`)
        const socket = connect(Number(port), hostname)
        socket.on('error', () => {})
        const head = [
          `POST ${pathname} HTTP/1.1`,
          `host: ${hostname}`,
          `authorization: ${shop.token}`,
          'content-length: 1000',
        ]
        socket.write(`${[...head, 'content-type: application/json'].join('\r\n')}\r\n\r\n{"query":`)
        await sleep(Math.random() * 2_000)
        socket.destroy()
      },
    },
  ]
}
