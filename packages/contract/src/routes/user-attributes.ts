import * as z from 'zod'
import { route } from '../route.ts'
import { Id, NoContent } from '../schemas/common.ts'
import { AttributeType } from '../schemas/embed-tenant.ts'
import { OffsetQuery, PageQuery } from '../schemas/page.ts'
import * as schema from '../schemas/user-attribute.ts'

const AttributeParams = z.strictObject({ id: Id })
const base = '/api/v1/user-attributes'
const common = { tags: ['User Attributes'], access: 'admin' } as const

export const getUserAttributes = route({
  ...common,
  operationId: 'getUserAttributes',
  method: 'get',
  path: base,
  summary: 'List user attributes',
  description: 'Definitions of the account, newest first.',
  access: 'caller',
  query: PageQuery.extend({
    ...OffsetQuery.shape,
    name: z.string().max(255).optional().meta({ description: 'Exactly this name.' }),
    type: AttributeType.optional(),
  }),
  response: schema.UserAttributesListResponse,
  errors: ['cursor_invalid'],
})

export const createUserAttribute = route({
  ...common,
  operationId: 'createUserAttribute',
  method: 'post',
  path: base,
  summary: 'Create user attribute',
  body: schema.UserAttributeCreateInput,
  response: schema.UserAttribute,
  errors: ['name_taken', 'attribute_default_invalid'],
})

export const updateUserAttribute = route({
  ...common,
  operationId: 'updateUserAttribute',
  method: 'put',
  path: `${base}/{id}`,
  summary: 'Update user attribute',
  description: 'Name and type of an attribute never change.',
  params: AttributeParams,
  body: schema.UserAttributeUpdateInput,
  bodyOptional: true,
  response: schema.UserAttribute,
  errors: ['user_attribute_not_found', 'attribute_default_invalid'],
})

export const deleteUserAttribute = route({
  ...common,
  operationId: 'deleteUserAttribute',
  method: 'delete',
  path: `${base}/{id}`,
  summary: 'Delete user attribute',
  description: 'With the values that users have for it.',
  params: AttributeParams,
  status: 204,
  response: NoContent,
  errors: ['user_attribute_not_found'],
})

export const upsertUserAttributeValue = route({
  operationId: 'upsertUserAttributeValue',
  method: 'post',
  path: '/api/v1/user-attribute-values',
  summary: 'Upsert user attribute value',
  description: 'For users of the account and external users alike.',
  tags: ['User Attribute Values'],
  access: 'admin',
  body: schema.UserAttributeValueCreateInput,
  response: schema.UserAttributeValue,
  errors: ['user_not_found', 'user_attribute_not_found', 'attribute_value_invalid'],
})

export const getUserAttributeValues = route({
  operationId: 'getUserAttributeValues',
  method: 'get',
  path: '/api/v1/user-attribute-values/{userId}',
  summary: "Get a user's attribute values",
  description:
    'One entry for each attribute of the account, in the order of names. Those of others need an administrator.',
  tags: ['User Attribute Values'],
  access: 'caller',
  params: z.strictObject({ userId: Id }),
  response: z.array(schema.UserAttributeValue),
  errors: ['user_not_found', 'admin_required'],
})
