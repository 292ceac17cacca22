/** What the platform takes from the world outside beside its store: handed in, so that tests decide. */
export interface Effects {
  now(): Date
  /** Cryptographically strong random bytes. */
  randomBytes(count: number): Buffer
}

/** A random id of 128 bits in hexadecimal, 32 characters: it never begins with a dash and can be typed. */
export const randomId = (effects: Effects): string => effects.randomBytes(16).toString('hex')
