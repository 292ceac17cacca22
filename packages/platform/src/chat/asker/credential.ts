import type { Caller } from '../../caller.ts'

/** How somebody showed who he is to the chat API (contract/behaviour/chat.md section 1). */
export type ChatCredential =
  /** An API key: it asks for whom `sessionSettings` says. */
  | ({ readonly kind: 'key' } & Lasting)
  /** A user of the account who is logged in, or an embed session: he asks for himself. */
  | ({ readonly kind: 'self' } & Lasting)
  /** A token of the deployment's own: it asks for whom its claims say. */
  | {
      readonly kind: 'service'
      readonly accountId: number
      readonly deploymentId: number
      readonly token: string
      readonly externalId: string
      readonly email: string | null
    }

/** A credential of the platform, which may end before what was begun with it does. */
interface Lasting {
  readonly accountId: number
  readonly caller: Caller
  /** Who bears it now. @throws {CodedError} `not_authenticated` where it is not good any more */
  readonly again: () => Promise<Caller>
}

/** Where a request goes: `agents/{agentId}` or `deployments/{deploymentId}`. */
export interface ChatAddress {
  readonly accountName: string
  readonly form: 'agent' | 'deployment'
  /** As the address has it. */
  readonly id: string
}

/** What a request shows. */
export interface ChatHeaders {
  readonly authorization: string | undefined
  readonly serviceToken: string | undefined
}

export const actorOf = (credential: ChatCredential): string =>
  credential.kind === 'service'
    ? `${credential.externalId} (service token of deployment ${credential.deploymentId})`
    : `${credential.caller.name} (${credential.caller.credential})`
