import { CodedError, type GenerateSession } from '@hedron/contract'
import { normalizeExternalId } from '../people/external-id.ts'
import { adminRole } from '../people/roles/built-in-roles.ts'

/** Who a session is for, as generate-session was told. */
export type SessionUser =
  | { readonly kind: 'internal'; readonly username: string }
  | { readonly kind: 'external'; readonly externalId: string }

/** What lies in the body beside its fields, checked. */
export interface SessionInput {
  readonly user: SessionUser
  /** JSON text. */
  readonly securityContext: string
  /** Seconds after which a user who is new is removed; null: he stays. */
  readonly ephemeralSeconds: number | null
}

/** Default life of an ephemeral user: a week (SPEC, "Limits"). */
const ephemeralSeconds = 604_800
const largestContext = 1024 * 1024

/** SPEC, "Generate embed session", rule 1, and what else says who an external user is. */
const notForInternal = [
  'email',
  'userProfile',
  'userAttributes',
  'groups',
  'tenantGroups',
  'userAttributeDefinitions',
  'groupDefinitions',
  'tenantGroupDefinitions',
  'securityContext',
  'roles',
  'isEphemeral',
  'ephemeralTtlSeconds',
] as const satisfies readonly (keyof GenerateSession)[]

const ofTenantsAlone = [
  'userAttributeDefinitions',
  'groupDefinitions',
  'tenantGroupDefinitions',
  'tenantGroups',
] as const satisfies readonly (keyof GenerateSession)[]

/**
 * Claims that a data token has by itself, or by which older clients pass a whole context (`u`): whoever could set them in a
 * security context could say who he is.
 */
const reservedClaims: ReadonlySet<string> = new Set(['cubeCloud', 'iat', 'exp', 'nbf', 'jti', 'scope', 'u'])

/**
 * Checks what the fields of generate-session mean together.
 *
 * @throws {CodedError} `invalid_request` naming the fields, `security_context_too_large`.
 */
export function readSessionInput(body: GenerateSession): SessionInput {
  const user = readUser(body)
  const given = (names: readonly (keyof GenerateSession)[]) => names.filter(name => (body[name] ?? null) !== null)
  const forbidden = user.kind === 'internal' ? given(notForInternal) : []
  if (forbidden.length > 0) {
    throw refused(`${forbidden.join(', ')}: not allowed with internalId; the permissions that the user has apply`)
  }
  const ofTenant = given(ofTenantsAlone)
  if (ofTenant.length > 0 && (body.creatorMode !== true || !body.embedTenantName)) {
    throw refused(`${ofTenant.join(', ')}: needs "creatorMode": true and an embedTenantName`)
  }
  if (body.embedTenantProfile && !body.embedTenantName) throw refused('embedTenantProfile: needs an embedTenantName')
  if (body.roles?.includes(adminRole)) {
    throw refused(`roles: ${adminRole} cannot be given; an embed session administers nothing`)
  }
  if (body.ephemeralTtlSeconds != null && body.isEphemeral !== true) {
    throw refused('ephemeralTtlSeconds: needs "isEphemeral": true')
  }
  for (const { name, value } of body.userAttributes ?? []) {
    const inexact = firstInexact(value)
    if (inexact !== undefined) throw refused(`userAttributes: ${name} holds ${tooLarge(inexact)}`)
  }
  return {
    user,
    securityContext: readContext(body.securityContext ?? {}),
    ephemeralSeconds: body.isEphemeral === true ? (body.ephemeralTtlSeconds ?? ephemeralSeconds) : null,
  }
}

function readUser({ externalId, internalId }: GenerateSession): SessionUser {
  if (externalId != null && internalId == null) return { kind: 'external', externalId: normalizeExternalId(externalId) }
  if (externalId == null && internalId != null) return { kind: 'internal', username: internalId.trim() }
  throw refused('externalId, internalId: exactly one of them is needed')
}

function readContext(context: Readonly<Record<string, unknown>>): string {
  const text = JSON.stringify(context)
  if (Buffer.byteLength(text) > largestContext) throw new CodedError('security_context_too_large', { limit: '1 MiB' })
  const reserved = Object.keys(context).filter(name => reservedClaims.has(name))
  if (reserved.length > 0) {
    throw refused(`securityContext: ${reserved.join(', ')} cannot be set; tokens of the data API carry that themselves`)
  }
  const inexact = firstInexact(context)
  if (inexact !== undefined) throw refused(`securityContext: holds ${tooLarge(inexact)}`)
  return text
}

const tooLarge = (value: number): string =>
  `${String(value)}, a number that is too large to be kept exactly; send it as a string`

/** The first number in a value that JSON's reader may have rounded: beyond 2^53, or beyond all doubles. */
function firstInexact(value: unknown): number | undefined {
  if (typeof value === 'number') {
    return Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value)) ? undefined : value
  }
  if (typeof value !== 'object' || value === null) return undefined
  for (const item of Object.values(value)) {
    const found = firstInexact(item)
    if (found !== undefined) return found
  }
  return undefined
}

const refused = (problems: string) => new CodedError('invalid_request', { problems })
