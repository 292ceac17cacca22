import { CodedError } from '@hedron/contract'
import { isModelFile, type SourceFile } from '@hedron/semantic'
import { createFairThread } from '../threads/fair-thread.ts'
import type { CompileAnswer } from './compile-messages.ts'
import type { CompileOutcome, Compiler } from './compiler.ts'

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
  const thread = createFairThread<readonly SourceFile[], CompileAnswer>({
    program: options.program ?? new URL('./compile-worker.ts', import.meta.url),
    name: 'compile',
    deadlineMilliseconds,
    idleMilliseconds,
    memoryMebibytes,
    waiting: options.waiting ?? { total: 200, ofOwner: 20 },
  })

  return {
    version,
    isModelFile,
    async compile(files, deploymentId) {
      const asked = await thread.ask(deploymentId, files)
      switch (asked.kind) {
        case 'slow':
          return tooSlow(deadlineMilliseconds)
        case 'large':
          return tooLarge(memoryMebibytes)
        case 'busy':
          throw new CodedError('rate_limited', { seconds: tryAgainSeconds })
        case 'closed':
          throw new CodedError('not_ready', {})
        case 'answer':
          if ('fault' in asked.answer) throw asked.answer.fault
          return { ...asked.answer, isFinal: true }
      }
    },
    close: () => thread.close(),
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
