import type { CodeEngines } from './parse/code-engines.ts'
import { contentOfReads, createModelFiles, type ModelFiles, recordReads } from './parse/model-files.ts'
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

/**
 * Keeps parsed files. The key holds the path and all content that the tree was made from, or its digest, so that an entry can never
 * be old. `characters` tells how large the file is.
 */
export interface ParseCache {
  get(key: string): FileTree | undefined
  set(key: string, tree: FileTree, characters: number): unknown
}

export interface CompileOptions {
  /** A map that outlives the call makes a recompile read only the files that changed, and those that load them. */
  readonly parseCache?: ParseCache
  /** Needed for files with Jinja or JavaScript; without them such a file is a problem. */
  readonly engines?: CodeEngines
}

/**
 * Compiles a project's model. Give it all files of the project: it reads what `isModelFile` says.
 *
 * model files --parse--> trees --resolve--> Model
 */
export function compileModel(files: readonly SourceFile[], options: CompileOptions = {}): CompileResult {
  const { parseCache, engines } = options
  const ordered = files.filter(({ path }) => isModelFile(path)).sort((left, right) => compare(left.path, right.path))
  const project = createModelFiles(ordered)
  const trees = ordered.map(file => parseCached(file, project, engines, parseCache))
  const resolved = resolve(trees)
  const found: ModelProblem[] = []
  const warnings: ModelProblem[] = []
  let cubesCount = 0
  for (const tree of trees) {
    found.push(...tree.problems)
    warnings.push(...tree.warnings)
    cubesCount += tree.cubes.length
  }
  const problems = distinct([...found, ...resolved.problems]).sort(byPlace)
  return {
    model: problems.length === 0 ? withCheckAuth(resolved.model, trees) : null,
    problems,
    warnings: [...warnings, ...resolved.warnings].sort(byPlace),
    cubesCount,
  }
}

function withCheckAuth(model: Model, trees: readonly FileTree[]): Model {
  const { checkAuth } = trees.find(tree => tree.checkAuth) ?? {}
  return checkAuth ? { ...model, checkAuth } : model
}

/** A tree made from one file is kept under that file; one that read others also under what all of them held. */
function parseCached(
  file: SourceFile,
  project: ModelFiles,
  engines: CodeEngines | undefined,
  cache: ParseCache | undefined,
): FileTree {
  const { path, content, digest } = file
  // No content can be taken for the digest of another.
  const key = `${engines ? '' : 'no engines '}${path}\0${digest === undefined ? `=${content}` : `#${digest}`}`
  const last = cache?.get(key)
  if (last && !last.reads) return last
  const known = last?.reads && cache?.get(`${key}\0${contentOfReads(last.reads, project)}`)
  if (known) return known
  const { files, reads } = recordReads(project)
  const parsed = parseFile(file, files, engines)
  const tree = reads.size === 0 ? parsed : { ...parsed, reads: [...reads] }
  cache?.set(key, tree, content.length)
  if (tree.reads) cache?.set(`${key}\0${contentOfReads(tree.reads, project)}`, tree, content.length)
  return tree
}

/** What is wrong with a file that others load is found again with each of them. */
const distinct = (problems: readonly ModelProblem[]): ModelProblem[] => [
  ...new Map(
    problems.map(problem => [
      `${problem.code} ${problem.line}:${problem.column} ${problem.file}\0${problem.message}`,
      problem,
    ]),
  ).values(),
]

const byPlace = (left: ModelProblem, right: ModelProblem) =>
  compare(left.file, right.file) || left.line - right.line || left.column - right.column

const compare = (left: string, right: string) => (left < right ? -1 : left > right ? 1 : 0)
