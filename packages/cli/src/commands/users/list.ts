import { command } from '../../framework/command.ts'
import { optional, text } from '../../framework/parameter.ts'
import { column } from '../../framework/table.ts'
import { pagingExclusive, pagingOptions, printList } from '../shared/paging.ts'

export const listUsers = command({
  examples: ['hedron users list', 'hedron users list --search ada'],
  arguments: {},
  options: { search: optional(text('text'), 'part of a name, user name or e-mail address'), ...pagingOptions },
  exclusive: pagingExclusive,
  async run(input, context) {
    const { client } = await context.session()
    const columns = [column('ID', 'id'), column('EMAIL', 'email'), column('NAME', 'firstName')]
    await printList(context, input, columns, page => client.getUsers({ query: { ...page, search: input.search } }))
  },
})
