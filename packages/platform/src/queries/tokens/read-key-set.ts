import { createPublicKey, type JsonWebKey } from 'node:crypto'
import type { JWK } from 'jose'
import * as z from 'zod'

/** Public keys of an identity provider, and for how long they hold. */
export interface KeySet {
  readonly keys: readonly JWK[]
  /** Milliseconds. */
  readonly freshMs: number
}

const largest = 1024 * 1024
const timeoutMs = 5_000
const [shortestMs, usualMs, longestMs] = [5_000, 600_000, 3_600_000]

/** Keys that this server cannot use, such as those of other kinds, are no reason to refuse the rest (RFC 7517 section 5). */
const KeySetDocument = z.object({
  keys: z.array(
    z
      .looseObject({ kty: z.enum(['RSA', 'EC', 'OKP']), kid: z.string() })
      .refine(({ use }) => use === undefined || use === 'sig')
      .refine(isUsable)
      .nullable()
      .catch(null),
  ),
})

/** Bits of an RSA modulus: below, RFC 7518 section 3.3 forbids it; above, checking a signature takes long. */
const [fewestBits, mostBits] = [2048, 16_384]

/** Whether signatures can be checked by a key at all. */
function isUsable(key: JsonWebKey): boolean {
  try {
    const { asymmetricKeyDetails } = createPublicKey({ key, format: 'jwk' })
    const { modulusLength } = asymmetricKeyDetails ?? {}
    return modulusLength === undefined || (modulusLength >= fewestBits && modulusLength <= mostBits)
  } catch {
    return false
  }
}

/**
 * Reads a JSON Web Key Set from exactly this address: no redirect is followed, five seconds and a mebibyte are the most it may take.
 *
 * @throws {Error} saying why there are no keys
 */
export async function readKeySet(url: string): Promise<KeySet> {
  if (!/^https?:\/\//i.test(url)) throw new Error('the address must begin with https:// or http://')
  const response = await fetch(url, {
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
    headers: { accept: 'application/jwk-set+json, application/json' },
  })
  const text = await readText(response)
  if (response.status !== 200) throw new Error(`the answer has status ${response.status}`)
  const { success, data } = KeySetDocument.safeParse(JSON.parse(text))
  if (!success) throw new Error('the answer is no JSON Web Key Set')
  return { keys: data.keys.filter(key => key !== null), freshMs: freshness(response.headers.get('cache-control')) }
}

async function readText({ body }: Response): Promise<string> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of body ?? []) {
    size += part.length
    if (size > largest) throw new Error(`the answer is larger than ${largest} bytes`)
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}

/** `max-age` within bounds: a key that was taken off ends within the hour, and no provider is asked at every turn. */
function freshness(cacheControl: string | null): number {
  const [, seconds] = /(?:^|[\s,])max-age=(\d{1,9})/i.exec(cacheControl ?? '') ?? []
  return seconds === undefined ? usualMs : Math.min(longestMs, Math.max(shortestMs, Number(seconds) * 1000))
}
