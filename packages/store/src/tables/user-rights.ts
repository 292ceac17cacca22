import { sql } from 'kysely'
import type { Executor } from '../executor.ts'
import type { AttributeType, AttributeValue } from '../schema-people.ts'

/**
 * Whose groups and attributes are meant: the whole account's, or those of one embed tenant. They lie in tables of their own, which
 * have the same columns.
 */
export interface RightsScope {
  readonly accountId: number
  /** Null: the whole account. */
  readonly embedTenantId: number | null
}

/** A user and the scope in which rights of his are read or set. */
export interface RightsHolder extends RightsScope {
  readonly userId: number
}

interface AttributeDefinition {
  readonly id: number
  readonly name: string
  readonly type: AttributeType
  readonly defaultValue: string | null
}

/** What access policies know of a user: his groups, and the attributes that are defined where he is. */
export interface RightsRow {
  /** In the order of their names. */
  readonly groups: readonly { readonly id: number; readonly name: string }[]
  /** With their defaults; a null value: the user has none of his own. */
  readonly attributes: readonly (AttributeDefinition & { readonly value: AttributeValue | null })[]
}

/**
 * Groups and attributes of a user in one statement. An attribute is among them if the user has a value for it or it has a default.
 */
export async function readRights(executor: Executor, holder: RightsHolder): Promise<RightsRow> {
  const { accountId, userId } = holder
  const { groups, members, attributes, values } = tablesOf(holder)
  const { rows } = await sql<RightsRow>`
    select
      (select coalesce(jsonb_agg(jsonb_build_object('id', g.id, 'name', g.name) order by g.name), '[]')
        from ${members} m join ${groups} g on g.account_id = m.account_id and g.id = m.group_id
        where m.account_id = ${accountId} and m.user_id = ${userId} ${within(holder, 'g')}) as groups,
      (select coalesce(jsonb_agg(jsonb_build_object('id', a.id, 'name', a.name, 'type', a.type,
          'defaultValue', a.default_value, 'value', v.value) order by a.name), '[]')
        from ${attributes} a
        left join ${values} v on v.account_id = a.account_id and v.attribute_id = a.id and v.user_id = ${userId}
        where a.account_id = ${accountId} ${within(holder, 'a')}
          and (v.value is not null or a.default_value is not null)) as attributes`.execute(executor)
  const [row] = rows
  if (row === undefined) throw new Error('a select without from returned no row')
  return row
}

function tablesOf({ embedTenantId }: RightsScope) {
  const prefix = embedTenantId === null ? 'user' : 'embed_user'
  return {
    groups: sql.table(`${prefix}_groups`),
    members: sql.table(`${prefix}_group_members`),
    attributes: sql.table(`${prefix}_attributes`),
    values: sql.table(`${prefix}_attribute_values`),
  }
}

const within = ({ embedTenantId }: RightsScope, table: string) =>
  embedTenantId === null ? sql`` : sql`and ${sql.ref(`${table}.embed_tenant_id`)} = ${embedTenantId}`
