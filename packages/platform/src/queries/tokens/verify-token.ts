import { createPublicKey, type KeyObject } from 'node:crypto'
import {
  createLocalJWKSet,
  decodeJwt,
  decodeProtectedHeader,
  errors,
  type JWTPayload,
  type JWTVerifyOptions,
  jwtVerify,
} from 'jose'
import { edwards, elliptic, rsa, shared } from './algorithms.ts'
import type { KeySets } from './key-sets.ts'
import { tokenErrors } from './token-error.ts'
import type { TokenSettings } from './token-settings.ts'

/** A payload whose signature holds. */
export interface VerifiedToken {
  readonly payload: JWTPayload
  /** Whether the platform, or whoever holds the deployment's secret, made it with the platform's own claims in it. */
  readonly isOfPlatform: boolean
}

interface Verify {
  readonly settings: TokenSettings
  readonly keySets: KeySets
  /** Whose providers' keys are remembered together. */
  readonly deploymentId: number
  readonly now: Date
}

/**
 * Checks signature and claims of a data-API token (contract/behaviour/query.md section 2). Tokens of the platform, which carry
 * `cubeCloud`, are signed with the deployment's secret whatever else is configured; all others by the identity provider's keys, the
 * configured key, or a secret, in this order, and are held to audience, issuer and subject.
 *
 * @throws {DataError} 403 with the field's texts, 503 where a provider does not answer, 500 naming the variable that cannot be used
 */
export async function verifyToken(token: string, verify: Verify): Promise<VerifiedToken> {
  const { settings } = verify
  const payload = await verifyPlatformToken(token, verify)
  if (payload) return { payload, isOfPlatform: true }
  const isOfNobodyElse = settings.keySetUrl === null && settings.key === null
  if (isOfNobodyElse && isPlatformShaped(token)) throw tokenErrors.invalid()
  return { payload: await verifyForeign(token, verify), isOfPlatform: false }
}

/** The payload of a token of the platform; undefined where it is none. */
export async function verifyPlatformToken(
  token: string,
  { settings, now }: Pick<Verify, 'settings' | 'now'>,
): Promise<JWTPayload | undefined> {
  if (!isPlatformShaped(token)) return undefined
  for (const secret of settings.platformSecrets) {
    const payload = await tryVerify(jwtVerify(token, secret, { algorithms: ['HS256'], currentDate: now }))
    if (payload) return payload
  }
  return undefined
}

/** The payload of a token that is signed with the playground secret; undefined where it is none, or there is no such secret. */
export async function verifyPlaygroundToken(
  token: string,
  { settings, now }: Pick<Verify, 'settings' | 'now'>,
): Promise<JWTPayload | undefined> {
  const { playgroundSecret } = settings
  if (playgroundSecret === null) return undefined
  return tryVerify(jwtVerify(token, playgroundSecret, { algorithms: ['HS256'], currentDate: now }))
}

async function verifyForeign(token: string, { settings, keySets, deploymentId, now }: Verify): Promise<JWTPayload> {
  const { keySetUrl, key } = settings
  const claims = {
    currentDate: now,
    ...(settings.audience === null ? {} : { audience: settings.audience }),
    ...(settings.issuers === null ? {} : { issuer: [...settings.issuers] }),
    ...(settings.subject === null ? {} : { subject: settings.subject }),
  }
  if (keySetUrl !== null) {
    const kid = readKeyId(token)
    const options = withAlgorithms(claims, settings, [...rsa, ...elliptic, ...edwards], 'CUBEJS_JWK_URL')
    const keys = await keySets.find(deploymentId, keySetUrl, kid)
    for (const found of keys) {
      const payload = await tryVerify(jwtVerify(token, createLocalJWKSet({ keys: [found] }), options))
      if (payload) return payload
    }
    throw tokenErrors.invalid()
  }
  const publicKey = key === null ? null : readPublicKey(key)
  if (publicKey !== null) {
    const options = withAlgorithms(claims, settings, algorithmsOf(publicKey), 'CUBEJS_JWT_KEY')
    return orInvalid(await tryVerify(jwtVerify(token, publicKey, options)))
  }
  const secrets = key === null ? settings.secrets : [new TextEncoder().encode(key)]
  const options = withAlgorithms(claims, settings, shared, 'a secret')
  for (const secret of secrets) {
    const payload = await tryVerify(jwtVerify(token, secret, options))
    if (payload) return payload
  }
  throw tokenErrors.invalid()
}

/** Whether a token says that the platform made it; nothing of it is trusted for that. */
function isPlatformShaped(token: string): boolean {
  try {
    return decodeProtectedHeader(token).alg === 'HS256' && decodeJwt(token).cubeCloud !== undefined
  } catch {
    return false
  }
}

function readKeyId(token: string): string {
  const kid = decodeHeader(token).kid
  if (typeof kid !== 'string' || kid === '') throw tokenErrors.withoutKeyId()
  return kid
}

function decodeHeader(token: string) {
  try {
    decodeJwt(token)
    return decodeProtectedHeader(token)
  } catch {
    throw tokenErrors.undecodable()
  }
}

/** The algorithms that are configured and fit the key; HS256 alone where a secret is shared and nothing is configured. */
function withAlgorithms<Claims extends JWTVerifyOptions>(
  claims: Claims,
  { algorithms }: TokenSettings,
  fitting: readonly string[],
  key: string,
): Claims & { algorithms: string[] } {
  const usual = fitting === shared ? ['HS256'] : fitting
  const allowed = algorithms === null ? usual : fitting.filter(name => algorithms.includes(name))
  if (allowed.length > 0) return { ...claims, algorithms: [...allowed] }
  throw tokenErrors.misconfigured('CUBEJS_JWT_ALGS', `it has none of ${fitting.join(', ')}, with which ${key} goes`)
}

/** The public key that a text is, PEM or a certificate, its line ends written out or not; null where it is a shared secret. */
function readPublicKey(text: string): KeyObject | null {
  if (!text.startsWith('-----BEGIN ')) return null
  try {
    return createPublicKey(text.replaceAll('\\n', '\n'))
  } catch {
    throw tokenErrors.misconfigured('CUBEJS_JWT_KEY', 'it begins as a PEM key does, and is none')
  }
}

function algorithmsOf({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): readonly string[] {
  if (asymmetricKeyType === 'rsa') return rsa
  if (asymmetricKeyType === 'ed25519') return edwards
  const curves: Readonly<Record<string, string>> = { prime256v1: 'ES256', secp384r1: 'ES384', secp521r1: 'ES512' }
  const algorithm = curves[asymmetricKeyDetails?.namedCurve ?? '']
  if (algorithm !== undefined) return [algorithm]
  throw tokenErrors.misconfigured('CUBEJS_JWT_KEY', 'use an RSA, P-256, P-384, P-521 or Ed25519 key')
}

/** The payload; undefined where the token is at fault. */
async function tryVerify(verifying: Promise<{ payload: JWTPayload }>): Promise<JWTPayload | undefined> {
  try {
    return (await verifying).payload
  } catch (error) {
    if (error instanceof errors.JOSEError) return undefined
    throw error
  }
}

function orInvalid(payload: JWTPayload | undefined): JWTPayload {
  if (payload) return payload
  throw tokenErrors.invalid()
}
