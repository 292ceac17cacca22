import { readVariable } from '../../deployments/variable-values.ts'
import { once } from '../../once.ts'
import { defaultScopes } from '../data-caller.ts'

/** How the data-API tokens of a deployment are checked, read from its variables (contract/behaviour/query.md section 2). */
export interface TokenSettings {
  /**
   * Secrets that tokens may be signed with, HS256 unless `algorithms` says otherwise: those of `CUBEJS_API_SECRETS`, while secrets are
   * rotated, else `CUBEJS_API_SECRET`.
   */
  readonly secrets: readonly Uint8Array[]
  /** Secrets that tokens of the platform may be signed with: it signs with `CUBEJS_API_SECRET`. */
  readonly platformSecrets: readonly Uint8Array[]
  /** `CUBEJS_PLAYGROUND_AUTH_SECRET`: signs tokens of tools for whoever works on the deployment; null: there are none. */
  readonly playgroundSecret: Uint8Array | null
  /** `CUBEJS_JWT_KEY`: takes the place of the secrets for tokens that the platform did not make. */
  readonly key: string | null
  /** `CUBEJS_JWK_URL`: where the public keys of an identity provider are; takes the place of key and secrets. */
  readonly keySetUrl: string | null
  /** `CUBEJS_JWT_ALGS`; null: all that fit the key. */
  readonly algorithms: readonly string[] | null
  readonly audience: string | null
  /** Any of them. */
  readonly issuers: readonly string[] | null
  readonly subject: string | null
  /** The claim under which the security context is; null: the whole payload is. */
  readonly claimsNamespace: string | null
  /** What a token may ask at most. */
  readonly scopes: ReadonlySet<string>
}

type Variables = Readonly<Record<string, string>>

/** Reads what the variables say; what cannot be used is found when a token needs it, so that others still work. */
export function readTokenSettings(variables: Variables): TokenSettings {
  const text = (name: string) => variables[name]?.trim() || null
  const list = (name: string) => {
    const items = (variables[name] ?? '').split(',').map(item => item.trim())
    const given = items.filter(item => item !== '')
    return given.length === 0 ? null : given
  }
  const rotated = list('CUBEJS_API_SECRETS') ?? []
  const own = variables.CUBEJS_API_SECRET ? [variables.CUBEJS_API_SECRET] : []
  const algorithms = once(() => notEmpty(readVariable(variables, 'CUBEJS_JWT_ALGS')) ?? null)
  const scopes = once(() => new Set(notEmpty(readVariable(variables, 'CUBEJS_DEFAULT_API_SCOPES')) ?? defaultScopes))
  return {
    secrets: (rotated.length > 0 ? rotated : own).map(encode),
    platformSecrets: [...new Set([...own, ...rotated])].map(encode),
    playgroundSecret: variables.CUBEJS_PLAYGROUND_AUTH_SECRET ? encode(variables.CUBEJS_PLAYGROUND_AUTH_SECRET) : null,
    key: text('CUBEJS_JWT_KEY'),
    keySetUrl: text('CUBEJS_JWK_URL'),
    get algorithms() {
      return algorithms()
    },
    audience: text('CUBEJS_JWT_AUDIENCE'),
    issuers: list('CUBEJS_JWT_ISSUER'),
    subject: text('CUBEJS_JWT_SUBJECT'),
    claimsNamespace: text('CUBEJS_JWT_CLAIMS_NAMESPACE'),
    get scopes() {
      return scopes()
    },
  }
}

const encode = (secret: string) => new TextEncoder().encode(secret)

const notEmpty = <T>(list: readonly T[] | undefined) => (list && list.length > 0 ? list : undefined)
