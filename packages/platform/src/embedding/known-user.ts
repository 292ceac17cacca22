import type { GenerateSession } from '@hedron/contract'
import { type Executor, knownUserSessions, userRights } from '@hedron/store'
import { rightsScope } from '../people/principal.ts'
import { readEmbedFlags } from './flags.ts'
import type { SessionInput } from './session-input.ts'

/**
 * Makes the session of a request that asks for nothing but a session of somebody who is known, just as he is: most requests do, and
 * for them nothing is locked and one statement is written.
 *
 * @returns false, with nothing written, where something has to be changed, checked or refused.
 */
export async function makeSessionOfUnchanged(
  executor: Executor,
  accountId: number,
  body: GenerateSession,
  { user }: SessionInput,
  session: knownUserSessions.KnownSession,
  audit: Parameters<typeof knownUserSessions.insertSessionOfKnown>[3],
): Promise<boolean> {
  if (user.kind === 'internal' || body.roles?.length || asksForMore(body)) return false
  const wanted = wantedRights(body)
  if (wanted.groups === undefined && wanted.attributes.length === 0) {
    const told = {
      accountId,
      externalId: user.externalId,
      embedTenantName: body.embedTenantName ?? null,
      email: body.email ?? null,
      displayName: body.userProfile?.displayName ?? null,
      picture: body.userProfile?.picture ?? null,
      becomesPersistent: body.isEphemeral === false,
    }
    return knownUserSessions.insertSessionOfKnown(executor, told, session, audit)
  }
  const known = await findUnchangedUser(executor, accountId, body, { user }, session.createdAt)
  if (!known) return false
  const values = { ...session, ...known, accountId, isInternal: false, branchName: null, publicDashboardId: null }
  return knownUserSessions.insertSessionIfThere(executor, values, audit)
}

/** The user of such a request; undefined where something has to be changed, checked or refused. */
export async function findUnchangedUser(
  executor: Executor,
  accountId: number,
  body: GenerateSession,
  { user }: Pick<SessionInput, 'user'>,
  now: Date,
): Promise<{ readonly userId: number; readonly embedTenantId: number | null } | undefined> {
  if (user.kind === 'internal' || asksForMore(body)) return undefined
  const { externalId } = user
  const key = { accountId, externalId, embedTenantName: body.embedTenantName ?? null }
  const known = await knownUserSessions.findKnownUser(executor, key, now)
  if (!known) return undefined
  const { userId, embedTenantId } = known
  const { embeddingEnabled, useCreatorMode } = readEmbedFlags(known.accountSettings)
  const creatorMode = body.creatorMode === true
  const isAllowed = embeddingEnabled && (useCreatorMode || !creatorMode)
  if (!isAllowed || !isAsTold(known, body)) return undefined
  const wanted = wantedRights(body)
  if (wanted.groups !== undefined || wanted.attributes.length > 0) {
    const scope = rightsScope({ accountId, isInternal: false, creatorMode, embedTenantId })
    const { hasGroups, hasValues } = compareRights(await userRights.readRights(executor, { ...scope, userId }), wanted)
    if (!hasGroups || !hasValues) return undefined
  }
  return { userId, embedTenantId }
}

/** Whether more is asked for than reading the user tells. */
const asksForMore = (body: GenerateSession): boolean =>
  Boolean(
    body.branchName ||
      body.publicDashboardId ||
      body.embedTenantProfile ||
      body.groupDefinitions?.length ||
      body.tenantGroupDefinitions?.length ||
      body.userAttributeDefinitions?.length,
  )

function isAsTold(known: knownUserSessions.KnownUser, { email, userProfile, isEphemeral }: GenerateSession): boolean {
  const same = (given: string | null | undefined, stored: string | null) => given == null || given === stored
  return (
    same(email, known.email) &&
    same(userProfile?.displayName, known.firstName) &&
    same(userProfile?.picture, known.picture) &&
    !(known.isEphemeral && isEphemeral === false)
  )
}

export interface WantedRights {
  /** Undefined: as they are. */
  readonly groups: readonly string[] | undefined
  readonly attributes: readonly { readonly name: string; readonly value: unknown }[]
}

/** Groups and values that a request gives, those of an embed tenant by either of their names. */
export function wantedRights({ groups, tenantGroups, userAttributes }: GenerateSession): WantedRights {
  return {
    groups: groups || tenantGroups ? [...(groups ?? []), ...(tenantGroups ?? [])] : undefined,
    attributes: (userAttributes ?? []).map(({ name, value }) => ({ name, value: value ?? null })),
  }
}

/** Whether a user has the groups and values that are wanted. Names that stand twice are for the full check. */
export function compareRights(
  { groups, attributes }: userRights.RightsRow,
  wanted: WantedRights,
): { readonly hasGroups: boolean; readonly hasValues: boolean } {
  const names = new Set(groups.map(({ name }) => name))
  const wantedNames = new Set(wanted.groups)
  const values = new Map(attributes.map(({ name, value }) => [name, value]))
  return {
    hasGroups:
      wanted.groups === undefined ||
      (names.size === wantedNames.size && [...wantedNames].every(name => names.has(name))),
    hasValues:
      new Set(wanted.attributes.map(({ name }) => name)).size === wanted.attributes.length &&
      wanted.attributes.every(
        ({ name, value }) => values.has(name) && JSON.stringify(values.get(name)) === JSON.stringify(value),
      ),
  }
}
