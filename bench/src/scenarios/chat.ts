import { writeFile } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { Figure, Scenario } from '../shapes.ts'
import { abort, ask, chatUrl, lineOf, open, threadOf } from '../support/chat-client.ts'
import { exchange } from '../support/http.ts'
import { interleave, timed } from '../support/interleave.ts'
import { peer } from '../support/paths.ts'
import { createDeployment, type Platform, startPlatform } from '../support/platform.ts'
import { residentMebibytes } from '../support/process-facts.ts'
import { startSilentModel } from '../support/silent-model.ts'
import { startServer } from '../support/start-server.ts'
import { summarise } from '../support/statistics.ts'

const held = 1_000
const subscribers = 50
const question = 'How many flights by carrier?'

export const chat: Scenario = {
  name: 'chat',
  describes: `first line and answer of the built-in analyst, ${held} streams held, ${subscribers} on one stream, abort`,
  async run({ quick, scope, say }) {
    const demo = await startPlatform(scope, { demo: true })
    const url = await chatUrl(demo, 1)
    const body = join(await scope.folder(), 'body')
    await writeFile(body, '{}')
    const constant = await startServer(scope, {
      program: peer('fastify-server.ts'),
      environment: port => ({ PORT: String(port), BODY_FILE: body }),
    })
    say('first line and answer')
    const measured = await interleave(
      { rounds: quick ? 10 : 50, warmUps: 3 },
      {
        first: async () => firstLine(demo, url, ask(question)),
        whole: () => timed(async () => text(await open(demo, url, ask(question)))),
        constant: () => timed(() => exchange('POST', `${constant.baseUrl}/load`)),
      },
    )
    const beside = { what: 'the same HTTP server answering a constant', summary: measured('constant') }
    const figures: Figure[] = [
      {
        what: 'chat: first line of a stream',
        unit: 'ms',
        hedron: measured('first'),
        beside,
        goal: {
          text: 'within 10 ms of it',
          met: measured('first').median - measured('constant').median <= 10,
        },
        note: 'A new thread of a known user, with its rows in the database.',
        isHeadline: true,
      },
      {
        what: 'chat: answer of the built-in analyst',
        unit: 'ms',
        hedron: measured('whole'),
        beside: null,
        goal: null,
        note: `"${question}" of 3 million flights, read from the cache but for the first time.`,
      },
    ]
    return [...figures, ...(await holdStreams())]

    async function holdStreams(): Promise<Figure[]> {
      const model = await startSilentModel(scope)
      const environment = {
        HEDRON_LLM_BASE_URL: model.url,
        HEDRON_LLM_MODEL: 'silent',
        HEDRON_LLM_TIMEOUT_SECONDS: '600',
      }
      const platform = await startPlatform(scope, { demo: false, environment })
      const silent = await chatUrl(platform, await createDeployment(platform, 'chats'))
      say(`${held} streams`)
      const streams: IncomingMessage[] = []
      for (let begun = 0; begun < held; begun += 50) {
        const more = Array.from({ length: 50 }, () => open(platform, silent, ask('Talk to me')))
        for (const stream of await Promise.all(more)) streams.push(stream.on('error', () => {}).resume())
      }
      const memory = residentMebibytes(platform.pid)
      const delays: number[] = []
      for (let look = 0; look < (quick ? 20 : 100); look++) {
        delays.push(await timed(() => exchange('GET', `${platform.baseUrl}/livez`)))
      }
      for (const stream of streams) stream.destroy()

      say(`${subscribers} on one stream`)
      const shared = ask('Talk to all of us')
      const first = await open(platform, silent, shared)
      const chatId = await threadOf(first)
      const joined = await timed(() =>
        Promise.all(
          Array.from({ length: subscribers }, async () => {
            const stream = await open(platform, silent, { ...shared, chatId })
            await lineOf(stream)
            stream.on('error', () => {}).resume()
          }),
        ),
      )
      say('abort')
      const stops: number[] = []
      for (let round = 0; round < (quick ? 5 : 20); round++) {
        const asked = ask(`Stop ${round}`)
        const id = await threadOf(await open(platform, silent, asked))
        await new Promise(resolve => setTimeout(resolve, 100))
        const before = model.open()
        stops.push(
          await timed(async () => {
            await abort(platform, silent, id, asked)
            while (model.open() >= before) await new Promise(resolve => setImmediate(resolve))
          }),
        )
      }
      return [
        {
          what: `chat: memory with ${held} streams held`,
          unit: 'MiB',
          hedron: summarise([memory]),
          beside: null,
          goal: { text: 'below 1024 MiB', met: memory < 1024 },
          note: `Resident memory of the server while ${held} answers wait for a language model that says nothing. GET /livez meanwhile: median ${summarise(delays).median.toFixed(1)} ms, at most ${summarise(delays).maximum.toFixed(1)} ms.`,
        },
        {
          what: `chat: ${subscribers} more on one stream, until all have their first line`,
          unit: 'ms',
          hedron: summarise([joined]),
          beside: null,
          goal: null,
        },
        {
          what: 'chat: abort, until the call of the language model is closed',
          unit: 'ms',
          hedron: summarise(stops),
          beside: null,
          goal: null,
        },
      ]
    }
  },
}

async function firstLine(platform: Platform, url: string, body: object): Promise<number> {
  const began = performance.now()
  const stream = await open(platform, url, body)
  await lineOf(stream)
  const took = performance.now() - began
  await text(stream)
  return took
}
