import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Scope } from './scope.ts'

/** A provider of language models, OpenAI-compatible, that says one word and then nothing until it is left. */
export interface SilentModel {
  /** With the version, as a base URL has it. */
  readonly url: string
  /** Calls that wait. */
  readonly open: () => number
}

export async function startSilentModel(scope: Scope): Promise<SilentModel> {
  let open = 0
  const server = createServer((request, response) => {
    open += 1
    response.on('close', () => {
      open -= 1
    })
    request.resume()
    request.on('end', () => {
      const chunk = {
        id: 'x',
        object: 'chat.completion.chunk',
        created: 0,
        model: 'silent',
        choices: [{ index: 0, delta: { role: 'assistant', content: 'Well ' } }],
      }
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(`data: ${JSON.stringify(chunk)}\n\n`)
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  scope.defer(async () => {
    server.closeAllConnections()
    await new Promise<void>(resolve => server.close(() => resolve()))
  })
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/v1`, open: () => open }
}
