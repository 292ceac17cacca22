import type { SourceFile } from '../shapes/source.ts'

/** What code in one model file may see of the project: other files below `model/`, each by its path from the project's root. */
export interface ModelFiles {
  /** `null` when there is no such file. */
  read(path: string): string | null
  /** Paths of the macro files, for templates that choose one by a name which is only known when they run. */
  macroFiles(): readonly string[]
}

/** Stands among what a file read for the list of macro files. */
const macroList = '*.jinja'

export function createModelFiles(files: readonly SourceFile[]): ModelFiles {
  // Few files look at others, and none where all are known.
  const contents = once(() => new Map(files.map(({ path, content }) => [path, content])))
  const macroFiles = once(() =>
    [...contents().keys()].filter(path => path.startsWith('model/') && path.endsWith('.jinja')).sort(),
  )
  return { read: path => contents().get(path) ?? null, macroFiles }
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

/** The same files, keeping account of what is asked for. */
export function recordReads(files: ModelFiles): { readonly files: ModelFiles; readonly reads: ReadonlySet<string> } {
  const reads = new Set<string>()
  return {
    reads,
    files: {
      read(path) {
        reads.add(path)
        return files.read(path)
      },
      macroFiles() {
        reads.add(macroList)
        return files.macroFiles()
      },
    },
  }
}

/** All that was read before, as it is now: while this is the same, whatever was made from it is. */
export const contentOfReads = (reads: readonly string[], files: ModelFiles): string =>
  JSON.stringify(reads.map(path => (path === macroList ? files.macroFiles() : files.read(path))))
