import { CodedError } from '@hedron/contract'

/** Deeper nesting than any request has; beyond it a body is an attempt to exhaust the parser or what walks its result. */
const deepest = 64

/**
 * Parses a JSON body. Refuses keys that would reach an object's prototype.
 *
 * @throws {CodedError} `invalid_json`, `json_too_deep`.
 */
export function parseJsonBody(text: string): unknown {
  if (text.trim() === '') return undefined
  if (depth(text) > deepest) throw new CodedError('json_too_deep', { limit: deepest })
  try {
    return JSON.parse(text, text.includes('__proto__') ? dropPrototype : undefined)
  } catch (error) {
    const reason = error instanceof SyntaxError ? error.message.slice(0, 200) : 'it cannot be read'
    throw new CodedError('invalid_json', { reason })
  }
}

const dropPrototype = (key: string, value: unknown) => (key === '__proto__' ? undefined : value)

const openers = new Set([0x5b, 0x7b])
const closers = new Set([0x5d, 0x7d])
const quote = 0x22
const backslash = 0x5c

/** Greatest nesting of lists and objects, counted without parsing. */
function depth(text: string): number {
  let current = 0
  let greatest = 0
  let inString = false
  for (let index = 0; index < text.length; index++) {
    const character = text.charCodeAt(index)
    if (inString) {
      if (character === backslash) index++
      else if (character === quote) inString = false
    } else if (character === quote) inString = true
    else if (openers.has(character)) greatest = Math.max(greatest, ++current)
    else if (closers.has(character)) current--
  }
  return greatest
}
