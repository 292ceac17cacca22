/** The glue of minijinja-js without the module that it is glue for, so that each render can have a bounded memory. */
declare module 'minijinja-js/dist/bundler/minijinja_js_bg.js' {
  export { Environment } from 'minijinja-js'
  export function __wbg_set_wasm(exports: WebAssembly.Exports): void
}
