import { column } from '../../framework/table.ts'
import { deploymentArgument } from '../shared/arguments.ts'
import { listing } from '../shared/listing.ts'

export const listBranches = listing({
  examples: ['hedron data-model branches 1'],
  arguments: { deployment: deploymentArgument },
  columns: [column('NAME', 'name'), column('PARENT', 'parentBranch'), column('ENABLED', 'isStagingEnvironmentEnabled')],
  read: (client, query, { deployment }) => client.listBranches({ params: { deploymentId: deployment }, query }),
})
