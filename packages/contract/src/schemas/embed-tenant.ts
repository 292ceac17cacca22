import * as z from 'zod'
import { Id, Timestamp } from './common.ts'
import { listOf } from './page.ts'

/** SPEC, "Embed tenant". */
const tenantNamePattern = /^[a-z][a-z0-9-]{3,34}[a-z0-9]$/
const tenantNameHint =
  'must be 5 to 36 characters of a-z, 0-9 and -, begin with a letter and end with a letter or a digit'

/** An embed tenant's name as it is stored. */
export const CanonicalEmbedTenantName = z.string().regex(tenantNamePattern, tenantNameHint)
/** The name as callers may write it: letter case and blanks around it do not matter. */
export const EmbedTenantName = z.string().trim().toLowerCase().regex(tenantNamePattern, tenantNameHint)

export const GroupName = z.string().trim().min(1).max(100)
export const GroupDescription = z.string().max(500)
/** Values are looked up by it, so it is none that every object has. */
export const AttributeName = z
  .string()
  .trim()
  .min(1)
  .max(100)
  .refine(name => !(name in {}), 'is a name that cannot be used; choose another')

export const AttributeType = z
  .enum(['string', 'number', 'boolean', 'string_array', 'number_array'])
  .meta({ id: 'UserAttributeType' })
export type AttributeType = z.infer<typeof AttributeType>

export const EmbedTenant = z
  .object({
    id: Id,
    name: z.string(),
    displayName: z.string().nullable(),
    createdAt: Timestamp,
    userCount: z.int().min(0),
  })
  .meta({ id: 'EmbedTenant' })
export type EmbedTenant = z.infer<typeof EmbedTenant>

export const EmbedTenantsPublicResponse = listOf(EmbedTenant).meta({ id: 'EmbedTenantsPublicResponse' })

export const UserGroup = z
  .object({
    id: Id,
    name: z.string(),
    description: z.string().nullable(),
    userCount: z.int().min(0).meta({ description: 'How many members it has.' }),
  })
  .meta({ id: 'UserGroupDTO' })
export type UserGroup = z.infer<typeof UserGroup>

export const UserGroupsConnectionResponse = listOf(UserGroup).meta({ id: 'UserGroupsConnectionResponse' })

export const CreateEmbedGroupInput = z
  .strictObject({ name: GroupName, description: GroupDescription.nullish() })
  .meta({ id: 'CreateEmbedGroupInput' })

export const UpdateEmbedGroupInput = z
  .strictObject({
    description: GroupDescription.nullish().meta({ description: 'An empty one clears it; without one it is kept.' }),
  })
  .meta({ id: 'UpdateEmbedGroupInput' })

/** A definition as it is shown, of the account or of an embed tenant. */
export const attributeDefinition = {
  id: Id,
  name: z.string(),
  type: AttributeType,
  displayName: z.string().nullable(),
  description: z.string().nullable(),
  defaultValue: z.string().nullable(),
}

export const EmbedUserAttribute = z.object(attributeDefinition).meta({ id: 'EmbedUserAttribute' })
export type EmbedUserAttribute = z.infer<typeof EmbedUserAttribute>

export const EmbedUserAttributesResponse = listOf(EmbedUserAttribute).meta({ id: 'EmbedUserAttributesResponse' })
