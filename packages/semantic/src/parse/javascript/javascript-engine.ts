import type { QuickJSContext, QuickJSHandle, QuickJSWASMModule } from 'quickjs-emscripten-core'
import { intrinsics, jobsLimit, loadMachines, mebibyte, stackLimit, stepsLimit } from './quickjs-machines.ts'
import { globals, unavailableNames } from './sandbox-names.ts'
import { sandboxProgram } from './sandbox-program.ts'

export type LoadedFile =
  | { readonly kind: 'program'; readonly path: string; readonly program: string }
  | { readonly kind: 'refused'; readonly code: string; readonly detail: string }

export interface EvaluateRequest {
  readonly path: string
  /** An expression whose value is `function (scope, helpers)`. */
  readonly program: string
  /** What `import` and `require` of a file find. */
  load(from: string, specifier: string): LoadedFile
}

export type EvaluateResult =
  | { readonly kind: 'definitions'; readonly json: string }
  | { readonly kind: 'failed'; readonly failure: JavaScriptFailure }

export interface JavaScriptFailure {
  /** A code of the table of problems, or `js_threw`. */
  readonly code: string
  readonly detail: string
  /** Places in the programs that ran, the innermost first. */
  readonly frames: readonly { readonly path: string; readonly line: number; readonly column: number }[]
  /** The literal that was being read, by the number that its program gave it; -1 for none. */
  readonly literal: number
}

export interface JavaScriptEngine {
  /** Never throws: code that throws, never ends or asks for too much is a failure. */
  evaluate(request: EvaluateRequest): EvaluateResult
}

const memoryLimit = 24 * mebibyte
const limits = { native: 20_000_000, values: 500_000, depth: 64 }

export async function loadJavaScriptEngine(): Promise<JavaScriptEngine> {
  const machines = await loadMachines()
  return {
    evaluate: request =>
      machines.use({
        work: machine => evaluateIn(machine, request),
        broken: reason => failed(brokenCodes[reason], ''),
      }),
  }
}

const brokenCodes = { deep: 'js_too_deep', large: 'js_too_large', restarting: 'js_engine_restarts' } as const

const failed = (
  code: string,
  detail: string,
  frames: JavaScriptFailure['frames'] = [],
  literal = -1,
): EvaluateResult => ({ kind: 'failed', failure: { code, detail, frames, literal } })

function evaluateIn(module: QuickJSWASMModule, { path, program, load }: EvaluateRequest): EvaluateResult {
  using runtime = module.newRuntime()
  let steps = 0
  runtime.setMemoryLimit(memoryLimit)
  runtime.setMaxStackSize(stackLimit)
  runtime.setInterruptHandler(() => {
    steps += 1
    return steps > stepsLimit
  })
  using context = runtime.newContext({ intrinsics })
  const paths = new Set([path])
  const loaded = new Set([path])

  const compile = (code: string, name: string) => context.evalCode(code, name, { strict: false })
  const loadHandle = context.newFunction('load', (from, specifier) => {
    const file = load(context.getString(from), context.getString(specifier))
    if (file.kind === 'refused') return context.newString(`\uE002${file.code}\uE002${file.detail}`)
    if (loaded.has(file.path)) return context.newString(file.path)
    loaded.add(file.path)
    paths.add(file.path)
    const compiled = compile(file.program, file.path)
    if (compiled.error) return compiled
    const found = context.newObject()
    using pathHandle = context.newString(file.path)
    context.setProp(found, 'path', pathHandle)
    context.setProp(found, 'program', compiled.value)
    compiled.value.dispose()
    return found
  })
  using loadFunction = loadHandle
  using settings = jsonHandle(context, { ...limits, globals, unavailable: unavailableNames })

  using factory = context.unwrapResult(compile(sandboxProgram, '<sandbox>'))
  using sandbox = context.unwrapResult(context.callFunction(factory, context.undefined, loadFunction, settings))

  const failure = (error: QuickJSHandle): EvaluateResult => {
    using held = error
    const isEndless = steps > stepsLimit
    // Reading what was thrown can run code once more.
    steps = 0
    const name = textProp(context, held, 'name')
    const message = textProp(context, held, 'message') ?? textOf(context, held)
    const frames = framesOf(textProp(context, held, 'stack') ?? '', paths)
    using where = context.getProp(sandbox, 'where')
    const at = context.callFunction(where, context.undefined)
    const literal = at.error ? -1 : context.getNumber(at.value)
    at.dispose()
    if (isEndless) return failed('js_endless', '', frames, literal)
    const [, code, detail] = /^\uE002(\w+)\uE002([\s\S]*)$/.exec(message) ?? []
    if (code !== undefined) return failed(code, detail ?? '', frames, literal)
    if (/stack overflow/.test(message)) return failed('js_too_deep', '', frames, literal)
    // Where there is no memory for an error either, null is thrown.
    const isNothing = message === '' && name === undefined
    if (/out of memory/.test(message) || isNothing || context.sameValue(held, context.null)) {
      return failed('js_too_large', '', frames, literal)
    }
    if (/string too long|invalid (string|array) length/i.test(message))
      return failed('js_too_large', '', frames, literal)
    return failed('js_threw', name ? `${name}: ${message}` : message, frames, literal)
  }

  const compiled = compile(program, path)
  if (compiled.error) return failure(compiled.error)
  using programHandle = compiled.value
  using pathHandle = context.newString(path)
  const call = (name: string, ...values: QuickJSHandle[]) => {
    using method = context.getProp(sandbox, name)
    return context.callFunction(method, sandbox, ...values)
  }
  const ran = call('run', pathHandle, programHandle)
  if (ran.error) return failure(ran.error)
  ran.value.dispose()

  const settled = call('settle')
  if (settled.error) return failure(settled.error)
  using promise = settled.value
  const jobs = runtime.executePendingJobs(jobsLimit)
  if (jobs.error) return failure(jobs.error)
  if (runtime.hasPendingJob()) return failed('js_endless', '')
  const state = context.getPromiseState(promise)
  if (state.type === 'rejected') return failure(state.error)
  if (state.type === 'pending') return failed('js_waits', '')
  state.value.dispose()

  const written = call('write')
  if (written.error) return failure(written.error)
  using json = written.value
  return { kind: 'definitions', json: context.getString(json) }
}

function jsonHandle(context: QuickJSContext, value: unknown): QuickJSHandle {
  return context.unwrapResult(context.evalCode(`(${JSON.stringify(value)})`, '<sandbox>', { strict: false }))
}

/** Reading a property can run code, and fail; then there is no text. */
function textProp(context: QuickJSContext, of: QuickJSHandle, name: string): string | undefined {
  const type = context.typeof(of)
  if (type !== 'object' && type !== 'function') return undefined
  const read = context.evalCode(
    '(value, name) => { try { const read = value[name]; return typeof read === "string" ? read : undefined } catch { return undefined } }',
    '<sandbox>',
  )
  if (read.error) {
    read.error.dispose()
    return undefined
  }
  using reader = read.value
  using key = context.newString(name)
  const result = context.callFunction(reader, context.undefined, of, key)
  if (result.error) {
    result.error.dispose()
    return undefined
  }
  using value = result.value
  return context.typeof(value) === 'string' ? context.getString(value) : undefined
}

function textOf(context: QuickJSContext, value: QuickJSHandle): string {
  const type = context.typeof(value)
  if (type === 'string') return context.getString(value)
  return type === 'number' || type === 'boolean' || type === 'undefined'
    ? String(context.dump(value))
    : 'something that is no text'
}

function framesOf(stack: string, paths: ReadonlySet<string>): JavaScriptFailure['frames'] {
  return stack.split('\n').flatMap(text => {
    const [, path, line, column] = /(?:\(|at )([^()\s]+):(\d+):(\d+)\)?$/.exec(text.trim()) ?? []
    return path !== undefined && paths.has(path) ? [{ path, line: Number(line), column: Number(column) }] : []
  })
}
