import { command } from '../../framework/command.ts'
import { choice, repeated } from '../../framework/parameter.ts'
import { column } from '../../framework/table.ts'
import { offsetOptions, pagingExclusive, pagingOptions, printList, refuseMixedPaging } from '../shared/paging.ts'
import { creationSteps } from './creation-step.ts'

export const listDeployments = command({
  examples: ['hedron deployments list', 'hedron deployments list --creation-step ready --json'],
  arguments: {},
  options: {
    creationStep: repeated(choice('step', creationSteps), 'only deployments at this step'),
    ...pagingOptions,
    ...offsetOptions,
  },
  exclusive: pagingExclusive,
  async run(input, context) {
    refuseMixedPaging(input)
    const { creationStep, offset, limit } = input
    const { client } = await context.session()
    const columns = [
      column('ID', 'id'),
      column('NAME', 'name'),
      column('URL', 'deploymentUrl'),
      column('STEP', 'creationStep'),
    ]
    await printList(context, input, columns, page =>
      client.getDeployments({ query: { ...page, creationStep: [...creationStep], offset, limit } }),
    )
  },
})
