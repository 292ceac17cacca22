import { readFile } from 'node:fs/promises'
import type { JsonValue } from '../../shapes/source.ts'
import { type JinjaFailure, readFailure } from './jinja-failure.ts'
import { limitMemory } from './limit-memory.ts'

export interface RenderRequest {
  /** Every template that may be asked for, by name. */
  readonly templates: ReadonlyMap<string, string>
  readonly entry: string
  readonly variables: Readonly<Record<string, JsonValue>>
}

export type RenderResult =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'failed'; readonly failure: JinjaFailure }

export interface JinjaEngine {
  /** Never throws: a template that is wrong, or asks for too much, is a failure. */
  render(request: RenderRequest): RenderResult
}

/** Instructions of a template. A model of thousands of members takes some hundred thousand. */
const fuel = 1_000_000
/** 64 KiB each. */
const memoryPages = 512
/** Past this size the next render gets an instance of its own, since memory of WebAssembly never shrinks. */
const usedMemory = 8 * 1024 * 1024

/** minijinja would quote what templates with these endings print, as JSON or HTML. */
const escapedName = /\.(ya?ml|json5?|js|html?|xml)(\.j2|\.jinja2?)?$/
const unescaped = '{% autoescape false %}'

/** A name that no file has and whose ending means nothing. */
const entryName = (name: string) => `${name} `

export async function loadJinjaEngine(): Promise<JinjaEngine> {
  const glue = await import('minijinja-js/dist/bundler/minijinja_js_bg.js')
  const location = import.meta.resolve('minijinja-js/dist/bundler/minijinja_js_bg.wasm')
  const module = await WebAssembly.compile(limitMemory(await readFile(new URL(location)), memoryPages))
  let memory: WebAssembly.Memory | null = null
  let isBroken = true

  const start = () => {
    // The glue keeps views of the last instance's memory until that is detached, which growing by nothing does.
    memory?.grow(0)
    const { exports } = new WebAssembly.Instance(module, { './minijinja_js_bg.js': { ...glue } })
    glue.__wbg_set_wasm(exports)
    memory = exports.memory instanceof WebAssembly.Memory ? exports.memory : null
    isBroken = false
  }

  return {
    render({ templates, entry, variables }) {
      if (isBroken || (memory?.buffer.byteLength ?? 0) > usedMemory) start()
      const environment = new glue.Environment()
      try {
        environment.undefinedBehavior = 'strict'
        environment.debug = true
        environment.keepTrailingNewline = true
        environment.fuel = fuel
        environment.enablePyCompat()
        for (const [name, source] of templates) {
          environment.addTemplate(name, source)
          if (escapedName.test(name)) environment.addTemplate(name, `${unescaped}${source}{% endautoescape %}`)
        }
        environment.addTemplate(entryName(entry), templates.get(entry) ?? '')
        return { kind: 'text', text: environment.renderTemplate(entryName(entry), variables) }
      } catch (error) {
        isBroken = error instanceof WebAssembly.RuntimeError || error instanceof RangeError
        const shift = (name: string, line: number) =>
          name !== entryName(entry) && line === 1 && escapedName.test(name) ? unescaped.length : 0
        const failure = readFailure(error, shift)
        return { kind: 'failed', failure: { ...failure, template: failure.template?.trimEnd() ?? null } }
      } finally {
        try {
          environment.free()
        } catch {
          // After a trap the environment is still borrowed inside; its whole instance is dropped instead.
        }
      }
    },
  }
}
