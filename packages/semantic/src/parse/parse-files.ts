import type { SourceFile } from '../shapes/source.ts'
import type { FileTree } from '../shapes/tree.ts'
import type { CodeEngines } from './code-engines.ts'
import { contentOfReads, createModelFiles, type ModelFiles, recordReads } from './model-files.ts'
import { isModelFile, parseFile } from './parse-file.ts'

/**
 * Keeps parsed files. The key holds the path and all content that the tree was made from, or its digest, so that an entry can never
 * be old. `characters` tells how large the file is.
 */
export interface ParseCache {
  get(key: string): FileTree | undefined
  set(key: string, tree: FileTree, characters: number): unknown
}

/** The files of a project as they were parsed the last time. */
export interface ParsedFiles {
  /** In the order of their paths. */
  readonly trees: readonly FileTree[]
  readonly engines: CodeEngines | undefined
  /** All paths that were given, in that order. */
  readonly paths: readonly string[]
  /** Where the model's files stand among them, in the order of their paths. */
  readonly order: readonly number[]
  readonly files: readonly ParsedFile[]
}

interface ParsedFile {
  readonly path: string
  readonly digest: string | undefined
  /** Null where a digest stands for it. */
  readonly content: string | null
  readonly tree: FileTree
}

/**
 * Parses a project's model files. Those that are as they were the last time are not even looked up.
 *
 * @param last of the same cache
 */
export function parseFiles(
  files: readonly SourceFile[],
  engines: CodeEngines | undefined,
  cache: ParseCache | undefined,
  last: ParsedFiles | undefined,
): ParsedFiles {
  const isSameList = last?.paths.length === files.length && last.paths.every((path, at) => path === files[at]?.path)
  // The cache may forget first what it was asked for longest ago, which these files are not.
  if (!isSameList) for (const file of last?.files ?? []) cache?.get(keyOf(file, last?.engines))
  const order = isSameList ? last.order : modelFiles(files)
  const ordered = order.flatMap(position => files[position] ?? [])
  const known = isSameList && last.engines === engines ? last.files : []
  const project = createModelFiles(ordered)
  const parsed = ordered.map((file, position): ParsedFile => {
    const before = known[position]
    if (before && isUnchanged(before, file)) return before
    const tree = parseCached(file, project, engines, cache)
    return { path: file.path, digest: file.digest, content: file.digest === undefined ? file.content : null, tree }
  })
  const paths = isSameList ? last.paths : files.map(({ path }) => path)
  return { trees: parsed.map(({ tree }) => tree), engines, paths, order, files: parsed }
}

function modelFiles(files: readonly SourceFile[]): number[] {
  const path = (position: number) => files[position]?.path ?? ''
  return [...files.keys()]
    .filter(position => isModelFile(path(position)))
    .sort((left, right) => (path(left) < path(right) ? -1 : path(left) > path(right) ? 1 : 0))
}

/** Whether a tree would be parsed again from the same. What it read of other files may have changed. */
const isUnchanged = ({ digest, content, tree }: ParsedFile, file: SourceFile): boolean =>
  !tree.reads && digest === file.digest && (digest !== undefined || content === file.content)

/** A tree made from one file is kept under that file; one that read others also under what all of them held. */
function parseCached(
  file: SourceFile,
  project: ModelFiles,
  engines: CodeEngines | undefined,
  cache: ParseCache | undefined,
): FileTree {
  const key = keyOf(file, engines)
  const last = cache?.get(key)
  if (last && !last.reads) return last
  const known = last?.reads && cache?.get(`${key}\0${contentOfReads(last.reads, project)}`)
  if (known) return known
  const { files, reads } = recordReads(project)
  const parsed = parseFile(file, files, engines)
  const tree = reads.size === 0 ? parsed : { ...parsed, reads: [...reads] }
  cache?.set(key, tree, file.content.length)
  if (tree.reads) cache?.set(`${key}\0${contentOfReads(tree.reads, project)}`, tree, file.content.length)
  return tree
}

/** No content can be taken for the digest of another. */
function keyOf({ path, digest, content }: SourceFile | ParsedFile, engines: CodeEngines | undefined): string {
  return `${engines ? '' : 'no engines '}${path}\0${digest === undefined ? `=${content}` : `#${digest}`}`
}
