import { command } from '../../framework/command.ts'
import { choice, optional } from '../../framework/parameter.ts'
import { column } from '../../framework/table.ts'
import { deploymentArgument } from '../shared/arguments.ts'
import { offsetOptions, pagingExclusive, pagingOptions, printList, refuseMixedPaging } from '../shared/paging.ts'

const types = ['production', 'staging', 'development'] as const

export const listEnvironments = command({
  examples: ['hedron environments list 1', 'hedron environments list 1 --type staging --json'],
  arguments: { deployment: deploymentArgument },
  options: {
    type: optional(choice('type', types), `only ${types.join(', ')}`),
    ...pagingOptions,
    ...offsetOptions,
  },
  exclusive: pagingExclusive,
  async run(input, context) {
    refuseMixedPaging(input)
    const { deployment, type, offset, limit } = input
    const { client } = await context.session()
    const columns = [column('ID', 'id'), column('TYPE', 'type'), column('BRANCH', 'branch'), column('USER', 'user')]
    await printList(context, input, columns, page =>
      client.getDeploymentEnvironments({
        params: { deploymentId: deployment },
        query: { ...page, type, offset, limit },
      }),
    )
  },
})
