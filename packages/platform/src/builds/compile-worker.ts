// The thread that compiles models: it is sent the files of a project and answers with a `CompileAnswer`, one after the other.
import { parentPort } from 'node:worker_threads'
import { compileModel, loadCodeEngines, type ParseCache, type SourceFile } from '@hedron/semantic'
import { LRUCache } from 'lru-cache'
import { lowerPriority } from '../threads/lower-priority.ts'
import type { CompileAnswer } from './compile-messages.ts'
import { writeModel } from './model-text.ts'

/** Parsed files kept in memory, in characters of their text, so that a change of one file parses one file. */
const keptCharacters = 32 * 1024 * 1024
const entryCharacters = 500

type Tree = NonNullable<ReturnType<ParseCache['get']>>

const parsed = new LRUCache<string, Tree>({
  maxSize: keptCharacters,
})
const parseCache: ParseCache = {
  get: key => parsed.get(key),
  set: (key, tree, characters) => parsed.set(key, tree, { size: key.length + characters + entryCharacters }),
}

lowerPriority()

/** Messages that come before are kept until somebody listens. */
const engines = await loadCodeEngines()

parentPort?.on('message', (files: readonly SourceFile[]) => parentPort?.postMessage(answer(files)))

function answer(files: readonly SourceFile[]): CompileAnswer {
  try {
    const { model, problems, warnings, cubesCount } = compileModel(files, { parseCache, engines })
    return { model: model === null ? null : writeModel(model), problems, warnings, cubesCount }
  } catch (fault) {
    return { fault }
  }
}
