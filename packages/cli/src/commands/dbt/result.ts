import { printResult } from '../../dbt/print-result.ts'
import { isResult, orAbsent } from '../../dbt/wait-for-sync.ts'
import { command } from '../../framework/command.ts'
import { Failure } from '../../framework/failure.ts'
import { shellQuote } from '../../framework/text.ts'
import { deploymentArgument } from '../shared/arguments.ts'
import { syncJobArgument } from './job-argument.ts'

export const dbtResult = command({
  examples: ['hedron dbt result 1 5800f0941c2b4a7e'],
  arguments: { deployment: deploymentArgument, syncJob: syncJobArgument },
  options: {},
  async run({ deployment, syncJob }, { effects, output, session }) {
    const { client } = await session()
    const result = await orAbsent(client.getDbtSyncResult({ params: { deploymentId: deployment, syncJobId: syncJob } }))
    if (!isResult(result)) {
      const job = `${deployment} ${shellQuote(syncJob, effects.platform)}`
      throw new Failure('dbt_sync_missing', {
        message: `no result for dbt sync ${syncJob} yet — check 'hedron dbt status ${job}'`,
      })
    }
    output.result(result, () => printResult(output, result))
  },
})
