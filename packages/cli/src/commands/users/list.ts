import { column } from '../../framework/table.ts'
import { searchableListing } from '../shared/listing.ts'

export const listUsers = searchableListing({
  examples: ['hedron users list', 'hedron users list --search ada'],
  arguments: {},
  search: 'part of a name, user name or e-mail address',
  columns: [column('ID', 'id'), column('EMAIL', 'email'), column('NAME', 'firstName')],
  read: (client, query) => client.getUsers({ query }),
})
