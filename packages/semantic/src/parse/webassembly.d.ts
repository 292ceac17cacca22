/** What is used here of the WebAssembly JavaScript Interface, which TypeScript declares only for browsers. */
declare namespace WebAssembly {
  type Exports = Readonly<Record<string, unknown>>
  class Module {
    private readonly brand: 'module'
  }
  class Instance {
    constructor(module: Module, imports: Readonly<Record<string, Readonly<Record<string, unknown>>>>)
    readonly exports: Exports
  }
  class Memory {
    constructor(limits: { readonly initial: number; readonly maximum: number })
    readonly buffer: ArrayBuffer
    grow(pages: number): number
  }
  class RuntimeError extends Error {}
  function compile(bytes: Uint8Array<ArrayBuffer>): Promise<Module>
}
