import { column } from '../../framework/table.ts'
import { deploymentArgument } from '../shared/arguments.ts'
import { listing } from '../shared/listing.ts'

export const deploymentVersions = listing({
  examples: ['hedron deployments versions 1'],
  arguments: { deployment: deploymentArgument },
  columns: [
    column('VERSION', 'version'),
    column('CHANNEL', 'releaseChannel'),
    column('LATEST', 'isLatestInChannel'),
    column('CURRENT', 'isCurrent'),
    column('PASS AS', 'releaseChannelVersion'),
  ],
  read: (client, query, { deployment }) =>
    client.listDeploymentVersions({ params: { deploymentId: deployment }, query }),
})
