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
  const oursChanges = diffLines(base, ours)
  const theirsChanges = diffLines(base, theirs)
  const pieces: MergedPiece[] = []
  let nextOurs = 0
  let nextTheirs = 0
  let position = 0
  // How far the lines of each side are ahead of those of the base, after the changes so far.
  let oursAhead = 0
  let theirsAhead = 0
  for (;;) {
    const start = Math.min(
      oursChanges[nextOurs]?.baseStart ?? Number.POSITIVE_INFINITY,
      theirsChanges[nextTheirs]?.baseStart ?? Number.POSITIVE_INFINITY,
    )
    if (start > position) pieces.push({ kind: 'settled', lines: base.slice(position, start) })
    if (start === Number.POSITIVE_INFINITY) return pieces
    let end = start
    const oursStart = start + oursAhead
    const theirsStart = start + theirsAhead
    const touches = (change: LineRange | undefined) => change !== undefined && change.baseStart <= end
    let oursChanged = false
    let theirsChanged = false
    for (let grown = true; grown; ) {
      grown = false
      for (let change = oursChanges[nextOurs]; change && touches(change); change = oursChanges[++nextOurs]) {
        end = Math.max(end, change.baseEnd)
        oursAhead = change.end - change.baseEnd
        oursChanged = true
        grown = true
      }
      for (let change = theirsChanges[nextTheirs]; change && touches(change); change = theirsChanges[++nextTheirs]) {
        end = Math.max(end, change.baseEnd)
        theirsAhead = change.end - change.baseEnd
        theirsChanged = true
        grown = true
      }
    }
    const region: ConflictRegion = {
      baseStartLine: start + 1,
      oursStartLine: oursStart + 1,
      theirsStartLine: theirsStart + 1,
      base: base.slice(start, end),
      ours: ours.slice(oursStart, end + oursAhead),
      theirs: theirs.slice(theirsStart, end + theirsAhead),
    }
    if (!theirsChanged || sameLines(region.ours, region.theirs)) pieces.push({ kind: 'settled', lines: region.ours })
    else if (!oursChanged) pieces.push({ kind: 'settled', lines: region.theirs })
    else pieces.push({ kind: 'conflict', region })
    position = end
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
    pieces.push({ kind: 'settled', lines: ours.slice(position, baseStart) })
    const lines = { base: [], ours: ours.slice(baseStart, baseEnd), theirs: theirs.slice(start, end) }
    const region = { baseStartLine: 1, oursStartLine: baseStart + 1, theirsStartLine: start + 1, ...lines }
    pieces.push({ kind: 'conflict', region })
    position = baseEnd
  }
  pieces.push({ kind: 'settled', lines: ours.slice(position) })
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
