import { once as event } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { WebSocket } from 'ws'
import type { Client } from '../client.ts'
import { judge } from '../client.ts'
import { comparable, difference, isSame, type Question } from '../questions.ts'
import { Refusal, WrongAnswer } from '../refusal.ts'
import type { World } from '../world.ts'

interface Message {
  readonly messageId?: number
  readonly status?: number
  readonly message?: { readonly error?: string; readonly data?: readonly Readonly<Record<string, unknown>>[] }
}

/** How long one is kept open, in milliseconds; and how old rows of a subscription may be: its turns, and the cache. */
const lifetime = 20_000
const turn = 5_000

/** Web sockets that load, subscribe to what grows, and are cut off without a word. */
export function createSocketClients(world: World, questions: readonly Question[]): readonly Client[] {
  return [{ name: 'web sockets', count: 4, pause: 1_000, once: () => live(world, questions) }]
}

async function live({ shop, ticks, faults, ledger }: World, questions: readonly Question[]): Promise<void> {
  const account = ledger.of('web sockets, messages')
  const socket = new WebSocket(shop.url.replace(/^http/, 'ws').replace(/cubejs-api$/, ''))
  socket.on('error', () => {})
  await event(socket, 'open', { signal: AbortSignal.timeout(30_000) })
  const opened = performance.now()
  let [pushed, newest] = [0, 0]
  const asked = new Map<number, Question>()

  const check = ({ messageId, status, message }: Message) => {
    if (messageId === undefined || message?.error === 'Continue wait') return
    if (status !== 200) throw new Refusal(String(message?.error))
    const question = asked.get(messageId)
    if (question) {
      const rows = [message?.data?.map(comparable)]
      if (!isSame(rows, question.expected)) throw new WrongAnswer(difference(rows, question.expected))
      return
    }
    const count = Number(message?.data?.[0]?.['ticks.count'])
    if (!(count >= newest && count <= ticks.most())) {
      throw new WrongAnswer(`${count} ticks pushed instead of ${newest} to ${ticks.most()}`)
    }
    newest = count
    pushed += 1
  }
  socket.on('message', data => {
    // What a turn began with may have met the fault that it is told of now.
    const began = performance.now() - turn
    try {
      check(JSON.parse(String(data)))
      account.answered(0)
    } catch (error) {
      judge(account, faults, error, began)
    }
  })
  socket.send(JSON.stringify({ authorization: shop.token }))
  socket.send(JSON.stringify({ messageId: 1, method: 'subscribe', params: { query: { measures: ['ticks.count'] } } }))
  for (let messageId = 2; performance.now() - opened < lifetime * (0.5 + Math.random()); messageId++) {
    const question = questions[messageId % questions.length]
    if (!question) break
    asked.set(messageId, question)
    socket.send(JSON.stringify({ messageId, method: 'load', params: question.body }))
    await sleep(400)
    if (socket.readyState !== WebSocket.OPEN) throw new WrongAnswer('the server closed a socket')
  }
  socket.terminate()
  const isPushed = pushed > 0 || faults.explain('Data source "default" does not answer: ', opened) !== null
  if (!isPushed) throw new WrongAnswer(`nothing was pushed within ${Math.round(performance.now() - opened)} ms`)
}
