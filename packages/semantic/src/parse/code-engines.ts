import { type JavaScriptEngine, loadJavaScriptEngine } from './javascript/javascript-engine.ts'
import { type JinjaEngine, loadJinjaEngine } from './jinja/jinja-engine.ts'

/** What runs the code in model files. Each is a sandbox without clock, disk, network or process. */
export interface CodeEngines {
  readonly javascript: JavaScriptEngine
  readonly jinja: JinjaEngine
}

/** Loads the engines, once for a process or worker. They are WebAssembly modules, whose bytes are read from their packages. */
export async function loadCodeEngines(): Promise<CodeEngines> {
  const [javascript, jinja] = await Promise.all([loadJavaScriptEngine(), loadJinjaEngine()])
  return { javascript, jinja }
}
