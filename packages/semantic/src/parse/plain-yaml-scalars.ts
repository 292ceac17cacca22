import { decline } from './plain-yaml-lines.ts'
import type { SourceScalar } from './source-node.ts'

/** Begins what is no plain text, or what has a meaning in some place. */
const indicators = new Set(',[]{}#&*!|>\'"%@`?:')
const loneDash = /^-(?:\s|$)/
const numberStart = /^[-+.\d]/
const numberPattern = /^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,15})?$/
/** Begins with a digit and is neither a number nor near to one. */
const datePattern = /^\d{4}-\d\d-\d\d(?:[T ]|$)/
const perhapsNumber = /^[-+.\w]*$/
const escapes: Readonly<Record<string, string>> = { '"': '"', '\\': '\\', '/': '/', n: '\n', t: '\t' }

/** Unquoted text: a number, a word that stands for a value, or a string. */
export function plainScalar(start: number, end: number, written: string): SourceScalar {
  const first = written[0] ?? ''
  if (indicators.has(first) || (first === '-' && loneDash.test(written))) decline()
  return { kind: 'scalar', start, end, value: plainValue(written), written }
}

function plainValue(written: string): SourceScalar['value'] {
  switch (written) {
    case 'true':
    case 'True':
    case 'TRUE':
      return true
    case 'false':
    case 'False':
    case 'FALSE':
      return false
    case 'null':
    case 'Null':
    case 'NULL':
    case '~':
      return null
  }
  if (!numberStart.test(written)) return written
  // A minus with nothing behind it but a zero is a number of its own.
  if (numberPattern.test(written) && !/^-0(?:\.0+)?$/.test(written)) return Number(written)
  if (datePattern.test(written) || !perhapsNumber.test(written)) return written
  return decline()
}

/** The quote that closes the one at `at`. */
export function closeOf(text: string, at: number): number {
  const quote = text[at] ?? ''
  let close = text.indexOf(quote, at + 1)
  if (quote === "'") {
    while (close !== -1 && text[close + 1] === quote) close = text.indexOf(quote, close + 2)
  } else {
    while (close !== -1 && isEscaped(text, close)) close = text.indexOf(quote, close + 1)
  }
  return close === -1 ? decline() : close
}

function isEscaped(text: string, at: number): boolean {
  let begin = at
  while (text[begin - 1] === '\\') begin -= 1
  return (at - begin) % 2 === 1
}

export const readQuotedLine = (text: string, at: number, close: number): SourceScalar =>
  quotedScalar(at, close, text.slice(at + 1, close), text)

/** @param content what stands between the quotes, its lines already made one */
export function quotedScalar(at: number, close: number, content: string, text: string): SourceScalar {
  const isDouble = text[at] === '"'
  const value = isDouble ? withoutEscapes(content) : content.replaceAll("''", "'")
  // How breaks and escapes meet is left to the library.
  if (isDouble && content.includes('\\') && text.slice(at, close).includes('\n')) decline()
  return { kind: 'scalar', start: at, end: close + 1, value, written: value }
}

function withoutEscapes(content: string): string {
  if (!content.includes('\\')) return content
  return content.replace(/\\(.)/gs, (_, letter: string) => escapes[letter] ?? decline())
}
