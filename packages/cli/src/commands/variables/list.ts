import { column } from '../../framework/table.ts'
import { deploymentArgument } from '../shared/arguments.ts'
import { listing } from '../shared/listing.ts'

export const listVariables = listing({
  details: 'Values of names that sound secret are masked by the server.',
  examples: ['hedron variables list 1'],
  arguments: { deployment: deploymentArgument },
  columns: [column('NAME', 'name'), column('VALUE', 'value')],
  read: (client, query, { deployment }) => client.getEnvVariables({ params: { deploymentId: deployment }, query }),
})
