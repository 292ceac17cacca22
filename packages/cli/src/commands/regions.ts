import { command } from '../framework/command.ts'
import { column } from '../framework/table.ts'
import { pagingExclusive, pagingOptions, printList } from './shared/paging.ts'

export const regions = command({
  examples: ['hedron regions'],
  arguments: {},
  options: pagingOptions,
  exclusive: pagingExclusive,
  async run(input, context) {
    const { client } = await context.session()
    const columns = [
      column('ID', 'id'),
      column('NAME', 'name'),
      column('TITLE', 'title'),
      column('PROVIDER', 'provider'),
    ]
    await printList(context, input, columns, query => client.listRegions({ query }))
  },
})
