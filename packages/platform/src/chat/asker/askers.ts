import { type ChatRequest, type ChatSessionSettings, CodedError, isTimeZone } from '@hedron/contract'
import { branches, externalUsers, type Store } from '@hedron/store'
import type { Caller } from '../../caller.ts'
import { type FindDeployment, requireOnDeployment } from '../../deployments/find-deployment.ts'
import type { Effects } from '../../effects.ts'
import { readAccountSettings } from '../../people/account-settings.ts'
import { settingsOfSession } from '../../people/session-settings.ts'
import type { DataCaller } from '../../queries/data-caller.ts'
import type { Asker } from './asker.ts'
import type { ChatCredential } from './credential.ts'
import { type DataCallers, requireDeployment } from './data-callers.ts'
import type { ServiceTokens } from './service-token.ts'
import type { PersonMaker, SessionPersons } from './session-person.ts'

interface AskersNeed {
  readonly store: Store
  readonly effects: Effects
  readonly findDeployment: FindDeployment
  readonly dataCallers: DataCallers
  readonly persons: SessionPersons
  readonly serviceTokens: ServiceTokens
}

/** Who asks, and in which zone he reads times where he says so. */
export interface ResolvedAsker {
  readonly asker: Asker
  /** IANA name; null: the deployment's. */
  readonly timeZone: string | null
}

export type FoundBranch = { readonly kind: 'found'; readonly branchName: string | null } | { readonly kind: 'bad' }

/** From a credential to who asks (SPEC, "Service token authentication for chat"; contract/behaviour/chat.md section 1). */
export function createAskers(need: AskersNeed) {
  const { store, effects, dataCallers, persons } = need

  /**
   * @param by of which the deployment was found: it is there
   * @throws {CodedError} where the credential may not ask here, or `sessionSettings` are refused
   */
  async function resolve(
    credential: ChatCredential,
    settings: ChatSessionSettings | null,
    branchName: string | null,
    by: PersonMaker,
  ): Promise<ResolvedAsker> {
    const { accountId, deploymentId } = by
    const place = { accountId, deploymentId, branchName }
    const asker = (ownerId: number, dataCaller: () => Promise<DataCaller>): Asker => ({
      ...place,
      ownerId,
      dataCaller,
      developmentMode: branchName !== null,
    })
    if (credential.kind === 'service') {
      const { token, externalId, email } = credential
      const { userId } = await persons.provide({ externalId, email }, by)
      const verified = async () => (await need.serviceTokens(deploymentId, branchName, token)).caller
      return { asker: asker(userId, verified), timeZone: null }
    }
    if (credential.kind === 'self') {
      const ownerId = await requireSelf(credential.caller, deploymentId)
      await dataCallers.ofCaller(credential.caller, place)
      const again = async () => {
        const caller = await credential.again()
        await requireSelf(caller, deploymentId)
        return dataCallers.ofCaller(caller, place)
      }
      // A page may be seen in another zone than its session begins with (contract/behaviour/embed.md, section 7).
      const wish = settings === null ? null : zoneOf(settings)
      return { asker: asker(ownerId, again), timeZone: wish ?? (await zoneOfSession(credential.caller)) }
    }
    requireOnDeployment(credential.caller, deploymentId, 'All')
    if (settings === null) throw sessionSettingsMissing()
    const person = await persons.provide(settings, by)
    // Whether an internal user may ask here is said before the stream opens.
    if (person.isInternal) await dataCallers.ofPerson(person, place)
    const again = async () => {
      await need.findDeployment(await credential.again(), deploymentId, 'All')
      return dataCallers.ofPerson(person, place)
    }
    return { asker: asker(person.userId, again), timeZone: zoneOf(settings) }
  }

  /** Whose threads a credential may look at; undefined: nobody's who is there. Makes no users. */
  async function findOwner(
    credential: ChatCredential,
    settings: ChatSessionSettings | null,
    by: PersonMaker,
  ): Promise<number | undefined> {
    const { accountId, deploymentId } = by
    if (credential.kind === 'service') {
      const { externalId } = credential
      return (
        await externalUsers.findExternalUser(
          store.kysely,
          { accountId, externalId, embedTenantId: null },
          effects.now(),
        )
      )?.id
    }
    if (credential.kind === 'self') return requireSelf(credential.caller, deploymentId)
    requireOnDeployment(credential.caller, deploymentId, 'All')
    if (settings === null) throw sessionSettingsMissing()
    return (await persons.find(settings, by))?.userId
  }

  /** The branch that a request names; `bad`: it names none that is there, or another one than its session is for. */
  async function findBranch(
    credential: ChatCredential,
    deploymentId: number,
    { activeBranchName: name, isDefaultBranch: isDefault }: ChatRequest,
  ): Promise<FoundBranch> {
    const { accountId } = credential
    if (isDefault === false && !name) {
      throw new CodedError('invalid_request', { problems: 'isDefaultBranch: false needs an activeBranchName' })
    }
    const session = credential.kind === 'self' ? credential.caller.embed : null
    if (session && session.branchName !== null) {
      return !name || name === session.branchName ? { kind: 'found', branchName: session.branchName } : { kind: 'bad' }
    }
    if (!name) return { kind: 'found', branchName: null }
    const { deployBranchName } = await requireDeployment(store, accountId, deploymentId)
    if (name === deployBranchName) return { kind: 'found', branchName: null }
    if (isDefault === true || session !== null) return { kind: 'bad' }
    const branch = await branches.findBranch(store.kysely, accountId, deploymentId, { name })
    return branch ? { kind: 'found', branchName: name } : { kind: 'bad' }
  }

  /** A user who asks for himself: an embed session of this deployment with AI, or a login. */
  async function requireSelf(caller: Caller, deploymentId: number): Promise<number> {
    const { accountId, embed, userId } = caller
    if (embed !== null) {
      if (embed.deploymentId !== deploymentId)
        throw new CodedError('deployment_not_found', { deployment: deploymentId })
      const { embedding } = { embedding: settingsOfSession(await readAccountSettings(store.kysely, accountId), embed) }
      if (!embedding.allowAi) throw new CodedError('chat_ai_off', {})
    }
    if (userId === null)
      throw new CodedError('not_authenticated', { reason: 'This credential belongs to no user any more.' })
    return userId
  }

  async function zoneOfSession({ accountId, embed }: Caller): Promise<string | null> {
    const { timezone } = settingsOfSession(await readAccountSettings(store.kysely, accountId), embed)
    return timezone
  }

  return { resolve, findOwner, findBranch }
}
export type Askers = ReturnType<typeof createAskers>

/** A zone that is none falls back to the next (contract/behaviour/chat.md section 1). */
function zoneOf({ timezone, settings }: ChatSessionSettings): string | null {
  return [timezone, settings?.timezone].find(zone => typeof zone === 'string' && isTimeZone(zone)) ?? null
}

const sessionSettingsMissing = () =>
  new CodedError('invalid_request', {
    problems: 'sessionSettings: is required with an API key; send externalId or internalId to say who asks',
  })
