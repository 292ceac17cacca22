import { readData, requiredData } from './shared/data-option.ts'
import { exchange } from './shared/one-request.ts'

export const tenantSettings = exchange({
  examples: ['hedron tenant settings'],
  arguments: {},
  options: {},
  send: ({ client }) => client.getTenantSettings({}),
})

export const updateTenant = exchange({
  details: 'Changes the fields that are given and leaves the rest.',
  examples: [`hedron tenant update -d '{"name":"Acme"}'`, 'hedron tenant update -d @settings.json'],
  arguments: {},
  options: { data: requiredData },
  send: async ({ request }, { data }, effects) =>
    request('PUT', '/api/v1/tenant/settings', { body: await readData(data, effects) }),
  next: () => 'hedron tenant settings',
})

export const appConfig = exchange({
  examples: ['hedron app config'],
  arguments: {},
  options: {},
  send: ({ client }) => client.getAppConfig({}),
})
