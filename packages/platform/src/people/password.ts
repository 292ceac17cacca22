import { type Argon2Parameters, argon2, argon2Sync, timingSafeEqual } from 'node:crypto'
import type { Effects } from '../effects.ts'

/** OWASP's first choice for argon2id: 19 MiB, two passes, one lane. */
const cost = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 } as const

/** argon2id with its parameters and salt, in the usual text form (PHC string). */
export function hashPassword(password: string, effects: Effects): string {
  const nonce = effects.randomBytes(16)
  const hash = argon2Sync('argon2id', { message: password, nonce, ...cost })
  const encode = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '')
  return `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${encode(nonce)}$${encode(hash)}`
}

/** What a password that nobody has is checked against, so that an unknown user takes as long as a known one. */
const nobody = `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${'A'.repeat(22)}$${'A'.repeat(43)}`

/**
 * Whether it is the password that was hashed. Takes the same time whoever is asked about, and computes beside the event loop.
 *
 * @param stored null: nobody's; the answer is no.
 */
export async function verifyPassword(password: string, stored: string | null): Promise<boolean> {
  const hashed = parseHash(stored ?? nobody)
  if (hashed === undefined) throw new Error('a stored password hash is not argon2id')
  const { hash, ...parameters } = hashed
  const computed = await argon2id({ message: password, tagLength: hash.length, ...parameters })
  return timingSafeEqual(computed, hash) && stored !== null
}

function parseHash(text: string) {
  const [, memory, passes, parallelism, nonce, hash] =
    /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/.exec(text) ?? []
  if (nonce === undefined || hash === undefined) return undefined
  return {
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    nonce: Buffer.from(nonce, 'base64'),
    hash: Buffer.from(hash, 'base64'),
  }
}

const argon2id = (parameters: Argon2Parameters): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    argon2('argon2id', parameters, (error, key) => (error === null ? resolve(key) : reject(error)))
  })
