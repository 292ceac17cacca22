import { createCipheriv, createDecipheriv } from 'node:crypto'
import type { Effects } from './effects.ts'

const version = 1
const ivLength = 12
const tagLength = 16

/**
 * Seals text with AES-256-GCM under the installation's secret key: version byte, nonce, tag, ciphertext.
 *
 * @param purpose is authenticated with it, so that a sealed value moved to another row does not open there.
 */
export function seal(key: Buffer, purpose: string, text: string, effects: Effects): Buffer {
  const iv = effects.randomBytes(ivLength)
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(purpose))
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([Buffer.of(version), iv, cipher.getAuthTag(), body])
}

/** @throws {Error} when the value was changed, moved, or sealed under another key. */
export function unseal(key: Buffer, purpose: string, sealed: Buffer): string {
  if (sealed[0] !== version) throw new Error(`a sealed value for ${purpose} has unknown version ${sealed[0]}`)
  const iv = sealed.subarray(1, 1 + ivLength)
  const tag = sealed.subarray(1 + ivLength, 1 + ivLength + tagLength)
  const decipher = createDecipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(purpose)).setAuthTag(tag)
  try {
    return decipher.update(sealed.subarray(1 + ivLength + tagLength), undefined, 'utf8') + decipher.final('utf8')
  } catch {
    throw new Error(
      `a sealed value for ${purpose} does not open: HEDRON_SECRET_KEY differs from the one it was sealed with`,
    )
  }
}
