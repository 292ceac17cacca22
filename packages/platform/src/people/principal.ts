import type { AttributeType, AttributeValue, Executor, userRights } from '@hedron/store'
import { userRights as rights } from '@hedron/store'
import type { Caller } from '../caller.ts'
import { readDefault } from '../embedding/tenants/attribute-type.ts'

/** What access policies are told of who asks. */
export interface Principal {
  readonly groups: readonly string[]
  readonly userAttributes: Readonly<Record<string, AttributeValue>>
}

/**
 * Where a session's groups and attributes are looked up: in creator mode in the embed tenant's own tables, else in the account's
 * (SPEC, "Generate embed session", rules 4 and 5). One place for each, never both: what a tenant may define has no way into the
 * names that the account's policies go by.
 */
export function rightsScope(session: {
  readonly accountId: number
  readonly isInternal: boolean
  readonly creatorMode: boolean
  readonly embedTenantId: number | null
}): userRights.RightsScope {
  const { accountId, isInternal, creatorMode, embedTenantId } = session
  return { accountId, embedTenantId: creatorMode && !isInternal ? embedTenantId : null }
}

/** The name by which a group of an embed tenant is known to access policies; no group of the account can have such a name. */
export const tenantGroupName = (tenant: string, group: string): string => `system:tenant:${tenant}:group:${group}`

/** Groups and attributes of who calls, as they are now. */
export async function principalOf(executor: Executor, caller: Caller): Promise<Principal> {
  const { accountId, userId, embed } = caller
  if (userId === null) return { groups: [], userAttributes: {} }
  const scope = rightsScope({
    accountId,
    isInternal: embed?.externalId === null,
    creatorMode: embed?.creatorMode === true,
    embedTenantId: embed?.embedTenant?.id ?? null,
  })
  const { groups, attributes } = await rights.readRights(executor, { ...scope, userId })
  const tenant = scope.embedTenantId === null ? undefined : embed?.embedTenant?.name
  return {
    groups: groups.map(({ name }) => (tenant === undefined ? name : tenantGroupName(tenant, name))),
    userAttributes: Object.fromEntries(attributes.flatMap(attribute => effectiveValue(attribute))),
  }
}

function effectiveValue(attribute: {
  readonly name: string
  readonly type: AttributeType
  readonly value: AttributeValue | null
  readonly defaultValue: string | null
}): [string, AttributeValue][] {
  const { name, type, value, defaultValue } = attribute
  if (value !== null) return [[name, value]]
  const standard = defaultValue === null ? undefined : readDefault(type, defaultValue)
  return standard === undefined ? [] : [[name, standard]]
}
