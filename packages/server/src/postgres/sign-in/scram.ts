import { createHash, createHmac, pbkdf2, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'

const derive = promisify(pbkdf2)
const iterations = 4096
const hmac = (key: Buffer, text: string) => createHmac('sha256', key).update(text).digest()
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest()

export const scramMechanism = 'SCRAM-SHA-256'

/** What a client that began is answered, and how its proof is checked. */
export interface ScramChallenge {
  readonly message: string
  /** @returns the server's own proof; null where the client does not know the password. */
  finish(clientFinal: string): Promise<string | null>
}

/**
 * Answers a client's first message of SCRAM-SHA-256 without channel binding (RFC 5802, RFC 7677).
 *
 * @returns null for a message that is none, or that binds a channel.
 */
export function beginScram(
  clientFirst: string,
  password: string,
  randomBytes: (count: number) => Buffer,
): ScramChallenge | null {
  const match = /^([ny]),(?:a=[^,]*)?,((?:m=[^,]*,)?n=[^,]*,r=([\x21-\x2b\x2d-\x7e]{1,256})(?:,.*)?)$/.exec(clientFirst)
  const [, flag, bare, nonce] = match ?? []
  if (flag === undefined || bare === undefined || nonce === undefined || bare.startsWith('m=')) return null
  const salt = randomBytes(16)
  const combined = nonce + randomBytes(18).toString('base64')
  const message = `r=${combined},s=${salt.toString('base64')},i=${iterations}`
  const head = clientFirst.slice(0, clientFirst.length - bare.length)
  return {
    message,
    async finish(clientFinal) {
      const [, withoutProof = '', binding, echoed, proofText = ''] =
        /^(c=([A-Za-z0-9+/=]*),r=([^,]*)(?:,[^p][^,]*)*),p=([A-Za-z0-9+/=]+)$/.exec(clientFinal) ?? []
      const salted = await derive(password.normalize('NFKC'), salt, iterations, 32, 'sha256')
      const clientKey = hmac(salted, 'Client Key')
      const signed = `${bare},${message},${withoutProof}`
      const signature = hmac(sha256(clientKey), signed)
      const expected = Buffer.from(clientKey.map((byte, index) => byte ^ (signature[index] ?? 0)))
      const proof = Buffer.from(proofText, 'base64')
      const known = proof.length === expected.length && timingSafeEqual(proof, expected)
      if (!known || echoed !== combined || binding !== Buffer.from(head).toString('base64')) return null
      return `v=${hmac(hmac(salted, 'Server Key'), signed).toString('base64')}`
    },
  }
}
