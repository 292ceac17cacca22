import { readFile } from 'node:fs/promises'
import releaseVariant from '@jitl/quickjs-wasmfile-release-sync'
import { newQuickJSWASMModuleFromVariant, newVariant, type QuickJSWASMModule } from 'quickjs-emscripten-core'

// The package's types tell of its CommonJS build, whose default export is a level deeper than that of the ES module.
const variant = 'default' in releaseVariant ? releaseVariant.default : releaseVariant

/** 64 KiB each; QuickJS's own limit counts less than it takes, so that this one comes first only in a fault of QuickJS. */
const memory = { initial: 256, maximum: 768 }
const spares = 2

export const mebibyte = 1024 * 1024
/** Deeper and the stack of the machine would end before that of QuickJS. */
export const stackLimit = 64 * 1024
/** QuickJS asks whether to stop after each ten thousand steps. */
export const stepsLimit = 500
/** Continuations after `await`, each of which is a few steps of its own. */
export const jobsLimit = 10_000

/** What a program finds in a sandbox. The programs' own names for what is taken away here stay: they would be references that nothing answers. */
export const intrinsics = {
  BaseObjects: true,
  Eval: true,
  StringNormalize: true,
  RegExp: true,
  RegExpCompiler: true,
  JSON: true,
  Proxy: true,
  MapSet: true,
  Promise: true,
}

/** Why a machine could not do its work: its stack or its memory ended, or all of them start again after that. */
export type BrokenMachine = 'deep' | 'large' | 'restarting'

export interface Machines {
  /** Runs work in a machine. One that breaks is left, and another started. */
  use<T>(task: { readonly work: (machine: QuickJSWASMModule) => T; readonly broken: (reason: BrokenMachine) => T }): T
}

/** Loads QuickJS, as WebAssembly modules with bounded memory. */
export async function loadMachines(): Promise<Machines> {
  const location = import.meta.resolve('@jitl/quickjs-wasmfile-release-sync/wasm')
  const wasmModule = await WebAssembly.compile(new Uint8Array(await readFile(new URL(location))))
  const start = () =>
    newQuickJSWASMModuleFromVariant(newVariant(variant, { wasmModule, wasmMemory: new WebAssembly.Memory(memory) }))
  const machines = await Promise.all(Array.from({ length: spares }, start))

  return {
    use({ work, broken }) {
      const [machine] = machines
      if (!machine) return broken('restarting')
      try {
        return work(machine)
      } catch (error) {
        // The machine's stack or memory ended inside QuickJS, which may have left anything half done.
        machines.shift()
        void start().then(fresh => machines.push(fresh))
        const isDeep = error instanceof RangeError
        if (isDeep || error instanceof WebAssembly.RuntimeError) return broken(isDeep ? 'deep' : 'large')
        throw error
      }
    },
  }
}
