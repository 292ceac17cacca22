import { command } from '../../framework/command.ts'
import { column } from '../../framework/table.ts'
import { deploymentArgument } from '../shared/arguments.ts'
import { pagingExclusive, pagingOptions, printList } from '../shared/paging.ts'

export const listBranches = command({
  examples: ['hedron data-model branches 1'],
  arguments: { deployment: deploymentArgument },
  options: pagingOptions,
  exclusive: pagingExclusive,
  async run(input, context) {
    const { client } = await context.session()
    const params = { deploymentId: input.deployment }
    const columns = [
      column('NAME', 'name'),
      column('PARENT', 'parentBranch'),
      column('ENABLED', 'isStagingEnvironmentEnabled'),
    ]
    await printList(context, input, columns, query => client.listBranches({ params, query }))
  },
})
