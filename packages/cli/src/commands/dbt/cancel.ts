import { deploymentArgument } from '../shared/arguments.ts'
import { action } from '../shared/one-request.ts'
import { syncJobArgument } from './job-argument.ts'

export const cancelDbt = action({
  examples: ['hedron dbt cancel 1 5800f0941c2b4a7e'],
  arguments: { deployment: deploymentArgument, syncJob: syncJobArgument },
  options: {},
  next: ({ deployment }) => `hedron dbt history ${deployment}`,
  send: ({ client }, { deployment, syncJob }) =>
    client.cancelDbtSync({ params: { deploymentId: deployment, syncJobId: syncJob } }),
  done: ({ syncJob }) => `Cancelled dbt sync ${syncJob}`,
})
