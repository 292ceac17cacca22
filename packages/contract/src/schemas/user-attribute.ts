import * as z from 'zod'
import { Id } from './common.ts'
import { AttributeName, AttributeType, attributeDefinition } from './embed-tenant.ts'
import { listOf, OffsetPagination } from './page.ts'

const DisplayName = z.string().trim().max(255)
const Description = z.string().max(1000)
const Default = z
  .string()
  .max(10_000)
  .meta({ description: 'As text: a string as it is, everything else as JSON, such as 5, true or ["a"].' })

export const UserAttribute = z.object(attributeDefinition).meta({ id: 'UserAttribute' })
export type UserAttribute = z.infer<typeof UserAttribute>

export const UserAttributesListResponse = listOf(UserAttribute)
  .extend({
    count: z.int().min(0).meta({ deprecated: true, description: 'All that match, whatever the page.' }),
    pagination: OffsetPagination.meta({ deprecated: true }),
  })
  .meta({ id: 'UserAttributesListResponse' })

export const UserAttributeCreateInput = z
  .strictObject({
    name: AttributeName,
    type: AttributeType,
    displayName: DisplayName.nullish(),
    description: Description.nullish(),
    defaultValue: Default.nullish(),
  })
  .meta({ id: 'UserAttributeCreateInput' })

export const UserAttributeUpdateInput = z
  .strictObject({
    displayName: DisplayName.nullish(),
    description: Description.nullish(),
    defaultValue: Default.nullish(),
  })
  .meta({ id: 'UserAttributeUpdateInput', description: 'What is left out stays; null clears it.' })

const Scalar = z.union([z.string().max(10_000), z.number(), z.boolean()])
const AnyValue = z.union([Scalar, z.array(Scalar).max(10_000), z.null()])

export const UserAttributeValue = z
  .object({
    userId: Id,
    userAttributeId: Id,
    name: z.string(),
    type: AttributeType,
    displayName: z.string().nullable(),
    description: z.string().nullable(),
    value: AnyValue.meta({ description: 'null: the user has none of his own, and the default applies.' }),
    formattedValue: z.string().nullable().meta({ description: 'The value as one text.' }),
  })
  .meta({ id: 'UserAttributeValue' })
export type UserAttributeValue = z.infer<typeof UserAttributeValue>

/** An id as text: that is how clients of the field send it. */
const IdText = z
  .string()
  .trim()
  .regex(/^[1-9]\d{0,15}$/, 'must be an id, as text')
  .meta({ examples: ['1'] })

export const UserAttributeValueCreateInput = z
  .strictObject({
    userId: IdText,
    userAttributeId: IdText,
    value: AnyValue.optional().meta({
      description: 'Of the type of the attribute. null takes it away; left out, it stays as it is.',
    }),
  })
  .meta({ id: 'UserAttributeValueCreateInput' })
