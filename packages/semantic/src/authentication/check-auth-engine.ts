import type { QuickJSContext, QuickJSHandle, QuickJSWASMModule } from 'quickjs-emscripten-core'
import {
  intrinsics,
  jobsLimit,
  loadMachines,
  mebibyte,
  stackLimit,
  stepsLimit,
} from '../parse/javascript/quickjs-machines.ts'
import type { CheckAuth } from '../shapes/model.ts'
import { checkAuthProgram } from './check-auth-program.ts'

export interface CheckAuthRequest {
  readonly checkAuth: CheckAuth
  /** The header that brought the token, whole. */
  readonly header: string
  readonly token: string
  /** What `process.env` holds. */
  readonly env: Readonly<Record<string, string>>
  /** Milliseconds since 1970. */
  readonly now: number
  /** Answers `jsonwebtoken`: a question and its answer, each as JSON. */
  readonly verify: (question: string) => string
}

/** What a function made of a token: a security context, as JSON; a refusal, in its own words; or that it cannot be used, and why. */
export type CheckAuthOutcome =
  | { readonly kind: 'context'; readonly json: string }
  | { readonly kind: 'refused'; readonly message: string }
  | { readonly kind: 'fault'; readonly reason: string }

export interface CheckAuthEngine {
  /** Never throws for what the function does. */
  run(request: CheckAuthRequest): CheckAuthOutcome
}

const memoryLimit = 16 * mebibyte
/** Characters. */
const limits = { context: 64 * 1024, message: 200 }

/** Whether a token has ended is a question of the time; what a model is made of is none. */
const intrinsicsWithTime = { ...intrinsics, Date: true }

const reasons = {
  endless: 'it does not come to an end within five million steps',
  waits: 'it waits for something that never happens: it reaches no network, disk or timer',
  large: 'it needs more memory than it may use (16 MB)',
  deep: 'it calls itself too deeply',
  restarting: 'the engine starts again after another function brought it down',
}

/**
 * Loads what runs the `checkAuth` of projects: a sandbox for each call, with nothing of another call in it, without network, disk, timers
 * or process.
 */
export async function loadCheckAuthEngine(): Promise<CheckAuthEngine> {
  const machines = await loadMachines()
  return {
    run: request =>
      machines.use({
        work: machine => runIn(machine, request),
        broken: reason => fault(reasons[reason]),
      }),
  }
}

const fault = (reason: string): CheckAuthOutcome => ({ kind: 'fault', reason })

function runIn(machine: QuickJSWASMModule, request: CheckAuthRequest): CheckAuthOutcome {
  using runtime = machine.newRuntime()
  let steps = 0
  runtime.setMemoryLimit(memoryLimit)
  runtime.setMaxStackSize(stackLimit)
  runtime.setInterruptHandler(() => {
    steps += 1
    return steps > stepsLimit
  })
  using context = runtime.newContext({ intrinsics: intrinsicsWithTime })
  const { checkAuth, verify, ...given } = request
  const asked = context.newFunction('verify', question => context.newString(verify(context.getString(question))))
  using verifyFunction = asked
  using input = context.newString(JSON.stringify(given))
  using bounds = context.unwrapResult(context.evalCode(`(${JSON.stringify(limits)})`))

  const failure = (error: QuickJSHandle): CheckAuthOutcome => {
    using held = error
    if (steps > stepsLimit) return fault(reasons.endless)
    return fault(failureOf(context, held))
  }

  const script = context.evalCode(frame(checkAuth.script), checkAuth.file, { strict: false })
  if (script.error) return failure(script.error)
  using scriptFunction = script.value
  using program = context.unwrapResult(context.evalCode(checkAuthProgram, '<sandbox>'))
  const made = context.callFunction(program, context.undefined, verifyFunction, input, bounds)
  if (made.error) return failure(made.error)
  using run = made.value
  const called = context.callFunction(run, context.undefined, scriptFunction)
  if (called.error) return failure(called.error)
  using promise = called.value
  const jobs = runtime.executePendingJobs(jobsLimit)
  if (jobs.error) return failure(jobs.error)
  if (steps > stepsLimit || runtime.hasPendingJob()) return fault(reasons.endless)
  const state = context.getPromiseState(promise)
  if (state.type === 'rejected') return failure(state.error)
  if (state.type === 'pending') return fault(reasons.waits)
  using value = state.value
  return readOutcome(context.getString(value))
}

/** On one line with the first of the script, so that lines are those of its author. */
const frame = (script: string) => `(function (module, exports, require) {${script}\n})`

function failureOf(context: QuickJSContext, held: QuickJSHandle): string {
  const said: unknown = context.dump(held)
  const message = isError(said) ? `${said.name ?? 'Error'}: ${said.message}` : ''
  if (/stack overflow/.test(message)) return reasons.deep
  // Where there is no memory for an error either, null is thrown.
  if (message === '' || /out of memory/.test(message)) return reasons.large
  return `it stopped with ${message.slice(0, limits.message)}`
}

const isError = (value: unknown): value is { readonly name?: string; readonly message: string } =>
  typeof value === 'object' && value !== null && 'message' in value && typeof value.message === 'string'

/** As the sandbox writes it. A script that changed how that is written gets nothing in by it. */
function readOutcome(json: string): CheckAuthOutcome {
  const read: unknown = JSON.parse(json)
  const [kind, text] = Array.isArray(read) ? read : []
  if (typeof text === 'string' && kind === 'context') return { kind, json: text }
  if (typeof text === 'string' && kind === 'refused') return { kind, message: text }
  return fault(typeof text === 'string' ? text : 'it gave nothing that can be read')
}
