import { argon2Sync } from 'node:crypto'
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
