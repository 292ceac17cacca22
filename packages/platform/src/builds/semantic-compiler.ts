import { Worker } from 'node:worker_threads'
import { CodedError } from '@hedron/contract'
import { isModelFile, type SourceFile } from '@hedron/semantic'
import type { CompileAnswer } from './compile-messages.ts'
import type { CompileOutcome, Compiler } from './compiler.ts'
import { createFairQueue } from './fair-queue.ts'

export interface SemanticCompiler extends Compiler {
  /** Ends the thread. What waits or runs is refused with `not_ready`, and so is what comes later. */
  close(): Promise<void>
}

interface SemanticCompilerOptions {
  /** How long one model may take. */
  readonly deadlineMilliseconds?: number
  /** After so long without work the thread ends, and its memory is free. */
  readonly idleMilliseconds?: number
  /** What the thread may use of memory. */
  readonly memoryMebibytes?: number
  /** Compilations that may wait, for one deployment and together. */
  readonly waiting?: { readonly total: number; readonly ofOwner: number }
  /** What the thread runs; it speaks as `compile-worker.ts` does. */
  readonly program?: URL
}

interface Job {
  readonly files: readonly SourceFile[]
  readonly outcome: PromiseWithResolvers<CompileOutcome>
}

const tryAgainSeconds = 5

/**
 * Hedron's own compiler in a thread of its own, so that requests are answered while it works. One model compiles at a time; what
 * was parsed and resolved before is still at hand in the thread. A model that takes too long or too much memory ends the thread,
 * fails with a problem that says so, and the next model has a new one.
 *
 * @param version changes with the compiler's code, since compiled models are kept for ever
 */
export function createSemanticCompiler(version: string, options: SemanticCompilerOptions = {}): SemanticCompiler {
  const { deadlineMilliseconds = 20_000, idleMilliseconds = 10 * 60_000, memoryMebibytes = 1024 } = options
  const program = options.program ?? new URL('./compile-worker.ts', import.meta.url)
  const waiting = createFairQueue<Job>(options.waiting ?? { total: 200, ofOwner: 20 })
  let running: Job | undefined
  let worker: Worker | undefined
  let timer: NodeJS.Timeout | undefined
  let isClosed = false

  function next(): void {
    if (running !== undefined) return
    clearTimeout(timer)
    running = waiting.take()
    if (running === undefined) {
      worker?.unref()
      timer = setTimeout(endWorker, idleMilliseconds).unref()
      return
    }
    worker ??= startWorker()
    worker.ref()
    timer = setTimeout(() => {
      endWorker()
      settle(({ resolve }) => resolve(tooSlow(deadlineMilliseconds)))
    }, deadlineMilliseconds)
    worker.postMessage(running.files)
  }

  function settle(how: (outcome: Job['outcome']) => void): void {
    const job = running
    running = undefined
    if (job) how(job.outcome)
    next()
  }

  function startWorker(): Worker {
    // Without the environment: nothing that compiles a model needs it, and secrets are in it.
    const resourceLimits = { maxOldGenerationSizeMb: memoryMebibytes }
    const started = new Worker(program, { env: {}, name: 'compile', resourceLimits })
    /** Whatever a thread tells after it was ended is of no interest. */
    const whileCurrent = (work: () => void) => {
      if (worker === started) work()
    }
    const failed = (error: Error) =>
      whileCurrent(() => {
        worker = undefined
        const isMemory = 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
        settle(({ resolve, reject }) => (isMemory ? resolve(tooLarge(memoryMebibytes)) : reject(error)))
      })
    started.on('message', (answer: CompileAnswer) =>
      whileCurrent(() =>
        settle(({ resolve, reject }) =>
          'fault' in answer ? reject(answer.fault) : resolve({ ...answer, isFinal: true }),
        ),
      ),
    )
    started.on('error', failed)
    started.on('exit', code => failed(new Error(`The thread that compiles models ended with ${code}`)))
    return started
  }

  function endWorker(): Promise<unknown> | undefined {
    const ended = worker?.terminate()
    worker = undefined
    return ended
  }

  return {
    version,
    isModelFile,
    async compile(files, deploymentId) {
      if (isClosed) throw new CodedError('not_ready', {})
      const outcome = Promise.withResolvers<CompileOutcome>()
      if (!waiting.add(deploymentId, { files, outcome })) {
        throw new CodedError('rate_limited', { seconds: tryAgainSeconds })
      }
      next()
      return outcome.promise
    },
    async close() {
      isClosed = true
      clearTimeout(timer)
      const closing = endWorker()
      for (let job = running ?? waiting.take(); job !== undefined; job = waiting.take()) {
        job.outcome.reject(new CodedError('not_ready', {}))
      }
      running = undefined
      await closing
    },
  }
}

const tooSlow = (milliseconds: number): CompileOutcome =>
  failure(
    'compile_too_slow',
    `The model was not compiled after ${milliseconds / 1000} s and was given up. Look for a template or script that takes long or never ends; on a busy server, try again in a minute.`,
  )

const tooLarge = (mebibytes: number): CompileOutcome =>
  failure(
    'compile_too_large',
    `Compiling the model needs more than the ${mebibytes} MiB of memory that it may use. Look for a template or script that makes very much, or split the project.`,
  )

/** Of no file: which one it was cannot be told. */
const failure = (code: string, message: string): CompileOutcome => ({
  model: null,
  problems: [{ code, message, file: '', line: 1, column: 1 }],
  warnings: [],
  cubesCount: 0,
  isFinal: false,
})
