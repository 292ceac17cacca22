import { CodedError } from '@hedron/contract'
import * as z from 'zod'
import { normalizeExternalId } from '../../people/external-id.ts'
import type { Bearer } from '../../queries/authenticate-data.ts'
import type { DataApi } from '../../queries/data-api.ts'
import type { DataCaller } from '../../queries/data-caller.ts'
import { DataError } from '../../queries/data-error.ts'
import type { DeploymentRuntimes } from '../../queries/deployment-runtime.ts'
import { isScope } from '../../queries/tokens/token-scopes.ts'

interface ServiceNeeds {
  readonly findBearer: DataApi['findBearer']
  readonly runtimes: DeploymentRuntimes
}

/** Who a service token is of. */
export interface ServiceBearer {
  readonly externalId: string
  readonly email: string | null
  readonly caller: DataCaller
}

const Scope = z.array(z.unknown())
const Email = z
  .string()
  .trim()
  .max(320)
  .regex(/^[^\s@]+@[^\s@]+$/)

/**
 * Checks a token that a deployment's own authentication accepts, for use with the chat (SPEC, "Service token authentication for chat"):
 * it names an external user and has the scope `chat`, both looked up in the security context that comes of it.
 *
 * @throws {CodedError} `not_authenticated`; {DataError} 500 and 503 where the deployment's authentication cannot be used
 */
export function createServiceTokens({ findBearer, runtimes }: ServiceNeeds) {
  return async (deploymentId: number, branchName: string | null, token: string): Promise<ServiceBearer> => {
    const { caller, claims } = await verify(deploymentId, branchName, token)
    const { securityContext: context } = caller
    const scope = Scope.safeParse(context.scope)
    if (!scope.success || !scope.data.includes('chat')) throw refused('It has no scope "chat" in its list of scopes.')
    const id = [context.externalId, claims.externalId, context.sub, claims.sub].find(
      (claim): claim is string => typeof claim === 'string' && claim.trim() !== '',
    )
    if (id === undefined) throw refused('It has neither the claim externalId nor sub.')
    const email = Email.safeParse(context.email ?? claims.email)
    return {
      externalId: normalize(id),
      email: email.success ? email.data : null,
      caller: { ...caller, scopes: await scopesFor(deploymentId, scope.data, caller) },
    }
  }

  async function verify(deploymentId: number, branchName: string | null, token: string): Promise<Bearer> {
    try {
      return await findBearer({ deploymentId, branchName, header: token })
    } catch (error) {
      if (error instanceof DataError && error.status < 500) throw refused(error.message)
      throw error
    }
  }

  /** What the agent may ask with it: the scopes of the data API that it names, or where it names none of them all that the deployment allows. */
  async function scopesFor(deploymentId: number, named: readonly unknown[], caller: DataCaller) {
    const runtime = await runtimes.find(deploymentId)
    const namesOne = named.some(name => typeof name === 'string' && isScope(name))
    return namesOne || !runtime ? caller.scopes : runtime.tokens.scopes
  }
}
export type ServiceTokens = ReturnType<typeof createServiceTokens>

function normalize(id: string): string {
  try {
    return normalizeExternalId(id)
  } catch (error) {
    if (error instanceof CodedError) throw refused(error.message)
    throw error
  }
}

export const refused = (why: string) =>
  new CodedError('not_authenticated', { reason: `The service token is not valid for the chat. ${why}` })
