import { command } from '../../framework/command.ts'
import { column } from '../../framework/table.ts'
import { pagingExclusive, pagingOptions, printList } from '../shared/paging.ts'

export const listApiKeys = command({
  examples: ['hedron api-keys list'],
  arguments: {},
  options: pagingOptions,
  exclusive: pagingExclusive,
  async run(input, context) {
    const { client } = await context.session()
    const columns = [
      column('ID', 'id'),
      column('NAME', 'name'),
      column('PREFIX', 'prefix'),
      column('CREATED', 'createdAt'),
      column('EXPIRES', 'expiresAt'),
      column('LAST USED', 'lastUsedAt'),
    ]
    await printList(context, input, columns, query => client.listApiKeys({ query }))
  },
})
