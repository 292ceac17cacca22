import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text as readText } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'

/** A tool that the scripted model calls; text in place of an object is sent as it is, whether it is JSON or not. */
export interface ScriptedCall {
  readonly name: string
  readonly input: object | string
}

/** What the scripted provider answers to one request. */
export type Reply =
  | {
      readonly kind: 'answer'
      /** Parts in which its text is sent. */
      readonly text?: readonly string[]
      readonly thinking?: readonly string[]
      readonly calls?: readonly ScriptedCall[]
      /** `finish_reason`; usual is what fits. */
      readonly finish?: string
      readonly usage?: { readonly input: number; readonly output: number; readonly cached?: number } | null
      /** Between two parts, in milliseconds. */
      readonly pauseMs?: number
    }
  /** Breaks the connection after this text. */
  | { readonly kind: 'break'; readonly text: readonly string[]; readonly politely?: boolean }
  | { readonly kind: 'hang'; readonly text?: readonly string[] }
  | {
      readonly kind: 'status'
      readonly status: number
      readonly headers?: Readonly<Record<string, string>>
      readonly body?: string
    }
  | { readonly kind: 'raw'; readonly contentType?: string; readonly body: string }
  /** Text without an end, up to so many bytes. */
  | { readonly kind: 'flood'; readonly bytes: number }

/** What a client sent, in the parts that tests look at. */
export interface FakeBody {
  readonly messages: readonly { readonly role: string; readonly content: unknown }[]
  readonly tools: readonly { readonly function: { readonly name: string } }[]
  readonly tool_choice?: unknown
  readonly thinking?: unknown
  /** In the format of Anthropic. */
  readonly system?: readonly unknown[]
}

export interface FakeRequest {
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: FakeBody
}

/** A provider of language models on loopback that plays a script. */
export interface FakeModel {
  /** With the version, as a base URL has it. */
  readonly url: string
  readonly requests: readonly FakeRequest[]
  /** Requests that are being answered. */
  readonly open: () => number
  /** Replies to the next requests, in this order; the last is repeated. Forgets earlier requests. */
  play(...script: readonly (Reply | ((request: FakeRequest) => Reply))[]): void
  close(): Promise<void>
}

export const say = (...text: string[]): Reply => ({ kind: 'answer', text })
export const call = (name: string, input: object | string): Reply => ({ kind: 'answer', calls: [{ name, input }] })
export const query = (sqlQuery: string, more: object = {}): Reply =>
  call('serviceSqlApi', { sqlQuery, queryTitle: 'Title', description: 'Description', userRequest: 'Request', ...more })

/** Speaks the formats of OpenAI (`/v1/chat/completions`) and Anthropic (`/v1/messages`), each as a stream of events. */
export async function startFakeModel(): Promise<FakeModel> {
  let script: readonly (Reply | ((request: FakeRequest) => Reply))[] = [say('Nothing was scripted.')]
  let requests: FakeRequest[] = []
  let open = 0
  const server = createServer((request, response) => {
    open += 1
    response.on('close', () => {
      open -= 1
    })
    void serve(request, response).catch(() => response.destroy())
  })

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body: FakeBody = JSON.parse(await readText(request))
    const seen = { path: request.url ?? '', headers: request.headers, body }
    requests.push(seen)
    const next = script[Math.min(requests.length, script.length) - 1]
    if (next === undefined) throw new Error('an empty script')
    const reply = typeof next === 'function' ? next(seen) : next
    await (seen.path.endsWith('/messages') ? playAnthropic(reply, response) : playOpenAi(reply, response))
  }

  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/v1`,
    get requests() {
      return requests
    },
    open: () => open,
    play(...replies) {
      script = replies
      requests = []
    },
    async close() {
      server.closeAllConnections()
      await new Promise<void>(resolve => server.close(() => resolve()))
    },
  }
}

/** What both formats have in common. @returns whether that was all */
async function playPlain(reply: Reply, response: ServerResponse): Promise<boolean> {
  if (reply.kind === 'status') {
    const body = reply.body ?? JSON.stringify({ error: { message: 'scripted', type: 'scripted_error' } })
    response.writeHead(reply.status, { 'content-type': 'application/json', ...reply.headers }).end(body)
    return true
  }
  if (reply.kind === 'raw') {
    response.writeHead(200, { 'content-type': reply.contentType ?? 'text/event-stream' }).end(reply.body)
    return true
  }
  if (reply.kind === 'hang' && reply.text === undefined) return true
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  return false
}

const event = (data: object, name?: string) => `${name ? `event: ${name}\n` : ''}data: ${JSON.stringify(data)}\n\n`

async function playOpenAi(reply: Reply, response: ServerResponse): Promise<void> {
  if (await playPlain(reply, response)) return
  const chunk = (delta: object, finish: string | null = null) =>
    event({
      id: 'chatcmpl-1',
      object: 'chat.completion.chunk',
      created: 1,
      model: 'scripted',
      choices: [{ index: 0, delta, finish_reason: finish }],
    })
  response.write(chunk({ role: 'assistant', content: '' }))
  if (reply.kind === 'flood') {
    const part = chunk({ content: 'and so on '.repeat(1_000) })
    for (let sent = 0; sent < reply.bytes && !response.destroyed; sent += part.length) {
      if (!response.write(part)) await pause(1)
    }
    response.end()
    return
  }
  if (reply.kind === 'status' || reply.kind === 'raw') return
  const { text = [] } = reply
  if (reply.kind === 'answer') {
    for (const part of reply.thinking ?? []) response.write(chunk({ reasoning_content: part }))
  }
  for (const part of text) {
    response.write(chunk({ content: part }))
    if (reply.kind === 'answer' && reply.pauseMs) await pause(reply.pauseMs)
  }
  if (reply.kind === 'hang') return
  if (reply.kind === 'break') {
    // What was written goes out before the connection is cut.
    await pause(50)
    if (reply.politely) response.end()
    else response.destroy()
    return
  }
  const calls = reply.calls ?? []
  for (const [index, { name, input }] of calls.entries()) {
    const written = typeof input === 'string' ? input : JSON.stringify(input)
    const half = Math.ceil(written.length / 2)
    const head = {
      index,
      id: `call_${index}_${name}`,
      type: 'function',
      function: { name, arguments: written.slice(0, half) },
    }
    response.write(chunk({ tool_calls: [head] }))
    response.write(chunk({ tool_calls: [{ index, function: { arguments: written.slice(half) } }] }))
  }
  response.write(chunk({}, reply.finish ?? (calls.length > 0 ? 'tool_calls' : 'stop')))
  if (reply.usage !== null) {
    const { input, output, cached = 0 } = reply.usage ?? { input: 100, output: 10 }
    const usage = {
      prompt_tokens: input,
      completion_tokens: output,
      total_tokens: input + output,
      prompt_tokens_details: { cached_tokens: cached },
    }
    response.write(
      event({ id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'scripted', choices: [], usage }),
    )
  }
  response.end('data: [DONE]\n\n')
}

async function playAnthropic(reply: Reply, response: ServerResponse): Promise<void> {
  if (await playPlain(reply, response)) return
  if (reply.kind !== 'answer') throw new Error('only answers are scripted in this format')
  const { input, output, cached = 0 } = reply.usage ?? { input: 100, output: 10 }
  const send = (data: { readonly type: string; readonly [key: string]: unknown }) =>
    response.write(event(data, data.type))
  const message = {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'scripted',
    content: [],
    stop_reason: null,
    stop_sequence: null,
  }
  const usage = {
    input_tokens: input,
    output_tokens: 1,
    cache_read_input_tokens: cached,
    cache_creation_input_tokens: 0,
  }
  send({ type: 'message_start', message: { ...message, usage } })
  let index = 0
  const block = (start: object, deltas: readonly object[]) => {
    send({ type: 'content_block_start', index, content_block: start })
    for (const delta of deltas) send({ type: 'content_block_delta', index, delta })
    send({ type: 'content_block_stop', index })
    index += 1
  }
  if (reply.thinking) {
    const thoughts = reply.thinking.map(thinking => ({ type: 'thinking_delta', thinking }))
    block({ type: 'thinking', thinking: '' }, [
      ...thoughts,
      { type: 'signature_delta', signature: 'signed-by-the-provider' },
    ])
  }
  if (reply.text)
    block(
      { type: 'text', text: '' },
      reply.text.map(text => ({ type: 'text_delta', text })),
    )
  for (const { name, input: asked } of reply.calls ?? []) {
    const written = typeof asked === 'string' ? asked : JSON.stringify(asked)
    block({ type: 'tool_use', id: `toolu_${index}`, name, input: {} }, [
      { type: 'input_json_delta', partial_json: written },
    ])
  }
  const stop = reply.finish ?? (reply.calls?.length ? 'tool_use' : 'end_turn')
  send({ type: 'message_delta', delta: { stop_reason: stop, stop_sequence: null }, usage: { output_tokens: output } })
  send({ type: 'message_stop' })
  response.end()
}
