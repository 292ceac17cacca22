import { route } from '../route.ts'
import * as schema from '../schemas/account-settings.ts'

export const getAppConfig = route({
  operationId: 'getAppConfig',
  method: 'get',
  path: '/api/v1/app-config',
  summary: 'Read app config',
  description:
    'Theme and settings that pages need. An embed session reads what holds for it: its own settings go before those of the account.',
  tags: ['App Theme'],
  access: 'caller',
  embeds: true,
  response: schema.AppConfigResponse,
  errors: [],
})

export const getTenantSettings = route({
  operationId: 'getTenantSettings',
  method: 'get',
  path: '/api/v1/tenant/settings',
  summary: 'Get tenant settings',
  tags: ['Tenant Settings'],
  access: 'admin',
  response: schema.TenantSettings,
  errors: [],
})

export const updateTenantSettings = route({
  operationId: 'updateTenantSettings',
  method: 'put',
  path: '/api/v1/tenant/settings',
  summary: 'Update tenant settings',
  description: 'What is left out stays as it is; null goes back to the default.',
  tags: ['Tenant Settings'],
  access: 'admin',
  body: schema.TenantSettingsInput,
  bodyOptional: true,
  response: schema.TenantSettings,
  errors: ['setting_refused'],
})
