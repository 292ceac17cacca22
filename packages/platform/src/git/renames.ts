import { compareBytes } from './byte-order.ts'
import type { ObjectId } from './objects.ts'
import { isRegular, type Snapshot, type SnapshotFile } from './snapshot-file.ts'

/** Every project has empty files, and they say nothing about each other. */
const emptyBlobId: ObjectId = 'e69de29bb2d1d6434b8b29ae775ad8c2e48c5391'

/**
 * Pairs removed files with added ones of the same content: new path to old path, each at most once. Of several
 * candidates the one of the same name is taken, else the first by path.
 */
export function pairExactRenames(removed: Snapshot, added: Snapshot): Map<string, string> {
  const sources = new Map<ObjectId, string[]>()
  for (const [path, file] of removed) {
    if (!canMove(file)) continue
    const paths = sources.get(file.id)
    if (paths === undefined) sources.set(file.id, [path])
    else paths.push(path)
  }
  for (const paths of sources.values()) paths.sort(compareBytes)
  const pairs = new Map<string, string>()
  const targets = [...added].filter(([, file]) => canMove(file)).sort(([left], [right]) => compareBytes(left, right))
  const pairWhere = (fits: (source: string, target: string) => boolean) => {
    for (const [target, { id }] of targets) {
      const paths = sources.get(id)
      const source = pairs.has(target) ? undefined : paths?.find(path => fits(path, target))
      if (paths === undefined || source === undefined) continue
      pairs.set(target, source)
      paths.splice(paths.indexOf(source), 1)
    }
  }
  pairWhere((source, target) => baseName(source) === baseName(target))
  pairWhere(() => true)
  return pairs
}

/** The last name of a path. */
export function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

function canMove(file: SnapshotFile): boolean {
  return isRegular(file) && file.id !== emptyBlobId
}
