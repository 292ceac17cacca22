import { isModelFile, parseFile } from './parse/parse-file.ts'
import { resolve } from './resolve/resolve.ts'
import type { Model } from './shapes/model.ts'
import type { ModelProblem, SourceFile } from './shapes/source.ts'
import type { FileTree } from './shapes/tree.ts'

export interface CompileResult {
  /** Null exactly when there are problems. */
  readonly model: Model | null
  /** All that is wrong, in the order of files, lines and columns. */
  readonly problems: readonly ModelProblem[]
  /** What the author should know all the same, in the same order. They stop nothing. */
  readonly warnings: readonly ModelProblem[]
  /** Cubes that the files define, views not counted. */
  readonly cubesCount: number
}

/** Keeps parsed files. The key holds path and content, so that an entry can never be old. */
export interface ParseCache {
  get(key: string): FileTree | undefined
  set(key: string, tree: FileTree): unknown
}

/**
 * Compiles a project's model. Give it all files of the project: it reads the YAML below `model/`.
 *
 * model files --parse--> trees --resolve--> Model
 *
 * @param options.parseCache a map that outlives the call makes a recompile read only the files that changed
 */
export function compileModel(files: readonly SourceFile[], options: { parseCache?: ParseCache } = {}): CompileResult {
  const { parseCache } = options
  const ordered = files.filter(({ path }) => isModelFile(path)).sort((left, right) => compare(left.path, right.path))
  const trees = ordered.map(file => (parseCache ? parseCached(file, parseCache) : parseFile(file)))
  const resolved = resolve(trees)
  const problems = [...trees.flatMap(tree => tree.problems), ...resolved.problems].sort(byPlace)
  return {
    model: problems.length === 0 ? resolved.model : null,
    problems,
    warnings: [...trees.flatMap(tree => tree.warnings), ...resolved.warnings].sort(byPlace),
    cubesCount: trees.reduce((count, { cubes }) => count + cubes.length, 0),
  }
}

function parseCached(file: SourceFile, cache: ParseCache): FileTree {
  const key = `${file.path}\0${file.content}`
  const known = cache.get(key)
  if (known) return known
  const tree = parseFile(file)
  cache.set(key, tree)
  return tree
}

const byPlace = (left: ModelProblem, right: ModelProblem) =>
  compare(left.file, right.file) || left.line - right.line || left.column - right.column

const compare = (left: string, right: string) => (left < right ? -1 : left > right ? 1 : 0)
