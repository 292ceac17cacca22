import { compareBytes } from './byte-order.ts'
import type { ObjectId, ObjectReader } from './objects.ts'
import { readBlobs } from './read-objects.ts'
import { baseName } from './renames.ts'
import { isRegular, type Snapshot } from './snapshot-file.ts'

/** Share of the larger file's bytes that stand in lines which the other has too. */
const minimumSimilarity = 0.6

/** Beyond this many pairs the paths are too many to guess from. */
const maximumPairs = 2_500

/**
 * Pairs removed files with added ones that are mostly the same text: new path to old path, each at most once, the most
 * similar first. A guess, as in git; it answers nothing rather than much when there is too much to compare.
 */
export async function pairSimilarRenames(
  reader: ObjectReader,
  removed: Snapshot,
  added: Snapshot,
): Promise<Map<string, string>> {
  const sources = [...removed].filter(([, file]) => isRegular(file))
  const targets = [...added].filter(([, file]) => isRegular(file))
  const pairs = new Map<string, string>()
  if (sources.length * targets.length === 0 || sources.length * targets.length > maximumPairs) return pairs
  const blobs = await readBlobs(
    reader,
    [...sources, ...targets].map(([, file]) => file.id),
  )
  const weights = new Map<ObjectId, Weights>(Array.from(blobs, ([id, content]) => [id, weigh(content)]))
  const weightsOf = (id: ObjectId) => weights.get(id) ?? { total: 0, lines: new Map() }
  const candidates = sources.flatMap(([source, { id }]) =>
    targets.map(([target, file]) => ({ source, target, similarity: similarity(weightsOf(id), weightsOf(file.id)) })),
  )
  candidates.sort(
    (left, right) =>
      right.similarity - left.similarity ||
      Number(keepsName(right)) - Number(keepsName(left)) ||
      compareBytes(left.source, right.source) ||
      compareBytes(left.target, right.target),
  )
  const taken = new Set<string>()
  for (const { source, target, similarity } of candidates) {
    if (similarity < minimumSimilarity) break
    if (taken.has(source) || pairs.has(target)) continue
    taken.add(source)
    pairs.set(target, source)
  }
  return pairs
}

/** Bytes by line. */
interface Weights {
  readonly total: number
  readonly lines: ReadonlyMap<string, number>
}

function weigh(content: Uint8Array): Weights {
  const lines = new Map<string, number>()
  for (const line of Buffer.from(content.buffer, content.byteOffset, content.byteLength)
    .toString('latin1')
    .split('\n')) {
    lines.set(line, (lines.get(line) ?? 0) + line.length + 1)
  }
  return { total: content.byteLength + 1, lines }
}

function similarity(left: Weights, right: Weights): number {
  const larger = Math.max(left.total, right.total)
  if (Math.min(left.total, right.total) < larger * minimumSimilarity) return 0
  let common = 0
  for (const [line, bytes] of left.lines) common += Math.min(bytes, right.lines.get(line) ?? 0)
  return common / larger
}

function keepsName({ source, target }: { source: string; target: string }): boolean {
  return baseName(source) === baseName(target)
}
