import { command } from '../../framework/command.ts'
import { Failure, usage } from '../../framework/failure.ts'
import { duration, flag, optional, text } from '../../framework/parameter.ts'
import { isBlank } from '../../framework/text.ts'
import { deploymentArgument } from '../shared/arguments.ts'
import { buildFailure, buildPoll, buildTimeout, waitForBuild } from '../shared/wait-for-build.ts'

export const buildStatus = command({
  details:
    'Without --branch: your open dev-mode branch, else the deploy branch. With --wait a failed build ends with exit code 1.',
  examples: [
    'hedron deployments build-status 1',
    'hedron deployments build-status 1 --branch main --wait --timeout 5m',
  ],
  arguments: { deployment: deploymentArgument },
  options: {
    branch: optional(text('branch'), 'branch to look at'),
    wait: flag('wait until the build has ended'),
    timeout: optional(duration, 'give up waiting after this long (default: 15m)'),
    poll: optional(duration, 'time between two looks (default: 5s)'),
  },
  check({ wait, timeout, poll }) {
    if (!wait && (timeout !== undefined || poll !== undefined)) throw usage('--timeout and --poll need --wait')
  },
  async run({ deployment, branch, wait, timeout = buildTimeout, poll = buildPoll }, context) {
    if (wait && branch !== undefined && isBlank(branch)) throw new Failure('branch_empty')
    const target = { deploymentId: deployment, branchName: branch }
    if (!wait) {
      const { client } = await context.session()
      const { deploymentId, branchName } = target
      context.output.document(await client.buildStatus({ params: { deploymentId }, query: { branchName } }))
      return
    }
    const status = await waitForBuild(context, { ...target, timeout, interval: poll })
    context.output.document(status)
    const failure = buildFailure(status)
    if (failure !== null) throw failure
  },
})
