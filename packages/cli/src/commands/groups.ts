import { command } from '../framework/command.ts'
import { nonBlank, optional, required, rowId, some, text } from '../framework/parameter.ts'
import { column } from '../framework/table.ts'
import { action, deletion, exchange, given } from './shared/one-request.ts'
import { pagingExclusive, pagingOptions, printList } from './shared/paging.ts'

const group = required(rowId, 'id of the group')
const users = some(rowId, 'ids of users')

export const listGroups = command({
  examples: ['hedron groups list', 'hedron groups list --search sales'],
  arguments: {},
  options: { search: optional(text('text'), 'part of a name'), ...pagingOptions },
  exclusive: pagingExclusive,
  async run(input, context) {
    const { client } = await context.session()
    const columns = [
      column('ID', 'id'),
      column('NAME', 'name'),
      column('USERS', 'userCount'),
      column('DESCRIPTION', 'description'),
    ]
    await printList(context, input, columns, page =>
      client.listUserGroups({ query: { ...page, ...given({ search: input.search }) } }),
    )
  },
})

export const createGroup = exchange({
  examples: ['hedron groups create --name sales', "hedron groups create --name sales --description 'The sales team'"],
  arguments: {},
  options: {
    name: required(nonBlank('name', 'names no group'), 'name of the group'),
    description: optional(text('text'), 'what it is for'),
  },
  send: ({ client }, { name, description }) => client.createUserGroup({ body: { name, ...given({ description }) } }),
})

export const updateGroup = exchange({
  examples: ['hedron groups update 4 --name revenue'],
  arguments: { group },
  options: { name: optional(text('name'), 'new name'), description: optional(text('text'), 'what it is for') },
  send: ({ client }, { group: id, name, description }) =>
    client.updateUserGroup({ params: { id }, body: given({ name, description }) }),
})

export const deleteGroup = deletion({
  details: 'What was shared with the group alone is then shared with nobody.',
  examples: ['hedron groups delete 4', 'hedron groups delete 4 --yes'],
  arguments: { group },
  what: input => `group ${input.group}`,
  send: (client, input) => client.deleteUserGroup({ params: { id: input.group } }),
})

export const listMembers = command({
  examples: ['hedron groups members list 4'],
  arguments: { group },
  options: pagingOptions,
  exclusive: pagingExclusive,
  async run(input, context) {
    const { client } = await context.session()
    const columns = [column('ID', 'id'), column('EMAIL', 'email'), column('NAME', 'firstName')]
    const params = { id: input.group }
    await printList(context, input, columns, query => client.listUserGroupMembers({ params, query }))
  },
})

const membersOf = (ids: readonly number[]) => ({ members: ids.map(userId => ({ userId })) })

export const addMembers = action({
  examples: ['hedron groups members add 4 7 8'],
  arguments: { group, users },
  options: {},
  send: ({ client }, input) =>
    client.addUserGroupMembers({ params: { id: input.group }, body: membersOf(input.users) }),
  done: input => `Added ${input.users.length} user(s) to group ${input.group}`,
})

export const removeMembers = action({
  examples: ['hedron groups members remove 4 7'],
  arguments: { group, users },
  options: {},
  send: ({ client }, input) =>
    client.removeUserGroupMembers({ params: { id: input.group }, body: membersOf(input.users) }),
  done: input => `Removed ${input.users.length} user(s) from group ${input.group}`,
})
