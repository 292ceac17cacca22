import { readdirSync, writeFileSync } from 'node:fs'
import { Socket } from 'node:net'
import { setPriority } from 'node:os'
import { type Computing, openComputing } from '../compute/computing.ts'
import { openDatabase } from '../drivers/duckdb/database.ts'
import { problems } from '../query-service-error.ts'
import { openParquetWriter, type ParquetWriter } from '../rollups/parquet-writer.ts'
import type { OpenSource } from '../shapes/driver.ts'
import { createFrames } from './frames.ts'
import { type EngineAnswer, type EngineNotice, type EngineRequest, tooMuchMemory, uncountedBytes } from './messages.ts'
import { createPortionSender, type PortionSender } from './portion-sender.ts'
import { tellError } from './told-error.ts'

/** The connection with the server. */
const descriptor = 3
/** How often the memory of the process is looked at while it works. A look takes some ten microseconds. */
const lookMs = 20

/** Does what the server asks, one thing at a time, until the server is gone. */
export function serve(): void {
  giveWayToOthers()
  const computeBytes = Number(process.argv[2])
  let mostBytes = computeBytes + uncountedBytes
  let computing: Promise<Computing> | undefined = openComputing(computeBytes)
  // Whoever asks for it hears of it.
  computing.catch(() => {})
  let database: OpenSource | undefined
  let writer: ParquetWriter | undefined
  let running: { readonly stop: AbortController; readonly sender: PortionSender } | undefined

  const server = new Socket({ fd: descriptor, readable: true, writable: true })
  // Whatever runs is nobody's any longer. An orderly exit would wait for it.
  server.on('close', () => process.kill(process.pid, 'SIGKILL'))
  server.on('error', () => process.kill(process.pid, 'SIGKILL'))

  const { send, sendRows } = createFrames<EngineAnswer, EngineRequest | EngineNotice>(
    server,
    rows => ({ do: 'append', rows }),
    message => {
      if (message.do === 'taken') running?.sender.taken()
      else if (message.do === 'stop') running?.stop.abort(problems.queryCancelled('nobody waits for it'))
      else run(message)
    },
  )
  const sendAnswer = (answer: EngineAnswer) => (answer.is === 'rows' ? sendRows(answer.rows, answer) : send(answer))

  async function run(request: EngineRequest): Promise<void> {
    const stop = new AbortController()
    running = { stop, sender: createPortionSender(sendAnswer, stop.signal) }
    const looking = setInterval(() => {
      if (process.memoryUsage.rss() > mostBytes) process.kill(process.pid, tooMuchMemory)
    }, lookMs)
    let answer: EngineAnswer = { is: 'done' }
    try {
      await perform(request, running.sender, stop.signal)
    } catch (error) {
      answer = { is: 'failed', error: tellError(error) }
    }
    clearInterval(looking)
    running = undefined
    send(answer)
  }

  async function perform(request: EngineRequest, sender: PortionSender, signal: AbortSignal): Promise<void> {
    switch (request.do) {
      case 'table':
        return (await computingNow()).createTable(request)
      case 'append':
        return (writer ?? (await computingNow())).append(request.rows)
      case 'loaded':
        return (await computingNow()).finishTable()
      case 'compute':
        return (await computingNow()).run(request, sender, signal)
      case 'reset':
        ;(await computingNow()).close()
        computing = openComputing(computeBytes)
        await computing
        return
      case 'open': {
        const { source, settings, limits } = request
        database = await openDatabase(source, settings, limits)
        mostBytes = limits.memoryBytes + uncountedBytes
        ;(await computingNow()).close()
        computing = undefined
        return
      }
      case 'stream':
        return databaseNow().stream(request.statement, sender, signal)
      case 'test':
        return databaseNow().test(signal)
      case 'build':
        giveWayToAnswers()
        ;(await computingNow()).close()
        computing = undefined
        return
      case 'write':
        writer = await openParquetWriter(request.target, computeBytes)
        return
      case 'written': {
        if (!writer) throw new Error('No file was begun')
        const file = await writer.finish()
        writer.close()
        writer = undefined
        await sender.rows([[JSON.stringify(file)]])
        return
      }
    }
  }

  async function computingNow(): Promise<Computing> {
    if (!computing) throw new Error('The engine is that of a data source')
    return computing
  }

  function databaseNow(): OpenSource {
    if (!database) throw new Error('The engine has no data source')
    return database
  }
}

const lowPriority = 10

/** Nobody waits for a file as for an answer. On Linux each thread has a priority of its own, which those that it starts take on. */
function giveWayToAnswers(): void {
  try {
    const threads = process.platform === 'linux' ? readdirSync('/proc/self/task').map(Number) : [0]
    for (const thread of threads) setPriority(thread, lowPriority)
  } catch {}
}

/** Where memory of the whole machine ends, an engine is what Linux should end, and not the server. Elsewhere there is no such file. */
function giveWayToOthers(): void {
  try {
    writeFileSync('/proc/self/oom_score_adj', '1000')
  } catch {}
}
