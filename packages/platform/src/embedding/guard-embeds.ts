import { CodedError, type OperationId, type Route, routes } from '@hedron/contract'
import type { CallContext, Caller } from '../caller.ts'
import type { Operations } from '../operations.ts'

type AnyOperation = (caller: Caller | null, input: unknown, context: CallContext) => Promise<unknown>

/**
 * Keeps embed sessions out of what is open to any caller, such as the list of the account's users, unless the contract says that it
 * is for them too; and everybody else out of what is for embed sessions alone. Everything else asks for permissions, of which a
 * session has those of its own deployment.
 */
export function guardEmbeds(operations: Operations): Operations {
  const guarded = Object.entries(operations).map(([id, operation]) => {
    const route: Route = routes[id as OperationId]
    const refusal = refusalOf(route)
    if (refusal === undefined) return [id, operation]
    // Each entry goes back under its own id, so its type stays what it was.
    const call = operation as unknown as AnyOperation
    const asking: AnyOperation = async (caller, input, context) => {
      if (refusal.refuses(caller)) throw new CodedError(refusal.code, {})
      return call(caller, input, context)
    }
    return [id, asking]
  })
  return Object.fromEntries(guarded)
}

function refusalOf({ access, embeds }: Route) {
  if (access === 'embed') {
    return { code: 'embed_session_required', refuses: (caller: Caller | null) => !caller?.embed } as const
  }
  if (access === 'caller' && embeds !== true) {
    return { code: 'embed_session_refused', refuses: (caller: Caller | null) => Boolean(caller?.embed) } as const
  }
  return undefined
}
