import { Worker } from 'node:worker_threads'
import { CatalogError, type CatalogModel } from '@hedron/sql'
import { LRUCache } from 'lru-cache'
import { createFairQueue } from '../../threads/fair-queue.ts'
import type { CatalogTask, CatalogThreadData, FromCatalogThread, ToCatalogThread } from './catalog-messages.ts'

type Rows = readonly (readonly (string | null)[])[]

/** Answers long statements over catalogs beside whatever else is served. */
export interface CatalogThread {
  /** @param owner deployments take turns. @throws {CatalogError} also 53400 where too many wait, 57014, 53200 */
  ask(owner: number, model: CatalogModel, task: Omit<CatalogTask, 'model'>, signal: AbortSignal): Promise<Rows>
  close(): Promise<void>
}

interface CatalogThreadOptions {
  /** How long one statement may take. */
  readonly busyMilliseconds?: number
  /** After so long without work the thread ends, and its memory is free. */
  readonly idleMilliseconds?: number
  readonly memoryMebibytes?: number
  /** Statements that may wait, for one deployment and together. */
  readonly waiting?: { readonly total: number; readonly ofOwner: number }
}

interface Job {
  readonly model: CatalogModel
  readonly task: Omit<CatalogTask, 'model'>
  readonly signal: AbortSignal
  readonly rows: (readonly (string | null)[])[]
  readonly outcome: PromiseWithResolvers<Rows>
}

/** Columns of relations that are sent at once: copying them takes the sender about a millisecond. */
const portionColumns = 1000
/** Models that the thread keeps. */
const keptModels = 20
/** What a statement does without counting its work, such as sorting, may take so much longer, in milliseconds. */
const graceMilliseconds = 3000

/** One statement at a time; the thread starts with the first and ends when it was idle. */
export function createCatalogThread(options: CatalogThreadOptions = {}): CatalogThread {
  const { busyMilliseconds = 5000, idleMilliseconds = 5 * 60_000, memoryMebibytes = 512 } = options
  const waiting = createFairQueue<Job>(options.waiting ?? { total: 200, ofOwner: 50 })
  const stop = new Int32Array(new SharedArrayBuffer(4))
  const numbers = new WeakMap<CatalogModel, number>()
  const sent = new LRUCache<number, true>({ max: keptModels, dispose: (_, model) => post({ kind: 'forget', model }) })
  let models = 0
  let running: Job | undefined
  let worker: Worker | undefined
  let timer: NodeJS.Timeout | undefined
  let isClosed = false

  const post = (message: ToCatalogThread) => worker?.postMessage(message)
  const isStopped = ({ signal }: Job) => signal.aborted

  function next(): void {
    if (running !== undefined) return
    clearTimeout(timer)
    do running = waiting.take()
    while (running && isStopped(running))
    if (running === undefined) {
      worker?.unref()
      timer = setTimeout(() => void endWorker(), idleMilliseconds).unref()
      return
    }
    const job = running
    worker ??= startWorker()
    worker.ref()
    timer = setTimeout(() => {
      void endWorker()
      settle(({ reject }) => reject(tooLong()))
    }, busyMilliseconds + graceMilliseconds)
    send(job, worker).catch(error => {
      if (running === job) settle(({ reject }) => reject(error))
    })
  }

  /** Sends what the thread lacks of the model, then the statement. */
  async function send(job: Job, to: Worker): Promise<void> {
    const model = numbers.get(job.model) ?? ++models
    numbers.set(job.model, model)
    if (!sent.get(model)) {
      sent.set(model, true)
      for (const relations of portionsOf(job.model)) {
        post({ kind: 'relations', model, relations })
        await new Promise(resolve => setImmediate(resolve))
        if (running !== job || worker !== to) return
      }
    }
    Atomics.store(stop, 0, 0)
    if (isStopped(job)) settle(({ reject }) => reject(tooLong()))
    else post({ kind: 'ask', task: { ...job.task, model } })
  }

  function settle(how: (outcome: Job['outcome']) => void): void {
    const job = running
    running = undefined
    if (job) how(job.outcome)
    next()
  }

  function receive(message: FromCatalogThread): void {
    if ('fault' in message) settle(({ reject }) => reject(message.fault))
    else if ('refusal' in message) settle(({ reject }) => reject(fromRefusal(message.refusal)))
    else {
      const rows = running?.rows ?? []
      rows.push(...message.rows)
      if (message.done) settle(({ resolve }) => resolve(rows))
      else post({ kind: 'more' })
    }
  }

  function startWorker(): Worker {
    const data: CatalogThreadData = { stop, busyMs: busyMilliseconds }
    // Without the environment: nothing here needs it, and secrets are in it.
    const started = new Worker(new URL('./catalog-worker.ts', import.meta.url), {
      env: {},
      name: 'catalogs',
      workerData: data,
      resourceLimits: { maxOldGenerationSizeMb: memoryMebibytes },
    })
    /** Whatever a thread tells after it was ended is of no interest. */
    const whileCurrent = (work: () => void) => {
      if (worker === started) work()
    }
    const failed = (error: Error) =>
      whileCurrent(() => {
        worker = undefined
        sent.clear()
        const isMemory = 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
        settle(({ reject }) => reject(isMemory ? outOfMemory() : error))
      })
    started.on('message', (message: FromCatalogThread) => whileCurrent(() => receive(message)))
    started.on('error', failed)
    started.on('exit', code => failed(new Error(`The thread that answers catalogs ended with ${code}`)))
    return started
  }

  async function endWorker(): Promise<void> {
    const ending = worker
    worker = undefined
    sent.clear()
    await ending?.terminate()
  }

  return {
    async ask(owner, model, task, signal) {
      if (isClosed) throw new CatalogError('57P01', 'terminating connection due to administrator command')
      const outcome = Promise.withResolvers<Rows>()
      const job: Job = { model, task, signal, rows: [], outcome }
      if (!waiting.add(owner, job)) throw new CatalogError('53400', 'too many statements over the catalogs wait')
      const leave = () => {
        if (running === job) Atomics.store(stop, 0, 1)
        outcome.reject(tooLong())
      }
      if (signal.aborted) leave()
      else signal.addEventListener('abort', leave, { once: true })
      next()
      try {
        return await outcome.promise
      } finally {
        signal.removeEventListener('abort', leave)
      }
    },
    async close() {
      isClosed = true
      clearTimeout(timer)
      const ending = endWorker()
      for (let job = running ?? waiting.take(); job !== undefined; job = waiting.take()) job.outcome.reject(tooLong())
      running = undefined
      await ending
    },
  }
}

function* portionsOf({ relations }: CatalogModel): Generator<CatalogModel['relations']> {
  let [from, width] = [0, 0]
  for (const [index, { columns }] of relations.entries()) {
    width += columns.length
    if (width < portionColumns) continue
    yield relations.slice(from, index + 1)
    from = index + 1
    width = 0
  }
  if (from < relations.length) yield relations.slice(from)
}

const tooLong = () => new CatalogError('57014', 'canceling statement: it took too long over the catalogs')
const outOfMemory = () => new CatalogError('53200', 'the statement over the catalogs needs too much memory')

function fromRefusal({
  code,
  message,
  position,
}: Extract<FromCatalogThread, { refusal: unknown }>['refusal']): CatalogError {
  return new CatalogError(code, message, position === undefined ? undefined : position - 1)
}
