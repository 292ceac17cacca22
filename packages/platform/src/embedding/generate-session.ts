import { CodedError, type GenerateSession } from '@hedron/contract'
import {
  branches,
  type deployments,
  type Executor,
  embedSessions,
  listEnvironments,
  type Store,
  userRights,
  users,
} from '@hedron/store'
import { isAllowed } from '../access.ts'
import { type Audit, auditRow } from '../audit.ts'
import type { Caller } from '../caller.ts'
import type { FindDeployment } from '../deployments/find-deployment.ts'
import type { Effects } from '../effects.ts'
import type { Operations } from '../operations.ts'
import { readAccountSettings } from '../people/account-settings.ts'
import { digestOf } from '../people/digest.ts'
import { rightsScope } from '../people/principal.ts'
import { roleKeysNamed } from '../people/roles/role-keys.ts'
import { type ExternalUserPlace, ensureExternalUser } from './external-users.ts'
import { compareRights, makeSessionOfUnchanged, wantedRights } from './known-user.ts'
import { readSessionInput, type SessionInput } from './session-input.ts'
import { ensureEmbedTenant } from './tenants/ensure-tenant.ts'
import { setAttributes } from './tenants/set-attributes.ts'
import { setGroups } from './tenants/set-groups.ts'
import { upsertAttributeDefinitions } from './tenants/upsert-attributes.ts'
import { upsertGroupDefinitions } from './tenants/upsert-groups.ts'

export interface GenerateNeeds {
  readonly store: Store
  readonly effects: Effects
  readonly audit: Audit
  readonly findDeployment: FindDeployment
  /** Tells the operator. */
  readonly warn: (message: string) => void
}

/** For how long a session id can be exchanged, in milliseconds. */
const exchangeMs = 300_000

/** SPEC, "Generate embed session". One transaction: a request that is refused changes nothing. */
export function createGenerateSession(need: GenerateNeeds): Operations['generateSession'] {
  const { store, effects } = need

  /** What is wrong with a request is told to those alone who may use its deployment. */
  async function readInput(caller: Caller, body: GenerateSession): Promise<SessionInput> {
    try {
      return readSessionInput(body)
    } catch (error) {
      await need.findDeployment(caller, body.deploymentId, 'All')
      throw error
    }
  }

  return async (caller, { body }, context) => {
    if (caller.embed !== null) throw new CodedError('embed_session_refused', {})
    const input = await readInput(caller, body)
    const now = effects.now()
    const sessionId = effects.randomBytes(32).toString('hex')
    const { accountId } = caller
    const session = {
      deploymentId: body.deploymentId,
      digest: digestOf(sessionId),
      creatorMode: body.creatorMode === true,
      securityContext: input.securityContext,
      settings: JSON.stringify(withoutNulls(body.settings ?? {})),
      theme: body.embedTheme ? JSON.stringify(body.embedTheme) : null,
      createdAt: now,
      expiresAt: new Date(now.getTime() + exchangeMs),
    }
    const audited = (changes: Readonly<Record<string, unknown>>) =>
      auditRow(caller, context, 'embed-session.create', now, {
        deploymentId: body.deploymentId,
        ...input.user,
        creatorMode: session.creatorMode,
        embedTenant: body.embedTenantName ?? null,
        ...changes,
      })

    // A session of a deployment that the account does not have cannot be written, so only its rights on it are looked at here.
    const isQuick = mayUse(caller, body.deploymentId)
    if (isQuick && (await makeSessionOfUnchanged(store.kysely, accountId, body, input, session, audited({})))) {
      return { sessionId }
    }
    const deployment = await need.findDeployment(caller, body.deploymentId, 'All')
    await store.transaction(async transaction => {
      const settings = await readAccountSettings(transaction, accountId)
      if (!settings.embeddingEnabled) throw new CodedError('embedding_disabled', {})
      if (body.creatorMode === true && !settings.useCreatorMode) throw new CodedError('creator_mode_disabled', {})
      const branchName = await findServedBranch(transaction, accountId, deployment, body.branchName)
      await requireDashboard(transaction, accountId, deployment.id, body.publicDashboardId)
      const limit = settings.externalUserLimit
      const { userId, embedTenantId, changes, isWarning } = await preparePerson(transaction, caller, body, input, {
        now,
        limit,
      })
      const { publicDashboardId = null } = body
      const { keys } = await roleKeysNamed(transaction, accountId, body.roles ?? [])
      const isInternal = input.user.kind === 'internal'
      const place = {
        accountId,
        userId,
        embedTenantId,
        isInternal,
        branchName,
        publicDashboardId,
        roles: JSON.stringify(keys),
      }
      const told = body.roles?.length ? { ...changes, roles: body.roles } : changes
      await embedSessions.insertEmbedSession(transaction, { ...session, ...place }, audited(told))
      if (!isWarning) return
      await need.audit(transaction, caller, context, 'external-users.near-limit', 'account', { limit })
      need.warn(`account ${accountId} has 80 % of its ${limit} external users; at the limit, new ones are refused`)
    })
    return { sessionId }
  }
}

const mayUse = (caller: Caller, deploymentId: number): boolean =>
  caller.deploymentScope?.has(deploymentId) !== false && isAllowed(caller, 'All', deploymentId)

interface Person {
  readonly userId: number
  readonly embedTenantId: number | null
  readonly isNew: boolean
  /** What was changed of his rights, for the audit log. */
  readonly changes: Readonly<Record<string, unknown>>
  /** Whether he is the one with whom the limit of external users comes near. */
  readonly isWarning: boolean
}

/**
 * Tenant, definitions, user, groups and attributes, in this order for every request, so that no two wait for each other.
 */
export async function preparePerson(
  transaction: Executor,
  caller: Pick<Caller, 'accountId'>,
  body: GenerateSession,
  { user: who, ephemeralSeconds }: SessionInput,
  { now, limit, counts = 'all' }: ExternalUserPlace,
): Promise<Person> {
  const { accountId } = caller
  const { embedTenantName: tenantName, embedTenantProfile: profile } = body
  const tenant = tenantName ? await ensureEmbedTenant(transaction, accountId, tenantName, profile?.displayName) : null
  const embedTenantId = tenant?.id ?? null
  if (who.kind === 'internal') {
    const user = await users.findUserByName(transaction, accountId, who.username)
    if (!user || user.isDeactivated) throw new CodedError('internal_user_not_found', { username: who.username })
    return { userId: user.id, embedTenantId, changes: {}, isWarning: false, isNew: false }
  }
  if (embedTenantId !== null) {
    const tenantScope = { accountId, embedTenantId }
    const groups = [...(body.groupDefinitions ?? []), ...(body.tenantGroupDefinitions ?? [])]
    await upsertGroupDefinitions(transaction, tenantScope, groups, now)
    await upsertAttributeDefinitions(transaction, tenantScope, body.userAttributeDefinitions ?? [], now)
  }
  const { user, isWarning, isNew } = await ensureExternalUser(
    transaction,
    {
      accountId,
      externalId: who.externalId,
      embedTenantId,
      email: body.email ?? undefined,
      displayName: body.userProfile?.displayName ?? undefined,
      picture: body.userProfile?.picture ?? undefined,
      expiresAt: ephemeralSeconds === null ? undefined : new Date(now.getTime() + ephemeralSeconds * 1000),
      becomesPersistent: body.isEphemeral === false,
    },
    { now, limit, counts },
  )
  const scope = rightsScope({ accountId, isInternal: false, creatorMode: body.creatorMode === true, embedTenantId })
  const changes = await setRights(transaction, { ...scope, userId: user.id }, body, now)
  return { userId: user.id, embedTenantId, changes, isWarning, isNew }
}

async function setRights(
  transaction: Executor,
  holder: userRights.RightsHolder,
  body: GenerateSession,
  now: Date,
): Promise<Readonly<Record<string, unknown>>> {
  const wanted = wantedRights(body)
  if (wanted.groups === undefined && wanted.attributes.length === 0) return {}
  const before = await userRights.readRights(transaction, holder)
  const { hasGroups, hasValues } = compareRights(before, wanted)
  if (!hasGroups) await setGroups(transaction, holder, wanted.groups, now)
  if (!hasValues) await setAttributes(transaction, holder, wanted.attributes, now)
  return {
    ...(hasGroups ? {} : { groups: { before: before.groups.map(({ name }) => name), after: wanted.groups } }),
    ...(hasValues ? {} : { attributes: wanted.attributes.map(({ name }) => name) }),
  }
}

/**
 * The branch whose model the session asks; null: production. Resolved when the session is made (contract/behaviour/embed.md 1).
 *
 * @throws {CodedError} `branch_not_found`, `branch_not_served`.
 */
async function findServedBranch(
  executor: Executor,
  accountId: number,
  deployment: deployments.DeploymentWithBranch,
  name: string | null | undefined,
): Promise<string | null> {
  if (!name || name === deployment.deployBranchName) return null
  const branch = await branches.findBranch(executor, accountId, deployment.id, { name })
  if (!branch) throw new CodedError('branch_not_found', { branch: name })
  const served = await listEnvironments(executor, accountId, deployment.id)
  if (!served.some(({ branchId }) => branchId === branch.id))
    throw new CodedError('branch_not_served', { branch: name })
  return name
}

/** @throws {CodedError} `dashboard_not_found` where the deployment has none with that public id. */
async function requireDashboard(
  executor: Executor,
  accountId: number,
  deploymentId: number,
  publicId: string | null | undefined,
): Promise<void> {
  if (!publicId) return
  const isThere = await embedSessions.hasDashboard(executor, accountId, deploymentId, publicId)
  if (!isThere) throw new CodedError('dashboard_not_found', { dashboard: publicId })
}

const withoutNulls = (settings: object): object =>
  Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== null && value !== undefined))
