import { oauthClients, type Store } from '@hedron/store'
import * as z from 'zod'
import { type Effects, randomId } from '../../effects.ts'
import type { Attempts } from '../attempts.ts'
import { OAuthError } from '../oauth-error.ts'
import { shownAgent, type Visit } from '../person.ts'
import { isOnThisMachine, isRegistered, redirectUriProblem } from './redirect-uris.ts'

/** A program that asks for a person's rights by the tools for assistants. */
export interface Program {
  readonly id: string
  /** As it calls itself. */
  readonly name: string
  /** Whether the name is one that it gave itself. */
  readonly isSelfNamed: boolean
  mayBeAnsweredAt(redirectUri: string): boolean
}

interface ProgramsNeed {
  readonly store: Store
  readonly effects: Effects
  readonly attempts: Attempts
}

/** The answer of RFC 7591 section 3.2.1. */
export interface RegisteredProgram {
  readonly client_id: string
  /** Seconds since 1970. */
  readonly client_id_issued_at: number
  readonly client_name: string
  readonly redirect_uris: readonly string[]
  readonly token_endpoint_auth_method: 'none'
  readonly grant_types: readonly string[]
  readonly response_types: readonly string[]
}

const idPrefix = 'hdp_'
const mostRedirects = 10

/** Programs that need not register: they run on the person's own machine, so that whoever takes their name gains nothing by it. */
const known: ReadonlyMap<string, string> = new Map([
  ['hedron-mcp', 'Assistant on this machine'],
  // What clients of the field are told to call themselves (contract/behaviour/chat.md section 8).
  ['cube-mcp-client', 'Assistant on this machine (cube-mcp-client)'],
])

const Metadata = z.object({
  redirect_uris: z.array(z.string()).min(1).max(mostRedirects),
  client_name: z.string().max(1000).optional(),
  grant_types: z.array(z.string()).max(20).optional(),
  response_types: z.array(z.string()).max(20).optional(),
})

const grantTypes = ['authorization_code', 'refresh_token'] as const

/**
 * Programs that log in with authorization codes: those that registered themselves (RFC 7591) and those that are known. All are public
 * clients: what they are told is told to whoever has the address that they registered, and proved by PKCE.
 */
export function createPrograms({ store, effects, attempts }: ProgramsNeed) {
  return {
    /**
     * Registers a program; anybody may, and nothing comes of it until a person lets it in.
     *
     * @throws {OAuthError} `invalid_redirect_uri`, `invalid_client_metadata`, `temporarily_unavailable`
     */
    async register(body: unknown, visit: Visit): Promise<RegisteredProgram> {
      const { success, data, error } = Metadata.safeParse(body)
      if (!success) throw new OAuthError('invalid_client_metadata', z.prettifyError(error))
      for (const uri of data.redirect_uris) {
        const problem = redirectUriProblem(uri)
        if (problem !== undefined) throw new OAuthError('invalid_redirect_uri', `${uri.slice(0, 200)} ${problem}.`)
      }
      const { grant_types: grants = ['authorization_code'], response_types: responses = ['code'] } = data
      if (!grants.includes('authorization_code') || !responses.includes('code')) {
        throw new OAuthError(
          'invalid_client_metadata',
          'Only the grant authorization_code and the response code are offered.',
        )
      }
      const wait = await attempts.count('registered program', visit.address ?? '')
      if (wait > 0) {
        throw new OAuthError(
          'temporarily_unavailable',
          `Too many registrations from this address. Wait ${wait} s.`,
          wait,
        )
      }
      const id = `${idPrefix}${randomId(effects)}`
      const name = shownAgent(data.client_name ?? null) ?? 'A program without a name'
      const createdAt = effects.now()
      await oauthClients.insertClient(store.kysely, {
        id,
        name,
        redirectUris: JSON.stringify(data.redirect_uris),
        address: visit.address,
        createdAt,
      })
      return {
        client_id: id,
        client_id_issued_at: Math.floor(createdAt.getTime() / 1000),
        client_name: name,
        redirect_uris: data.redirect_uris,
        token_endpoint_auth_method: 'none',
        grant_types: grantTypes,
        response_types: ['code'],
      }
    },

    /** @throws {OAuthError} `invalid_client` */
    async require(id: string | undefined): Promise<Program> {
      const name = known.get(id ?? '')
      if (id !== undefined && name !== undefined) {
        return { id, name, isSelfNamed: false, mayBeAnsweredAt: isOnThisMachine }
      }
      const row = id?.startsWith(idPrefix) ? await oauthClients.findClient(store.kysely, id) : undefined
      if (!row) throw new OAuthError('invalid_client', 'client_id is unknown here: register the program (RFC 7591).')
      const mayBeAnsweredAt = (given: string) => row.redirectUris.some(uri => isRegistered(uri, given))
      return { id: row.id, name: row.name, isSelfNamed: true, mayBeAnsweredAt }
    },

    isOne: (id: string): boolean => id.startsWith(idPrefix) || known.has(id),
  }
}
export type Programs = ReturnType<typeof createPrograms>
