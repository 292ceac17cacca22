import { createCipheriv, createDecipheriv, createHmac, hkdfSync } from 'node:crypto'

/**
 * Names and seals results by the secret key and the name of an installation: who can read the store learns neither questions nor rows, and who can write
 * into it cannot make up an answer. Installations never meet.
 */
export interface ResultSeal {
  /** A name that tells nothing of what it names; equal only for equal texts. */
  name(text: string): string
  /** Version, nonce, tag and ciphertext (AES-256-GCM). */
  seal(name: string, content: Buffer): Buffer
  /** Undefined where it was changed, moved to another name, or sealed with another key or version. */
  open(name: string, sealed: Buffer): Buffer | undefined
}

const version = 1
const nonceLength = 12
const tagLength = 16

export function createResultSeal(
  secretKey: Buffer,
  installation: string,
  randomBytes: (count: number) => Buffer,
): ResultSeal {
  const derive = (purpose: string) =>
    Buffer.from(hkdfSync('sha256', secretKey, installation, `shared results: ${purpose}`, 32))
  const naming = derive('names')
  const sealing = derive('contents')
  return {
    name: text => createHmac('sha256', naming).update(text).digest('base64url'),
    seal(name, content) {
      const nonce = randomBytes(nonceLength)
      const cipher = createCipheriv('aes-256-gcm', sealing, nonce).setAAD(Buffer.from(name))
      const body = [cipher.update(content), cipher.final()]
      return Buffer.concat([Buffer.of(version), nonce, cipher.getAuthTag(), ...body])
    },
    open(name, sealed) {
      const start = 1 + nonceLength + tagLength
      if (sealed[0] !== version || sealed.length < start) return undefined
      const nonce = sealed.subarray(1, 1 + nonceLength)
      const options = { authTagLength: tagLength }
      const decipher = createDecipheriv('aes-256-gcm', sealing, nonce, options)
        .setAAD(Buffer.from(name))
        .setAuthTag(sealed.subarray(1 + nonceLength, start))
      try {
        return Buffer.concat([decipher.update(sealed.subarray(start)), decipher.final()])
      } catch {
        return undefined
      }
    },
  }
}
