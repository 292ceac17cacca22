import { column } from '../../framework/table.ts'
import { listing } from '../shared/listing.ts'

export const listApiKeys = listing({
  examples: ['hedron api-keys list'],
  arguments: {},
  columns: [
    column('ID', 'id'),
    column('NAME', 'name'),
    column('PREFIX', 'prefix'),
    column('CREATED', 'createdAt'),
    column('EXPIRES', 'expiresAt'),
    column('LAST USED', 'lastUsedAt'),
  ],
  read: (client, query) => client.listApiKeys({ query }),
})
