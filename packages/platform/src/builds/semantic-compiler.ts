import { compileModel, isModelFile, type ParseCache } from '@hedron/semantic'
import { LRUCache } from 'lru-cache'
import type { Compiler } from './compiler.ts'

/** Parsed files kept in memory, so that a change of one file parses one file. */
const keptFiles = 20_000

/**
 * Hedron's own compiler.
 *
 * @param version changes with the compiler's code, since compiled models are kept for ever.
 */
export function createSemanticCompiler(version: string): Compiler {
  const parsed = new LRUCache<string, NonNullable<ReturnType<ParseCache['get']>>>({ max: keptFiles })
  const parseCache: ParseCache = {
    get: key => parsed.get(key),
    set: (key, tree) => parsed.set(key, tree),
  }
  return { version, isModelFile, compile: files => compileModel(files, { parseCache }) }
}
