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
/** Words only: no key can be taken for a number, nor for a word that stands for a value. */
const keyPattern = /(?!(?:[Nn]ull|NULL|[Tt]rue|TRUE|[Ff]alse|FALSE):)[A-Za-z_][\w.-]*:(?=[ \n]|$)/y

/** A text line by line. A line is current; its fields say where it is. */
export class Lines {
  readonly text: string
  /** Where each line begins. */
  readonly starts: readonly number[]
  number = -1
  /** Where the current line begins, where its text begins, and where it ends, without the break. */
  begin = 0
  start = 0
  end = 0
  /** Columns before its text; -1 past the last line. */
  indent = -1
  /** Whether `next` went over a comment. */
  hasSkippedComment = false

  private constructor(text: string) {
    const starts = [0]
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
    this.text = text
    this.starts = starts
  }

  /** @returns null for a text with characters that are not understood here */
  static of(text: string): Lines | null {
    return foreign.test(text) ? null : new Lines(text)
  }

  /** Goes on by one line, whatever it holds. @returns false past the last */
  step(): boolean {
    this.number += 1
    const begin = this.starts[this.number]
    if (begin === undefined) {
      this.begin = this.start = this.end = this.text.length
      this.indent = -1
      return false
    }
    this.begin = begin
    this.end = (this.starts[this.number + 1] ?? this.text.length + 1) - 1
    this.start = this.skipSpaces(begin)
    this.indent = this.start - begin
    return true
  }

  /** Goes on to the next line that holds more than a comment. */
  next(): void {
    this.step()
    this.settle()
  }

  /** Goes on, unless the current line holds more than a comment. */
  settle(): void {
    this.hasSkippedComment = false
    while (!this.isDone()) {
      if (this.start < this.end) {
        if (this.text.charCodeAt(this.start) !== hash) return
        this.hasSkippedComment = true
      }
      this.step()
    }
  }

  /** Ends a value at a place on the current line that only a comment may follow, and goes on. */
  finish(at: number): void {
    if (!this.isOver(this.skipSpaces(at))) decline()
    this.next()
  }

  skipSpaces(from: number): number {
    let at = from
    while (this.text.charCodeAt(at) === space) at += 1
    return at
  }

  /** Whether the current line has nothing more from here on, but for a comment with a space before it. */
  isOver(at: number): boolean {
    return at >= this.end || (this.text.charCodeAt(at) === hash && this.text.charCodeAt(at - 1) === space)
  }

  /** Whether the last line is behind. */
  isDone(): boolean {
    return this.indent === -1
  }

  isDocumentStart(): boolean {
    return this.text.slice(this.begin, this.end) === '---'
  }

  /** Whether the current line begins an item of a list. */
  isItem(): boolean {
    if (this.text.charCodeAt(this.start) !== dash) return false
    const after = this.text.charCodeAt(this.start + 1)
    return after === space || after === lineFeed || Number.isNaN(after)
  }

  /** The colon of a key that begins here; -1 when none does. */
  keyEnd(at: number): number {
    keyPattern.lastIndex = at
    return keyPattern.test(this.text) ? keyPattern.lastIndex - 1 : -1
  }

  /** Where unquoted text on the current line ends, without the spaces behind it. */
  plainEnd(from: number): number {
    const { text } = this
    let end = from
    for (let at = from; at < this.end; at++) {
      const code = text.charCodeAt(at)
      if (code === space) continue
      if (code === hash && text.charCodeAt(at - 1) === space) break
      if (code === colon && (at + 1 >= this.end || text.charCodeAt(at + 1) === space)) decline()
      end = at + 1
    }
    return end
  }
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
