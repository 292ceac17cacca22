/** Thrown when the text is left to the library; one object, since its stack is of no interest. */
export const declined = new Error('This YAML is left to the library.')

export function decline(): never {
  throw declined
}

export const space = 0x20
const hash = 0x23
const dash = 0x2d
const colon = 0x3a
const lineFeed = 0x0a

/** Tabs and carriage returns have rules of their own; the other control characters mean something inside the library. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const foreign = /[\u0000-\u0009\u000b-\u001f\u007f\ufeff]/
/** Words only: no key can be taken for a number. */
const keyPattern = /[A-Za-z_][\w.-]*:(?=[ \n]|$)/y
const spokenConstant = /^(?:[Nn]ull|NULL|[Tt]rue|TRUE|[Ff]alse|FALSE)$/

/** A text line by line. A line is current; its fields say where it is. */
export type Lines = NonNullable<ReturnType<typeof createLines>>

/** @returns null for a text with characters that are not understood here */
export function createLines(text: string) {
  if (foreign.test(text)) return null
  const starts = [0]
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  const lines = {
    text,
    /** Where each line begins. */
    starts,
    number: -1,
    /** Where the current line begins, where its text begins, and where it ends, without the break. */
    begin: 0,
    start: 0,
    end: 0,
    /** Columns before its text; -1 past the last line. */
    indent: -1,
    /** Whether `next` went over a comment. */
    hasSkippedComment: false,

    /** Goes on by one line, whatever it holds. @returns false past the last */
    step(): boolean {
      lines.number += 1
      const begin = starts[lines.number]
      if (begin === undefined) {
        lines.begin = lines.start = lines.end = text.length
        lines.indent = -1
        return false
      }
      lines.begin = begin
      lines.end = (starts[lines.number + 1] ?? text.length + 1) - 1
      lines.start = lines.skipSpaces(begin)
      lines.indent = lines.start - begin
      return true
    },

    /** Goes on to the next line that holds more than a comment. */
    next(): void {
      lines.step()
      lines.settle()
    },

    /** Goes on, unless the current line holds more than a comment. */
    settle(): void {
      lines.hasSkippedComment = false
      while (!lines.isDone()) {
        if (lines.start < lines.end) {
          if (text.charCodeAt(lines.start) !== hash) return
          lines.hasSkippedComment = true
        }
        lines.step()
      }
    },

    /** Ends a value at a place on the current line that only a comment may follow, and goes on. */
    finish(at: number): void {
      if (!lines.isOver(lines.skipSpaces(at))) decline()
      lines.next()
    },

    skipSpaces(from: number): number {
      let at = from
      while (text.charCodeAt(at) === space) at += 1
      return at
    },

    /** Whether the current line has nothing more from here on, but for a comment with a space before it. */
    isOver(at: number): boolean {
      return at >= lines.end || (text.charCodeAt(at) === hash && text.charCodeAt(at - 1) === space)
    },

    /** Whether the last line is behind. */
    isDone: (): boolean => lines.indent === -1,

    isDocumentStart: (): boolean => text.slice(lines.begin, lines.end) === '---',

    /** Whether the current line begins an item of a list. */
    isItem(): boolean {
      if (text.charCodeAt(lines.start) !== dash) return false
      const after = text.charCodeAt(lines.start + 1)
      return after === space || after === lineFeed || Number.isNaN(after)
    },

    /** The colon of a key that begins here; -1 when none does. */
    keyEnd(at: number): number {
      keyPattern.lastIndex = at
      if (!keyPattern.test(text)) return -1
      const end = keyPattern.lastIndex - 1
      if (end - at <= 5 && spokenConstant.test(text.slice(at, end))) decline()
      return end
    },

    /** Where unquoted text on the current line ends, without the spaces behind it. */
    plainEnd(from: number): number {
      let end = from
      for (let at = from; at < lines.end; at++) {
        const code = text.charCodeAt(at)
        if (code === space) continue
        if (code === hash && text.charCodeAt(at - 1) === space) break
        if (code === colon && (at + 1 >= lines.end || text.charCodeAt(at + 1) === space)) decline()
        end = at + 1
      }
      return end
    },
  }
  return lines
}

/** The line that holds a place, counted from 0. */
export function lineOf(starts: readonly number[], place: number): number {
  let low = 0
  let high = starts.length
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if ((starts[middle] ?? 0) <= place) low = middle
    else high = middle
  }
  return low
}
