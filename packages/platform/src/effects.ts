/** What the platform takes from the world outside beside its store: handed in, so that tests decide. */
export interface Effects {
  now(): Date
  /** Cryptographically strong random bytes. */
  randomBytes(count: number): Buffer
}

/** A random id of 128 bits in base64url, 22 characters. */
export const randomId = (effects: Effects): string => effects.randomBytes(16).toString('base64url')
