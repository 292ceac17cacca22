import { nonBlank, optional, required, rowId, some, text } from '../framework/parameter.ts'
import { column } from '../framework/table.ts'
import { listing, searchableListing } from './shared/listing.ts'
import { action, deletion, exchange, given, wordAt } from './shared/one-request.ts'

const group = required(rowId, 'id of the group')
const users = some(rowId, 'ids of users')

export const listGroups = searchableListing({
  examples: ['hedron groups list', 'hedron groups list --search sales'],
  arguments: {},
  search: 'part of a name',
  columns: [
    column('ID', 'id'),
    column('NAME', 'name'),
    column('USERS', 'userCount'),
    column('DESCRIPTION', 'description'),
  ],
  read: (client, query) => client.listUserGroups({ query }),
})

export const createGroup = exchange({
  examples: ['hedron groups create --name sales', "hedron groups create --name sales --description 'The sales team'"],
  arguments: {},
  options: {
    name: required(nonBlank('name', 'names no group'), 'name of the group'),
    description: optional(text('text'), 'what it is for'),
  },
  send: ({ client }, { name, description }) => client.createUserGroup({ body: { name, ...given({ description }) } }),
  next: (_, answer) => {
    const id = wordAt(answer, 'id')
    return id === null ? null : `hedron groups members list ${id}`
  },
})

export const updateGroup = exchange({
  examples: ['hedron groups update 4 --name revenue'],
  arguments: { group },
  options: { name: optional(text('name'), 'new name'), description: optional(text('text'), 'what it is for') },
  send: ({ client }, { group: id, name, description }) =>
    client.updateUserGroup({ params: { id }, body: given({ name, description }) }),
  next: () => 'hedron groups list',
})

export const deleteGroup = deletion({
  details: 'What was shared with the group alone is then shared with nobody.',
  examples: ['hedron groups delete 4', 'hedron groups delete 4 --yes'],
  arguments: { group },
  what: input => `group ${input.group}`,
  send: (client, input) => client.deleteUserGroup({ params: { id: input.group } }),
  next: () => 'hedron groups list',
})

export const listMembers = listing({
  examples: ['hedron groups members list 4'],
  arguments: { group },
  columns: [column('ID', 'id'), column('EMAIL', 'email'), column('NAME', 'firstName')],
  read: (client, query, input) => client.listUserGroupMembers({ params: { id: input.group }, query }),
})

const membersOf = (ids: readonly number[]) => ({ members: ids.map(userId => ({ userId })) })

export const addMembers = action({
  examples: ['hedron groups members add 4 7 8'],
  arguments: { group, users },
  options: {},
  send: ({ client }, input) =>
    client.addUserGroupMembers({ params: { id: input.group }, body: membersOf(input.users) }),
  done: input => `Added ${input.users.length} user(s) to group ${input.group}`,
  next: input => `hedron groups members list ${input.group}`,
})

export const removeMembers = action({
  examples: ['hedron groups members remove 4 7'],
  arguments: { group, users },
  options: {},
  send: ({ client }, input) =>
    client.removeUserGroupMembers({ params: { id: input.group }, body: membersOf(input.users) }),
  done: input => `Removed ${input.users.length} user(s) from group ${input.group}`,
  next: input => `hedron groups members list ${input.group}`,
})
