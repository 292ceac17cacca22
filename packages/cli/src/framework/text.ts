/** Whether nothing is left after trimming. */
export const isBlank = (text: string): boolean => text.trim() === ''

/**
 * Text on one line: runs of whitespace become one space, and what is longer than `limit` characters is cut and marked with `…`.
 * Reads only as much of the text as it needs, so that a body of megabytes costs nothing.
 */
export function oneLine(text: string, limit: number): string {
  let line = ''
  let length = 0
  for (const [word] of text.matchAll(/\S+/g)) {
    const separator = line === '' ? '' : ' '
    const characters = Array.from(word.slice(0, 2 * (limit + 1)))
    if (length + separator.length + characters.length > limit) {
      const rest = characters.slice(0, Math.max(0, limit - length - separator.length)).join('')
      return `${line}${rest === '' ? '' : separator + rest}…`
    }
    line += separator + word
    length += separator.length + characters.length
  }
  return line
}

// Control characters but newline and tab, and those that turn the direction of what follows.
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to remove
const steering = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/

/** Drops what could steer the terminal from text of a server: control characters but newline and tab, and turns of direction. */
export const printable = (text: string): string => withoutSteering(text, [])

/** The same, but for sequences that the program itself writes. */
export function withoutSteering(text: string, known: readonly string[]): string {
  if (!steering.test(text)) return text
  let left = ''
  for (let at = 0; at < text.length; ) {
    const sequence = known.find(candidate => text.startsWith(candidate, at))
    const next = sequence ?? text.charAt(at)
    if (sequence !== undefined || !steering.test(next)) left += next
    at += next.length
  }
  return left
}

/** Text that is safe in a table: printable, on one line, at most 120 characters. */
export const oneCell = (text: string): string => oneLine(printable(text), 120)

/** A failure's reason as a server gave it: printable, on one line, at most 800 characters. */
export const oneReason = (text: string): string => oneLine(printable(text), 800)

/** A value as it can be pasted into a shell. */
export const shellQuote = (value: string, platform: NodeJS.Platform): string =>
  `'${value.replaceAll("'", platform === 'win32' ? "''" : "'\\''")}'`

/** A branch as prose names it: one that is blank reads as a placeholder. */
export const branchLabel = (name: string | null | undefined): string =>
  name === null || name === undefined || isBlank(name) ? '<branch>' : name

/** Number of characters, as a person counts them. */
export const characterCount = (text: string): number => Array.from(text).length
