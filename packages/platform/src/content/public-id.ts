import type { Effects } from '../effects.ts'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const length = 12

/**
 * The form of placeholders that stand for reports without a stored id: their row's number with zeros before it. Every report here
 * has a stored one, so no placeholder is ever shown, and none may be chosen.
 */
export const isReservedPublicId = (publicId: string): boolean => /^0\d{11}$/.test(publicId)

/** A new address of a report or dashboard: 71 random bits, which nobody guesses. */
export function newPublicId(effects: Effects): string {
  // Bytes beyond the last whole multiple of the alphabet would make its first characters likelier.
  const usable = 256 - (256 % alphabet.length)
  let id = ''
  while (id.length < length) {
    for (const byte of effects.randomBytes(length)) {
      if (byte < usable && id.length < length) id += alphabet[byte % alphabet.length]
    }
  }
  return isReservedPublicId(id) ? newPublicId(effects) : id
}
