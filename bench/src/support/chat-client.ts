import { randomUUID } from 'node:crypto'
import { Agent, type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import * as z from 'zod'
import { exchange } from './http.ts'
import type { Platform } from './platform.ts'

const Agents = z.object({ items: z.array(z.object({ chatUrl: z.string() })) })
const Cutoff = z.object({ state: z.object({ chatId: z.string() }) })

/** A message to an agent, from a known user in a session of its own. */
export interface Asked {
  readonly input: string
  readonly messageId: string
  readonly sessionSettings: object
}

/** The address at which the first agent of a deployment is asked. */
export async function chatUrl(platform: Platform, deploymentId: number): Promise<string> {
  const { items } = await platform.call(Agents, 'GET', `/api/v1/deployments/${deploymentId}/agents`)
  const [agent] = items
  if (!agent) throw new Error('the deployment has no agent')
  return agent.chatUrl.replace(/^https?:\/\/[^/]+/, platform.baseUrl)
}

/** A message that nobody has sent yet. */
export const ask = (input: string): Asked => ({
  input,
  messageId: `${Date.now()}${Math.floor(Math.random() * 1e6)}-message`,
  sessionSettings: { externalId: 'bench', securityContext: { run: randomUUID() } },
})

const headersOf = ({ apiKey }: Platform) => ({ authorization: `Api-Key ${apiKey}`, 'content-type': 'application/json' })

const agent = new Agent({ keepAlive: true })

/** Sends a message. @returns the stream, of which nothing is read yet */
export function open(platform: Platform, url: string, body: object): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: 'POST', agent, headers: headersOf(platform) }, response => {
      if (response.statusCode === 200) resolve(response)
      else text(response).then(read => reject(new Error(`${response.statusCode}: ${read}`)), reject)
    })
    sent.once('error', reject)
    sent.end(JSON.stringify(body))
  })
}

/** Waits for the first line of a stream; more than that is dropped when it came with it. */
export async function lineOf(stream: IncomingMessage): Promise<string> {
  const chunk = await new Promise<Buffer>(resolve => stream.once('data', resolve))
  return chunk.toString().split('\n', 1)[0] ?? ''
}

/** The thread that a stream answers in, of its first line; the rest is read and dropped. */
export async function threadOf(stream: IncomingMessage): Promise<string> {
  const { state } = Cutoff.parse(JSON.parse(await lineOf(stream)))
  stream.on('error', () => {}).resume()
  return state.chatId
}

/** Ends what is being answered in a thread. @throws when that is refused */
export async function abort(
  platform: Platform,
  url: string,
  chatId: string,
  { sessionSettings }: Asked,
): Promise<void> {
  const body = JSON.stringify({ chatId, sessionSettings })
  const address = url.replace('stream-chat-state', 'abort')
  const { status } = await exchange('POST', address, headersOf(platform), body)
  if (status !== 204) throw new Error(`the abort answered ${status}`)
}
