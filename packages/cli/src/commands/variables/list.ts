import { command } from '../../framework/command.ts'
import { column } from '../../framework/table.ts'
import { deploymentArgument } from '../shared/arguments.ts'
import { pagingExclusive, pagingOptions, printList } from '../shared/paging.ts'

export const listVariables = command({
  details: 'Values of names that sound secret are masked by the server.',
  examples: ['hedron variables list 1'],
  arguments: { deployment: deploymentArgument },
  options: pagingOptions,
  exclusive: pagingExclusive,
  async run(input, context) {
    const { client } = await context.session()
    const params = { deploymentId: input.deployment }
    const columns = [column('NAME', 'name'), column('VALUE', 'value')]
    await printList(context, input, columns, query => client.getEnvVariables({ params, query }))
  },
})
