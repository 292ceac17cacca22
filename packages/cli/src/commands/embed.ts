import { command } from '../framework/command.ts'
import { Failure } from '../framework/failure.ts'
import { nonBlank, required, rowId } from '../framework/parameter.ts'
import { column } from '../framework/table.ts'
import { readData, requiredData } from './shared/data-option.ts'
import { listing, searchableListing } from './shared/listing.ts'
import { action, deletion, exchange } from './shared/one-request.ts'

const publicId = required(nonBlank('id', 'names no dashboard'), 'public id of the dashboard')
const tenant = required(nonBlank('name', 'names no embed tenant'), 'name of the embed tenant')
const sessionId = required(nonBlank('id', 'names no session'), 'what generate-session printed')

/** @throws {Failure} `unexpected_answer`: a script that goes on with nothing would fail later and elsewhere */
function named(value: unknown, field: string): string {
  if (typeof value === 'string' && value !== '') return value
  throw new Failure('unexpected_answer', { message: `the answer holds no ${field}` })
}

export const generateSession = command({
  details: 'Prints the id of a session, which can be used once, by the browser it is for.',
  examples: [`hedron embed generate-session -d '{"deploymentId":1,"externalId":"ada"}'`],
  arguments: {},
  options: { data: requiredData },
  async run({ data }, { effects, output, session }) {
    const { request } = await session()
    const body = await readData(data, effects)
    const answer = await request('POST', '/api/v1/embed/generate-session', { body })
    const id = named(Object(answer).sessionId, 'sessionId')
    output.result(answer, () => output.line(id))
    if (/^\w+$/.test(id)) output.next(`hedron embed token --session-id ${id}`)
  },
})

export const sessionToken = command({
  details: 'Uses the session: a browser can no longer.',
  examples: ['hedron embed token --session-id 0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef'],
  arguments: {},
  options: { sessionId },
  async run(input, { output, session }) {
    const { client } = await session()
    const answer = await client.postTokenBySessionId({ body: { sessionId: input.sessionId } })
    const token = named(answer.token, 'token')
    output.result(answer, () => output.line(token))
  },
})

export const revokeSession = action({
  details: 'Tokens of the session are refused from now on.',
  examples: ['hedron embed revoke --session-id 0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef'],
  arguments: {},
  options: { sessionId },
  send: ({ client }, input) => client.revokeSession({ body: { sessionId: input.sessionId } }),
  done: () => 'Revoked the session',
})

export const embedDashboard = exchange({
  examples: ['hedron embed dashboard 4JYnYBpN'],
  arguments: { publicId },
  options: {},
  send: ({ client }, input) => client.getDashboard({ params: { publicId: input.publicId } }),
})

export const enableDashboard = action({
  examples: ['hedron embed enable-dashboard 4JYnYBpN'],
  arguments: { publicId },
  options: {},
  send: ({ client }, input) =>
    client.updateDashboardEmbedding({ params: { publicId: input.publicId }, body: { allowEmbed: true } }),
  done: input => `Enabled signed embedding for dashboard \`${input.publicId}\``,
  next: (input, _, quote) => `hedron embed dashboard ${quote(input.publicId)}`,
})

export const disableDashboard = action({
  examples: ['hedron embed disable-dashboard 4JYnYBpN'],
  arguments: { publicId },
  options: {},
  send: ({ client }, input) =>
    client.updateDashboardEmbedding({ params: { publicId: input.publicId }, body: { allowEmbed: false } }),
  done: input => `Disabled signed embedding for dashboard \`${input.publicId}\``,
  next: (input, _, quote) => `hedron embed dashboard ${quote(input.publicId)}`,
})

export const listTenants = searchableListing({
  examples: ['hedron embed tenant list'],
  arguments: {},
  search: 'part of a name',
  columns: [column('NAME', 'name'), column('USERS', 'userCount'), column('CREATED', 'createdAt')],
  read: (client, query) => client.listEmbedTenants({ query }),
})

export const deleteTenant = deletion({
  details: 'With its users, groups, attributes and sessions.',
  examples: ['hedron embed tenant delete acme', 'hedron embed tenant delete acme --yes'],
  arguments: { name: tenant },
  what: input => `embed tenant \`${input.name}\``,
  send: (client, input) => client.deleteEmbedTenant({ params: { embedTenantName: input.name } }),
  next: () => 'hedron embed tenant list',
})

export const tenantGroups = listing({
  examples: ['hedron embed tenant groups acme'],
  arguments: { name: tenant },
  columns: [column('ID', 'id'), column('NAME', 'name'), column('USERS', 'userCount')],
  read: (client, query, { name }) => client.getGroups({ params: { embedTenantName: name }, query }),
})

export const tenantUsers = searchableListing({
  examples: ['hedron embed tenant users acme'],
  arguments: { name: tenant },
  search: 'part of an e-mail address or external id',
  columns: [column('ID', 'id'), column('EXTERNAL ID', 'externalId'), column('EMAIL', 'email')],
  read: (client, query, { name }) => client.listEmbedUsers({ params: { embedTenantName: name }, query }),
})

export const deleteTenantGroup = deletion({
  examples: ['hedron embed tenant delete-group acme 4', 'hedron embed tenant delete-group acme 4 --yes'],
  arguments: { name: tenant, group: required(rowId, 'id of the group') },
  what: input => `group ${input.group} of embed tenant \`${input.name}\``,
  send: (client, input) => client.deleteGroup({ params: { embedTenantName: input.name, id: input.group } }),
  next: (input, quote) => `hedron embed tenant groups ${quote(input.name)}`,
})
