import { command } from '../../framework/command.ts'
import { column } from '../../framework/table.ts'
import { deploymentArgument } from '../shared/arguments.ts'
import { pagingExclusive, pagingOptions, printList } from '../shared/paging.ts'

export const deploymentVersions = command({
  examples: ['hedron deployments versions 1'],
  arguments: { deployment: deploymentArgument },
  options: pagingOptions,
  exclusive: pagingExclusive,
  async run(input, context) {
    const { client } = await context.session()
    const columns = [
      column('VERSION', 'version'),
      column('CHANNEL', 'releaseChannel'),
      column('LATEST', 'isLatestInChannel'),
      column('CURRENT', 'isCurrent'),
      column('PASS AS', 'releaseChannelVersion'),
    ]
    const params = { deploymentId: input.deployment }
    await printList(context, input, columns, query => client.listDeploymentVersions({ params, query }))
  },
})
