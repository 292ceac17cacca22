import type { LineRange } from './compared-lines.ts'
import { diffLines } from './diff-lines.ts'

/** Lines that both sides changed, differently. Numbers count from 1; lines keep their endings. */
export interface ConflictRegion {
  readonly baseStartLine: number
  readonly oursStartLine: number
  readonly theirsStartLine: number
  readonly base: readonly string[]
  readonly ours: readonly string[]
  readonly theirs: readonly string[]
}

/** A merged text in order: stretches that are settled and stretches that are not. */
export type MergedPiece =
  | { readonly kind: 'settled'; readonly lines: readonly string[] }
  | { readonly kind: 'conflict'; readonly region: ConflictRegion }

export interface MergeLabels {
  readonly base: string
  readonly ours: string
  readonly theirs: string
}

/**
 * Three-way merge of texts that were split by `splitLines`. Changes that overlap or touch conflict, unless both sides
 * made the same one.
 */
export function mergeLines(base: readonly string[], ours: readonly string[], theirs: readonly string[]): MergedPiece[] {
  const pieces: MergedPiece[] = []
  const settle = (lines: readonly string[]) => {
    if (lines.length > 0) pieces.push({ kind: 'settled', lines })
  }
  let position = 0
  for (const change of joinChanges(diffLines(base, ours), diffLines(base, theirs))) {
    settle(base.slice(position, change.start))
    const region: ConflictRegion = {
      baseStartLine: change.start + 1,
      oursStartLine: change.oursStart + 1,
      theirsStartLine: change.theirsStart + 1,
      base: base.slice(change.start, change.end),
      ours: ours.slice(change.oursStart, change.oursEnd),
      theirs: theirs.slice(change.theirsStart, change.theirsEnd),
    }
    if (change.by === 'ours' || sameLines(region.ours, region.theirs)) settle(region.ours)
    else if (change.by === 'theirs') settle(region.theirs)
    else pieces.push({ kind: 'conflict', region })
    position = change.end
  }
  settle(base.slice(position))
  return pieces
}

/** Lines [start, end) of the base, what each side has in their place, and who changed them. */
interface JoinedChange {
  readonly start: number
  readonly end: number
  readonly oursStart: number
  readonly oursEnd: number
  readonly theirsStart: number
  readonly theirsEnd: number
  readonly by: 'ours' | 'theirs' | 'both'
}

/** The changes of both sides in order, those that overlap or touch as one. */
function* joinChanges(ours: readonly LineRange[], theirs: readonly LineRange[]): Generator<JoinedChange> {
  const changes = [
    ...ours.map(range => ({ range, side: 'ours' as const })),
    ...theirs.map(range => ({ range, side: 'theirs' as const })),
  ].sort((left, right) => left.range.baseStart - right.range.baseStart)
  // How far the lines of each side are ahead of those of the base, after the changes so far.
  const ahead = { ours: 0, theirs: 0 }
  let index = 0
  for (let first = changes[index]; first !== undefined; first = changes[index]) {
    const start = first.range.baseStart
    const [oursStart, theirsStart] = [start + ahead.ours, start + ahead.theirs]
    let end = start
    let by: JoinedChange['by'] = first.side
    for (let next = changes[index]; next !== undefined && next.range.baseStart <= end; next = changes[++index]) {
      end = Math.max(end, next.range.baseEnd)
      ahead[next.side] = next.range.end - next.range.baseEnd
      if (next.side !== by) by = 'both'
    }
    yield { start, end, oursStart, oursEnd: end + ahead.ours, theirsStart, theirsEnd: end + ahead.theirs, by }
  }
}

/**
 * Merge of two texts that have no base. What differs conflicts, unless one of them is empty: then it is the other, as
 * if that had been written into an empty file.
 */
export function mergeAdded(ours: readonly string[], theirs: readonly string[]): MergedPiece[] {
  if (ours.length === 0 || theirs.length === 0) return mergeLines([], ours, theirs)
  const pieces: MergedPiece[] = []
  let position = 0
  for (const { baseStart, baseEnd, start, end } of diffLines(ours, theirs)) {
    if (baseStart > position) pieces.push({ kind: 'settled', lines: ours.slice(position, baseStart) })
    const lines = { base: [], ours: ours.slice(baseStart, baseEnd), theirs: theirs.slice(start, end) }
    const region = { baseStartLine: 1, oursStartLine: baseStart + 1, theirsStartLine: start + 1, ...lines }
    pieces.push({ kind: 'conflict', region })
    position = baseEnd
  }
  if (ours.length > position) pieces.push({ kind: 'settled', lines: ours.slice(position) })
  return pieces
}

/** Cuts a text after each newline. The lines joined are the text again, whatever its endings. */
export function splitLines(text: string): string[] {
  const lines = text.split('\n')
  const last = lines.pop() ?? ''
  const ended = lines.map(line => `${line}\n`)
  return last === '' ? ended : [...ended, last]
}

/** The text with git's conflict markers around what is not settled, the base's lines among them. */
export function withMarkers(pieces: readonly MergedPiece[], labels: MergeLabels): string {
  const texts = pieces.map(piece => {
    if (piece.kind === 'settled') return piece.lines.join('')
    const { ours, base, theirs } = piece.region
    return [
      `<<<<<<< ${labels.ours}\n`,
      ...ours.map(ended),
      `||||||| ${labels.base}\n`,
      ...base.map(ended),
      '=======\n',
      ...theirs.map(ended),
      `>>>>>>> ${labels.theirs}\n`,
    ].join('')
  })
  return texts.join('')
}

/** A marker must start a line even when the file does not end in a newline. */
function ended(line: string): string {
  return line.endsWith('\n') ? line : `${line}\n`
}

function sameLines(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((line, index) => line === right[index])
}
