import { type Conflict, conflictOf, type ThreeWay } from './conflict.ts'
import { type MergedPiece, type MergeLabels, mergeAdded, mergeLines, splitLines, withMarkers } from './merge-lines.ts'
import type { GitObject, ObjectId, ObjectReader } from './objects.ts'
import { readBlobs } from './read-objects.ts'
import type { FileMode } from './tree.ts'

/** A file whose content both sides changed. */
export interface PendingContent {
  readonly entry: ThreeWay
  /** Absent when both sides added the path. */
  readonly base: ObjectId | undefined
  readonly ours: ObjectId
  readonly theirs: ObjectId
  /** The mode after the merge. */
  readonly mode: FileMode
}

export type ContentResult =
  | { readonly kind: 'merged'; readonly path: string; readonly mode: FileMode; readonly object: GitObject }
  | { readonly kind: 'conflict'; readonly conflict: Conflict }

const smallestBatch = 16
const largestBatch = 512
/** A batch that had fewer bytes than this is followed by one of twice as many files. */
const lightBatchBytes = 4 * 1024 * 1024
/** Git looks for a NUL this far into a file before it treats it as text. */
const sniffedBytes = 8_000
const maximumTextBytes = 32 * 1024 * 1024

/** Merges files by lines. Reads them in batches that grow while they are light, so that memory stays bounded. */
export async function* mergeContents(
  reader: ObjectReader,
  pending: readonly PendingContent[],
  labels: MergeLabels | undefined,
): AsyncGenerator<ContentResult> {
  let size = smallestBatch
  for (let start = 0; start < pending.length; ) {
    const batch = pending.slice(start, start + size)
    const ids = batch.flatMap(({ base, ours, theirs }) => [ours, theirs, ...(base === undefined ? [] : [base])])
    const blobs = await readBlobs(reader, ids)
    for (const content of batch) yield mergeContent(content, blobs, labels)
    const bytes = [...blobs.values()].reduce((total, blob) => total + blob.byteLength, 0)
    start += batch.length
    size = bytes < lightBatchBytes ? Math.min(size * 2, largestBatch) : smallestBatch
  }
}

function mergeContent(
  { entry, base, ours, theirs, mode }: PendingContent,
  blobs: ReadonlyMap<ObjectId, Uint8Array>,
  labels: MergeLabels | undefined,
): ContentResult {
  const linesOf = (id: ObjectId) => splitLines(bufferOf(blobs, id).toString('latin1'))
  const ids = base === undefined ? [ours, theirs] : [base, ours, theirs]
  if (ids.some(id => isBinary(bufferOf(blobs, id)))) return { kind: 'conflict', conflict: conflictOf('binary', entry) }
  const pieces =
    base === undefined
      ? mergeAdded(linesOf(ours), linesOf(theirs))
      : mergeLines(linesOf(base), linesOf(ours), linesOf(theirs))
  const settled = pieces.flatMap(piece => (piece.kind === 'settled' ? [piece.lines.join('')] : []))
  if (settled.length === pieces.length) {
    const content = Buffer.from(settled.join(''), 'latin1')
    return { kind: 'merged', path: entry.path, mode, object: { type: 'blob', content } }
  }
  const readable = pieces.map(decodePiece)
  const conflict = conflictOf(base === undefined ? 'add-add' : 'content', entry, {
    regions: readable.flatMap(piece => (piece.kind === 'conflict' ? [piece.region] : [])),
    ...(labels && { marked: withMarkers(readable, labels) }),
  })
  return { kind: 'conflict', conflict }
}

function bufferOf(blobs: ReadonlyMap<ObjectId, Uint8Array>, id: ObjectId): Buffer {
  const { buffer, byteOffset, byteLength } = blobs.get(id) ?? new Uint8Array()
  return Buffer.from(buffer, byteOffset, byteLength)
}

function isBinary(content: Buffer): boolean {
  return content.length > maximumTextBytes || content.subarray(0, sniffedBytes).includes(0)
}

/** Lines are merged as bytes, one to a character, so that no encoding is lost; people see them as UTF-8. */
function decodePiece(piece: MergedPiece): MergedPiece {
  const decode = (lines: readonly string[]) => lines.map(line => Buffer.from(line, 'latin1').toString())
  if (piece.kind === 'settled') return { kind: 'settled', lines: decode(piece.lines) }
  const { base, ours, theirs, ...starts } = piece.region
  const region = { ...starts, base: decode(base), ours: decode(ours), theirs: decode(theirs) }
  return { kind: 'conflict', region }
}
