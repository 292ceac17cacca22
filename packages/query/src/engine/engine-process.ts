/** The program of an engine: DuckDB in a process of its own (engine.ts starts it). */
import { enableCompileCache } from 'node:module'

enableCompileCache()
const { serve } = await import('./serve.ts')
serve()
