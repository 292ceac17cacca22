import { command } from '../framework/command.ts'
import { Failure } from '../framework/failure.ts'
import { fieldOf, parseJson, rowsOf } from '../framework/json.ts'
import { choice, flag, nonBlank, optional, required, rowId, text } from '../framework/parameter.ts'
import { column } from '../framework/table.ts'
import type { Session } from '../session/session.ts'
import { deletion, exchange, given } from './shared/one-request.ts'
import { offsetOptions, pagingExclusive, pagingOptions, printList, refuseMixedPaging } from './shared/paging.ts'

const attribute = required(rowId, 'id of the attribute')
const attributeType = choice('type', ['string', 'number', 'boolean', 'string_array', 'number_array'])
const shown = {
  displayName: optional(text('name'), 'name that people see'),
  description: optional(text('text'), 'what it is for'),
  defaultValue: optional(text('value'), 'value of users who have none of their own, as text'),
}

export const listAttributes = command({
  examples: ['hedron attributes list', 'hedron attributes list --type string'],
  arguments: {},
  options: {
    name: optional(text('name'), 'exactly this name'),
    type: optional(attributeType, 'only those of this type'),
    ...pagingOptions,
    ...offsetOptions,
  },
  exclusive: pagingExclusive,
  async run(input, context) {
    refuseMixedPaging(input)
    const { client } = await context.session()
    const query = given({ name: input.name, type: input.type, offset: input.offset, limit: input.limit })
    const columns = [
      column('ID', 'id'),
      column('NAME', 'name'),
      column('TYPE', 'type'),
      column('DISPLAY NAME', 'displayName'),
      column('DEFAULT', 'defaultValue'),
    ]
    await printList(context, input, columns, page => client.getUserAttributes({ query: { ...query, ...page } }))
  },
})

export const createAttribute = exchange({
  examples: [
    'hedron attributes create --name region --type string',
    'hedron attributes create --name limits --type number_array --default-value [1,2]',
  ],
  arguments: {},
  options: {
    name: required(nonBlank('name', 'names no attribute'), 'name, as models use it'),
    type: required(attributeType, 'string, number, boolean, string_array or number_array'),
    ...shown,
  },
  send: ({ client }, { name, type, displayName, description, defaultValue }) =>
    client.createUserAttribute({ body: { name, type, ...given({ displayName, description, defaultValue }) } }),
  next: () => 'hedron attributes list',
})

export const updateAttribute = exchange({
  examples: ["hedron attributes update 2 --display-name 'Sales region'"],
  arguments: { attribute },
  options: shown,
  send: ({ client }, { attribute: id, displayName, description, defaultValue }) =>
    client.updateUserAttribute({ params: { id }, body: given({ displayName, description, defaultValue }) }),
  next: () => 'hedron attributes list',
})

export const deleteAttribute = deletion({
  details: 'With the values that users have of it. Models that use it give no rows where they ask for it.',
  examples: ['hedron attributes delete 2', 'hedron attributes delete 2 --yes'],
  arguments: { attribute },
  what: input => `user attribute ${input.attribute}`,
  send: (client, input) => client.deleteUserAttribute({ params: { id: input.attribute } }),
  next: () => 'hedron attributes list',
})

export const attributeValues = exchange({
  examples: ['hedron attributes values get 7'],
  arguments: { user: required(rowId, 'id of the user') },
  options: {},
  send: ({ client }, { user }) => client.getUserAttributeValues({ params: { userId: user } }),
})

export const setAttributeValue = exchange({
  details:
    'The value is read by the type of the attribute: text as it is, everything else as JSON. Answers, saved reports and embedded dashboards of the user change with it.',
  examples: [
    'hedron attributes values set --user 7 --attribute region --value EMEA',
    'hedron attributes values set --user 7 --attribute 3 --value [1,2]',
    'hedron attributes values set --user 7 --attribute region --clear',
  ],
  arguments: {},
  options: {
    user: required(rowId, 'id of the user'),
    attribute: required(nonBlank('id', 'names no attribute'), 'id or name of the attribute'),
    value: optional(text('value'), 'the value'),
    clear: flag('take the value away: the default holds again'),
  },
  send: async (session, { user, attribute: named, value, clear }) => {
    if (clear === (value !== undefined)) throw new Failure('value_missing')
    const { id, type } = await findAttribute(session, named)
    return session.client.upsertUserAttributeValue({
      body: { userId: String(user), userAttributeId: id, value: clear ? null : typedValue(value ?? '', type) },
    })
  },
  next: ({ user }) => `hedron attributes values get ${user}`,
})

/** The attribute with that id, else with that name. */
async function findAttribute({ client }: Session, named: string): Promise<{ id: string; type: string }> {
  const byName = rowsOf(await client.getUserAttributes({ query: { name: named } }))
  const found = byName[0] ?? (/^\d+$/.test(named) ? await attributeWithId(client, Number(named)) : undefined)
  if (found === undefined) throw new Failure('attribute_not_found', { name: named })
  return { id: String(fieldOf(found, 'id')), type: String(fieldOf(found, 'type')) }
}

async function attributeWithId(client: Session['client'], id: number): Promise<unknown> {
  for (let after: string | undefined; ; ) {
    const { items, pageInfo } = await client.getUserAttributes({ query: { first: 1_000, ...given({ after }) } })
    const found = items.find(item => item.id === id)
    if (found !== undefined || !pageInfo.hasNextPage || pageInfo.endCursor === null) return found
    after = pageInfo.endCursor
  }
}

type Scalar = string | number | boolean

function typedValue(value: string, type: string): Scalar | Scalar[] {
  if (type === 'string') return value
  const parsed = parseJson(value)
  const isScalar = (item: unknown): item is Scalar => ['string', 'number', 'boolean'].includes(typeof item)
  if (isScalar(parsed)) return parsed
  if (Array.isArray(parsed) && parsed.every(isScalar)) return parsed
  throw new Failure('data_invalid', { option: '--value', reason: `is not a JSON value of the type ${type}` })
}
