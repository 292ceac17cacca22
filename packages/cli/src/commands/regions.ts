import { column } from '../framework/table.ts'
import { listing } from './shared/listing.ts'

export const regions = listing({
  examples: ['hedron regions'],
  arguments: {},
  columns: [column('ID', 'id'), column('NAME', 'name'), column('TITLE', 'title'), column('PROVIDER', 'provider')],
  read: (client, query) => client.listRegions({ query }),
})
