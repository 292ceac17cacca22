import { statusLabel } from '../../dbt/texts.ts'
import { defaultTimes, orAbsent, syncFailure, waitForSync, waitOptions } from '../../dbt/wait-for-sync.ts'
import { command } from '../../framework/command.ts'
import { Failure, usage } from '../../framework/failure.ts'
import { flag } from '../../framework/parameter.ts'
import { isBlank, oneReason } from '../../framework/text.ts'
import { deploymentArgument } from '../shared/arguments.ts'
import { syncJobArgument } from './job-argument.ts'

export const dbtStatus = command({
  details: 'With --wait a sync that failed or was cancelled ends with exit code 1.',
  examples: ['hedron dbt status 1 5800f0941c2b4a7e', 'hedron dbt status 1 5800f0941c2b4a7e --wait --timeout 10m'],
  arguments: { deployment: deploymentArgument, syncJob: syncJobArgument },
  options: { wait: flag('wait until the sync has ended'), ...waitOptions },
  check({ wait, timeout, poll }) {
    if (!wait && (timeout !== undefined || poll !== undefined)) throw usage('--timeout and --poll need --wait')
  },
  async run({ deployment, syncJob, wait, timeout, poll }, context) {
    const { output, effects } = context
    const target = { deploymentId: deployment, syncJobId: syncJob }
    if (wait) {
      const times = { timeout: timeout ?? defaultTimes.timeout, poll: poll ?? defaultTimes.poll }
      const status = await waitForSync(context, target, times)
      output.result(status, () => output.line(statusLabel(status)))
      const failure = syncFailure(status, target, effects.platform)
      if (failure !== null) throw failure
      return
    }
    const { client } = await context.session()
    const status = await orAbsent(client.getDbtSyncStatus({ params: target }))
    if (status === undefined) {
      throw new Failure('dbt_sync_missing', {
        message: `no dbt sync ${syncJob} on deployment ${deployment} (it may not be visible yet, belong to another deployment, or have aged out)`,
      })
    }
    output.result(status, () => {
      output.line(statusLabel(status))
      if (!isBlank(status.error ?? '')) output.progress(oneReason(status.error ?? ''), 'red')
    })
  },
})
