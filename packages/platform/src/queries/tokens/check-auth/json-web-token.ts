import { constants, createHmac, createPublicKey, type KeyObject, timingSafeEqual, verify } from 'node:crypto'
import * as z from 'zod'
import { edwards, elliptic, rsa, shared } from '../algorithms.ts'

/** What `jsonwebtoken` of the sandbox asks (`check-auth-program.ts` of `@hedron/semantic`). An option that is not known is an error: it would be taken for checked. */
const Question = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('decode'), token: z.string(), complete: z.boolean() }),
  z.strictObject({
    kind: z.literal('verify'),
    token: z.string(),
    key: z.string(),
    options: z.strictObject({
      algorithms: z.array(z.string()).optional(),
      audience: z.union([z.string(), z.array(z.string())]).optional(),
      issuer: z.union([z.string(), z.array(z.string())]).optional(),
      subject: z.string().optional(),
      clockTolerance: z.number().min(0).optional(),
      ignoreExpiration: z.boolean().optional(),
      ignoreNotBefore: z.boolean().optional(),
      complete: z.boolean().optional(),
    }),
  }),
])
type Options = Extract<z.infer<typeof Question>, { kind: 'verify' }>['options']

const Header = z.looseObject({ alg: z.string() })
const Payload = z.looseObject({ exp: z.number().optional(), nbf: z.number().optional() })

interface Token {
  readonly header: z.infer<typeof Header>
  readonly payload: z.infer<typeof Payload>
  readonly signature: Buffer
  /** What is signed. */
  readonly content: string
}

type ErrorName = 'JsonWebTokenError' | 'TokenExpiredError' | 'NotBeforeError' | 'TypeError'

/** What `jsonwebtoken` would throw. */
class TokenFault extends Error {
  readonly kind: ErrorName
  constructor(message: string, kind: ErrorName = 'JsonWebTokenError') {
    super(message)
    this.kind = kind
  }
}

export interface TokenQuestions {
  /** Milliseconds since 1970. */
  readonly now: number
  /** The key that a text of the sandbox stands for. */
  readonly keyOf: (text: string) => string
  /** Told when a token that was verified ends, in seconds since 1970. */
  readonly ends: (seconds: number) => void
}

/**
 * Answers `verify` and `decode` of `jsonwebtoken` (RFC 7515, RFC 7519), as JSON. Which algorithms are taken follows from the key, never from
 * the token alone: a public key is never taken for a shared secret, and nothing unsigned is taken at all.
 *
 * @returns never throws; what is wrong is in the answer
 */
export function answerTokenQuestion(question: string, questions: TokenQuestions): string {
  try {
    const asked = Question.safeParse(JSON.parse(question))
    if (!asked.success) throw new TokenFault(`jsonwebtoken: ${z.prettifyError(asked.error)}`, 'TypeError')
    const { data } = asked
    if (data.kind === 'decode') {
      const token = readToken(data.token)
      return JSON.stringify({ value: token === null ? null : shown(token, data.complete) })
    }
    return JSON.stringify({ value: verified(data.token, data.key, data.options, questions) })
  } catch (error) {
    if (error instanceof TokenFault) return JSON.stringify({ error: error.message, name: error.kind })
    return JSON.stringify({ error: 'jwt malformed', name: 'JsonWebTokenError' })
  }
}

const shown = ({ header, payload, signature }: Token, complete: boolean) =>
  complete ? { header, payload, signature: signature.toString('base64url') } : payload

function readToken(text: string): Token | null {
  const [header, payload, signature, ...more] = text.split('.')
  if (!header || !payload || signature === undefined || more.length > 0) return null
  const read = (part: string): unknown => {
    try {
      return JSON.parse(Buffer.from(part, 'base64url').toString('utf8'))
    } catch {
      return undefined
    }
  }
  const head = Header.safeParse(read(header))
  const body = Payload.safeParse(read(payload))
  if (!head.success || !body.success) return null
  return {
    header: head.data,
    payload: body.data,
    signature: Buffer.from(signature, 'base64url'),
    content: `${header}.${payload}`,
  }
}

function verified(text: string, keyText: string, options: Options, { now, keyOf, ends }: TokenQuestions) {
  const token = readToken(text)
  if (token === null) throw new TokenFault('jwt malformed')
  if (token.signature.length === 0) throw new TokenFault('jwt signature is required')
  // What must be understood and is not (RFC 7515 section 4.1.11).
  if (token.header.crit !== undefined) throw new TokenFault('jwt with crit is not supported')
  checkSignature(token, keyOf(keyText), options)
  checkClaims(token, options, now / 1000)
  if (token.payload.exp !== undefined && !options.ignoreExpiration) ends(token.payload.exp)
  return shown(token, options.complete === true)
}

function checkSignature({ header: { alg }, content, signature }: Token, key: string, { algorithms }: Options): void {
  // Anybody can sign with nothing.
  if (key === '') throw new TokenFault('secret or public key must be provided')
  const publicKey = readPublicKey(key)
  const fitting = publicKey === null ? shared : algorithmsOf(publicKey)
  if (!fitting.includes(alg) || (algorithms !== undefined && !algorithms.includes(alg))) {
    throw new TokenFault('invalid algorithm')
  }
  const isRight =
    publicKey === null ? isHmac(alg, content, key, signature) : isSigned(alg, content, publicKey, signature)
  if (!isRight) throw new TokenFault('invalid signature')
}

const digestOf = (alg: string) => `sha${alg.slice(2)}`

function isHmac(alg: string, content: string, secret: string, signature: Buffer): boolean {
  const right = createHmac(digestOf(alg), secret).update(content).digest()
  return right.length === signature.length && timingSafeEqual(right, signature)
}

function isSigned(alg: string, content: string, key: KeyObject, signature: Buffer): boolean {
  const data = Buffer.from(content)
  if (edwards.includes(alg)) return verify(null, data, key, signature)
  if (elliptic.includes(alg)) return verify(digestOf(alg), data, { key, dsaEncoding: 'ieee-p1363' }, signature)
  if (!alg.startsWith('PS')) return verify(digestOf(alg), data, key, signature)
  const saltLength = constants.RSA_PSS_SALTLEN_DIGEST
  return verify(digestOf(alg), data, { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength }, signature)
}

/** Null: it is a shared secret. */
function readPublicKey(text: string): KeyObject | null {
  const pem = text.replaceAll('\\n', '\n').trim()
  if (!pem.startsWith('-----BEGIN ')) return null
  try {
    if (!/^-----BEGIN (?:RSA )?(?:PUBLIC KEY|CERTIFICATE)-----/.test(pem)) throw new Error('not public')
    return createPublicKey(pem)
  } catch {
    throw new TokenFault('the key begins as PEM does, and is no public key or certificate', 'TypeError')
  }
}

const curves: Readonly<Record<string, string>> = { prime256v1: 'ES256', secp384r1: 'ES384', secp521r1: 'ES512' }

function algorithmsOf({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): readonly string[] {
  if (asymmetricKeyType === 'rsa' && (asymmetricKeyDetails?.modulusLength ?? 0) >= 2048) return rsa
  if (asymmetricKeyType === 'ed25519') return edwards
  const algorithm = curves[asymmetricKeyDetails?.namedCurve ?? '']
  if (algorithm !== undefined) return [algorithm]
  throw new TokenFault('use an RSA key of 2048 bits or more, or a P-256, P-384, P-521 or Ed25519 key', 'TypeError')
}

/** @param now seconds since 1970 */
function checkClaims({ payload }: Token, options: Options, now: number): void {
  const { clockTolerance = 0 } = options
  if (payload.nbf !== undefined && !options.ignoreNotBefore && payload.nbf > now + clockTolerance) {
    throw new TokenFault('jwt not active', 'NotBeforeError')
  }
  if (payload.exp !== undefined && !options.ignoreExpiration && now >= payload.exp + clockTolerance) {
    throw new TokenFault('jwt expired', 'TokenExpiredError')
  }
  const { audience, issuer, subject } = options
  if (audience !== undefined && !listOf(payload.aud).some(one => listOf(audience).includes(one))) {
    throw new TokenFault(`jwt audience invalid. expected: ${listOf(audience).join(' or ')}`)
  }
  if (issuer !== undefined && !(typeof payload.iss === 'string' && listOf(issuer).includes(payload.iss))) {
    throw new TokenFault(`jwt issuer invalid. expected: ${listOf(issuer).join(' or ')}`)
  }
  if (subject !== undefined && payload.sub !== subject) {
    throw new TokenFault(`jwt subject invalid. expected: ${subject}`)
  }
}

const listOf = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value : value === undefined ? [] : [value]
