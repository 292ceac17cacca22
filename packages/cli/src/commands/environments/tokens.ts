import { command } from '../../framework/command.ts'
import { column } from '../../framework/table.ts'
import { deploymentArgument } from '../shared/arguments.ts'
import { offsetOptions, pagingExclusive, pagingOptions, printList, refuseMixedPaging } from '../shared/paging.ts'
import { environmentArgument } from './environment-argument.ts'

export const listEnvironmentTokens = command({
  examples: ['hedron environments tokens 1 3'],
  arguments: { deployment: deploymentArgument, environment: environmentArgument },
  options: { ...pagingOptions, ...offsetOptions },
  exclusive: pagingExclusive,
  async run(input, context) {
    refuseMixedPaging(input)
    const { deployment, environment, offset, limit } = input
    const { client } = await context.session()
    const columns = [column('TOKEN', 'token'), column('CREATED', 'created_at'), column('EXPIRES', 'expires_at')]
    await printList(context, input, columns, page =>
      client.getDeploymentEnvironmentTokens({
        params: { deploymentId: deployment, environmentId: environment },
        query: { ...page, offset, limit },
      }),
    )
  },
})
