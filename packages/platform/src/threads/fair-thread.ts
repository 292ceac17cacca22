import { Worker } from 'node:worker_threads'
import { createFairQueue } from './fair-queue.ts'

/** What became of a question: its answer, or why there is none. `busy`: too many wait. */
export type Asked<Answer> =
  | { readonly kind: 'answer'; readonly answer: Answer }
  | { readonly kind: 'slow' | 'large' | 'busy' | 'closed' }

/** A thread that answers questions one after the other, so that whoever asks is not held up. */
export interface FairThread<Question, Answer> {
  /**
   * @param owner whose turn it is: none waits for ever because of another
   * @throws what the thread stopped with, where that was neither time nor memory
   */
  ask(owner: number, question: Question): Promise<Asked<Answer>>
  /** Ends the thread. What waits or runs is `closed`, and so is what comes later. */
  close(): Promise<void>
}

interface FairThreadOptions {
  /** What the thread runs: for each message of a question it posts one with the answer. */
  readonly program: URL
  readonly name: string
  /** How long one question may take. */
  readonly deadlineMilliseconds: number
  /** Where given, the program posts `ready` first, and may take so long for that. */
  readonly startMilliseconds?: number
  /** After so long without work the thread ends, and its memory is free. */
  readonly idleMilliseconds: number
  readonly memoryMebibytes: number
  /** Questions that may wait, for one owner and together. */
  readonly waiting: { readonly total: number; readonly ofOwner: number }
}

interface Job<Question, Answer> {
  readonly question: Question
  readonly outcome: PromiseWithResolvers<Asked<Answer>>
}

/** The thread starts with the first question. A question that takes too much time or memory ends it, and the next has a new one. */
export function createFairThread<Question, Answer>(options: FairThreadOptions): FairThread<Question, Answer> {
  const { deadlineMilliseconds, startMilliseconds } = options
  const waiting = createFairQueue<Job<Question, Answer>>(options.waiting)
  let running: Job<Question, Answer> | undefined
  let worker: Worker | undefined
  let isReady = false
  let timer: NodeJS.Timeout | undefined
  let isClosed = false

  function next(): void {
    if (running !== undefined) return
    clearTimeout(timer)
    running = waiting.take()
    if (running === undefined) {
      worker?.unref()
      timer = setTimeout(endWorker, options.idleMilliseconds).unref()
      return
    }
    worker ??= startWorker()
    worker.ref()
    endAfter(isReady ? deadlineMilliseconds : (startMilliseconds ?? deadlineMilliseconds))
    worker.postMessage(running.question)
  }

  function endAfter(milliseconds: number): void {
    clearTimeout(timer)
    timer = setTimeout(() => {
      void endWorker()
      settle(({ resolve }) => resolve({ kind: 'slow' }))
    }, milliseconds)
  }

  function settle(how: (outcome: Job<Question, Answer>['outcome']) => void): void {
    const job = running
    running = undefined
    if (job) how(job.outcome)
    next()
  }

  function receive(message: Answer | 'ready'): void {
    if (message === 'ready') {
      isReady = true
      if (running) endAfter(deadlineMilliseconds)
    } else {
      settle(({ resolve }) => resolve({ kind: 'answer', answer: message }))
    }
  }

  function startWorker(): Worker {
    isReady = startMilliseconds === undefined
    // Without the environment: nothing that runs in threads needs it, and secrets are in it.
    const resourceLimits = { maxOldGenerationSizeMb: options.memoryMebibytes }
    const started = new Worker(options.program, { env: {}, name: options.name, resourceLimits })
    /** Whatever a thread tells after it was ended is of no interest. */
    const whileCurrent = (work: () => void) => {
      if (worker === started) work()
    }
    const failed = (error: Error) =>
      whileCurrent(() => {
        worker = undefined
        const isMemory = 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
        settle(({ resolve, reject }) => (isMemory ? resolve({ kind: 'large' }) : reject(error)))
      })
    started.on('message', (message: Answer | 'ready') => whileCurrent(() => receive(message)))
    started.on('error', failed)
    started.on('exit', code => failed(new Error(`The thread ${options.name} ended with ${code}`)))
    return started
  }

  function endWorker(): Promise<unknown> | undefined {
    const ended = worker?.terminate()
    worker = undefined
    return ended
  }

  return {
    async ask(owner, question) {
      if (isClosed) return { kind: 'closed' }
      const outcome = Promise.withResolvers<Asked<Answer>>()
      if (!waiting.add(owner, { question, outcome })) return { kind: 'busy' }
      next()
      return outcome.promise
    },
    async close() {
      isClosed = true
      clearTimeout(timer)
      const closing = endWorker()
      for (let job = running ?? waiting.take(); job !== undefined; job = waiting.take()) {
        job.outcome.resolve({ kind: 'closed' })
      }
      running = undefined
      await closing
    },
  }
}
