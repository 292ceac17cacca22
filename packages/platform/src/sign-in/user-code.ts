import type { Effects } from '../effects.ts'

/** Twenty letters that are not mistaken for each other and make no words (RFC 8628 section 6.1). */
const alphabet = 'BCDFGHJKLMNPQRSTVWXZ'
const length = 8

/** Eight letters, some 34 bits: with fifty guesses in the life of a code, one guesser in five hundred million is right. */
export function makeUserCode(effects: Effects): string {
  let code = ''
  while (code.length < length) {
    for (const byte of effects.randomBytes(16)) {
      // Beyond the last multiple of twenty the first letters would be more frequent.
      if (byte < 240 && code.length < length) code += alphabet[byte % alphabet.length]
    }
  }
  return code
}

/** Takes what a person typed, in any case, with or without the dash. @returns null where it can't be a code. */
export function readUserCode(text: string): string | null {
  const code = text
    .normalize('NFKC')
    .toUpperCase()
    .replace(/[\s\p{Pd}_.]/gu, '')
  return code.length === length && [...code].every(letter => alphabet.includes(letter)) ? code : null
}

/** In two halves, as people read it to each other. */
export const showUserCode = (code: string): string => `${code.slice(0, length / 2)}-${code.slice(length / 2)}`
