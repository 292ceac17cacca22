import { fieldOf, isRecord } from '../framework/json.ts'
import type { HashedFile } from './collect-files.ts'

/** What a deploy would change on the branch. */
export interface DeployPlan {
  /** Files that the branch does not have. */
  readonly added: readonly HashedFile[]
  /** Files that it has with other bytes. */
  readonly changed: readonly HashedFile[]
  /** Paths that it has and the project has not; they stay where removal is switched off. */
  readonly removed: readonly string[]
  /** What the branch has: path to SHA-1. */
  readonly remote: ReadonlyMap<string, string>
}

/** Compares the project with the hashes that the server gave, which may stand at the top or under `files`. */
export function planDeploy(local: readonly HashedFile[], hashes: unknown, keepMissing: boolean): DeployPlan {
  const remote = remoteHashes(hashes)
  const paths = new Set(local.map(({ path }) => path))
  return {
    added: local.filter(({ path }) => !remote.has(path)),
    changed: local.filter(({ path, hash }) => remote.has(path) && remote.get(path) !== hash),
    remote,
    removed: keepMissing ? [] : [...remote.keys()].filter(path => !paths.has(path)).sort(),
  }
}

/** Paths to SHA-1 of a table that a server gave. */
export function hashesIn(table: unknown): ReadonlyMap<string, string> {
  const entries = isRecord(table) ? Object.entries(table) : []
  return new Map(entries.map(([path, value]) => [path.replace(/^\/+/, ''), String(fieldOf(value, 'hash') ?? '')]))
}

function remoteHashes(document: unknown): ReadonlyMap<string, string> {
  const nested = fieldOf(document, 'files')
  // A file named `files` has a hash of its own; a table of files has none.
  return hashesIn(isRecord(nested) && typeof nested.hash !== 'string' ? nested : document)
}

const filesInBatch = 200
const bytesInBatch = 8 * 1024 * 1024

/** Files in the groups that travel in one request each. A file that cannot be named in a part's header travels alone. */
export function batchesOf(files: readonly HashedFile[]): readonly (readonly HashedFile[])[] {
  const alone = files.filter(({ path }) => !isSafeFileName(path))
  const batches: HashedFile[][] = []
  let bytes = Number.POSITIVE_INFINITY
  for (const file of files.filter(({ path }) => isSafeFileName(path))) {
    const last = batches.at(-1)
    if (last === undefined || last.length === filesInBatch || bytes + file.size > bytesInBatch) {
      batches.push([file])
      bytes = file.size
    } else {
      last.push(file)
      bytes += file.size
    }
  }
  return [...batches, ...alone.map(file => [file])]
}

/** Quotes and percent signs are escaped in a part's header by some writers and unescaped by some readers; so none is sent. */
const isSafeFileName = (path: string): boolean => !/["%\\\r\n]/.test(path)
