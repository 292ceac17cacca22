import type { CodeEngines } from './parse/code-engines.ts'
import { type ParseCache, type ParsedFiles, parseFiles } from './parse/parse-files.ts'
import { type KnownModel, resolve } from './resolve/resolve.ts'
import type { Model } from './shapes/model.ts'
import type { ModelProblem, Position, SourceFile } from './shapes/source.ts'
import type { Beginning, FileTree } from './shapes/tree.ts'

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

export interface CompileOptions {
  /** A map that outlives the call makes a recompile read only the files that changed, and those that load them. */
  readonly parseCache?: ParseCache
  /** Needed for files with Jinja or JavaScript; without them such a file is a problem. */
  readonly engines?: CodeEngines
}

/** What the last compilation with a cache leaves to the next, which is mostly of the same project. */
interface Last {
  readonly parsed: ParsedFiles
  readonly known: KnownModel
}
const lastOf = new WeakMap<ParseCache, Last>()

/**
 * Compiles a project's model. Give it all files of the project: it reads what `isModelFile` says.
 *
 * model files --parse--> trees --resolve--> Model
 */
export function compileModel(files: readonly SourceFile[], options: CompileOptions = {}): CompileResult {
  const { parseCache, engines } = options
  const last = parseCache && lastOf.get(parseCache)
  const parsed = parseFiles(files, engines, parseCache, last?.parsed)
  const { trees } = parsed
  const resolved = resolve(trees, last?.known)
  if (parseCache) lastOf.set(parseCache, { parsed, known: resolved.known })
  const found: ModelProblem[] = []
  const warnings: ModelProblem[] = []
  let cubesCount = 0
  for (const tree of trees) {
    if (tree.problems.length > 0) found.push(...tree.problems)
    if (tree.warnings.length > 0) warnings.push(...tree.warnings)
    cubesCount += tree.cubes.length
  }
  const problems = withDefinitions(distinct([...found, ...resolved.problems]).sort(byPlace), trees)
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

/** What is wrong with a file that others load is found again with each of them. */
const distinct = (problems: readonly ModelProblem[]): ModelProblem[] => [
  ...new Map(
    problems.map(problem => [
      `${problem.code} ${problem.line}:${problem.column} ${problem.file}\0${problem.message}`,
      problem,
    ]),
  ).values(),
]

/** Says of each problem in which cube or view it is: the one that begins last before it. */
function withDefinitions(problems: readonly ModelProblem[], trees: readonly FileTree[]): readonly ModelProblem[] {
  if (problems.length === 0) return problems
  const byFile = new Map<string, Beginning[]>()
  for (const beginning of trees.flatMap(({ beginnings }) => beginnings)) {
    const { file } = beginning.at
    const known = byFile.get(file)
    if (known) known.push(beginning)
    else byFile.set(file, [beginning])
  }
  for (const beginnings of byFile.values()) beginnings.sort((left, right) => byPlace(left.at, right.at))
  return problems.map(problem => {
    const definition = byFile.get(problem.file)?.findLast(({ at }) => byPlace(at, problem) <= 0)?.definition ?? null
    return definition === null ? problem : { ...problem, definition }
  })
}

const byPlace = (left: Position, right: Position) =>
  compare(left.file, right.file) || left.line - right.line || left.column - right.column

const compare = (left: string, right: string) => (left < right ? -1 : left > right ? 1 : 0)
