import { required, rowId } from '../../framework/parameter.ts'
import { readData, requiredData } from '../shared/data-option.ts'
import { deletion, exchange, wordAt } from '../shared/one-request.ts'

const user = required(rowId, 'id of the user')

export const createUser = exchange({
  examples: [`hedron users create -d '{"email":"grace@example.com","username":"grace"}'`],
  arguments: {},
  options: { data: requiredData },
  send: async ({ request }, { data }, effects) =>
    request('POST', '/api/v1/users', { body: await readData(data, effects) }),
  next: (_, answer) => {
    const id = wordAt(answer, 'id')
    return id === null ? null : `hedron users sign-in-link ${id}`
  },
})

export const updateUser = exchange({
  details: 'Changes the fields that are given and leaves the rest.',
  examples: [`hedron users update 3 -d '{"firstName":"Grace"}'`],
  arguments: { user },
  options: { data: requiredData },
  send: async ({ request }, { user: id, data }, effects) =>
    request('PUT', `/api/v1/users/${id}`, { body: await readData(data, effects) }),
  next: () => 'hedron users list',
})

export const deleteUser = deletion({
  details: 'The next request of this user is refused.',
  examples: ['hedron users delete 3', 'hedron users delete 3 --yes'],
  arguments: { user },
  what: input => `user ${input.user}`,
  send: (client, input) => client.deleteUser({ params: { id: input.user } }),
  next: () => 'hedron users list',
})
