import { readManifest } from '../../dbt/manifest.ts'
import { printResult } from '../../dbt/print-result.ts'
import { startSync, unclear, verifyManifestSource } from '../../dbt/start-sync.ts'
import {
  defaultTimes,
  isResult,
  orAbsent,
  syncFailure,
  waitForOutcome,
  waitForSync,
  waitOptions,
} from '../../dbt/wait-for-sync.ts'
import { command } from '../../framework/command.ts'
import { Failure, usage } from '../../framework/failure.ts'
import { displayValue, fieldOf } from '../../framework/json.ts'
import { branchName, flag, nonBlank, optional } from '../../framework/parameter.ts'
import { reportOf } from '../../framework/report.ts'
import { branchLabel, isBlank, shellQuote } from '../../framework/text.ts'
import { deploymentArgument } from '../shared/arguments.ts'

export const syncDbt = command({
  details:
    'Makes cubes of a dbt project and commits them on a new branch: of its repository at a branch or tag, or of a manifest given.',
  examples: [
    'hedron dbt sync 1 --wait',
    'hedron dbt sync 1 --ref release-2026.08 --wait --json',
    'hedron dbt sync 1 --manifest target/manifest.json',
  ],
  arguments: { deployment: deploymentArgument },
  options: {
    ref: optional(
      nonBlank('branch-or-tag', 'names no branch or tag'),
      'branch or tag of the dbt repository, not a commit SHA',
    ),
    manifest: optional(nonBlank('path', 'names no file'), 'target/manifest.json of dbt, or - for the standard input'),
    branch: optional(branchName, 'branch to write to; a new one when omitted'),
    wait: flag('wait until the sync has ended'),
    ...waitOptions,
  },
  exclusive: [['ref', 'manifest']],
  check({ wait, timeout, poll }) {
    if (!wait && (timeout !== undefined || poll !== undefined)) throw usage('--timeout and --poll need --wait')
  },
  async run({ deployment, ref, manifest, branch, wait, timeout, poll }, context) {
    const { effects, output } = context
    const document = manifest === undefined ? undefined : await readManifest(manifest, effects)
    const started = await startSync(context, deployment, {
      ...(branch === undefined ? {} : { branchName: branch }),
      ...(ref === undefined ? {} : { ref }),
      ...(document === undefined ? {} : { source: 'manifest', manifest: document }),
    })
    const { syncJobId, workflowId } = started
    if (document !== undefined) {
      if (isBlank(syncJobId)) {
        throw unclear(
          'the dbt manifest sync was started but the server returned no sync job id, so its source could not be verified',
        )
      }
      await verifyManifestSource(context, deployment, syncJobId)
    }
    const shown = branchLabel(started.branchName)
    const job = `${deployment} ${shellQuote(syncJobId, effects.platform)}`
    const hint = () => {
      if (branch !== undefined) return
      const name = shellQuote(started.branchName, effects.platform)
      output.line(
        `The branch is not removed automatically; prune it with \`hedron data-model delete-branch ${deployment} ${name}\``,
      )
    }
    if (!wait) {
      output.result(started.document, () => {
        output.success(`Started dbt sync ${syncJobId} on ${shown}`)
        output.line(`Follow it with \`hedron dbt status ${job} --wait\`, or run this with --wait`)
        hint()
      })
      return
    }

    const target = { deploymentId: deployment, syncJobId }
    const times = { timeout: timeout ?? defaultTimes.timeout, poll: poll ?? defaultTimes.poll }
    output.progress(`dbt sync ${syncJobId} started on ${shown}`)
    const status = await waitForSync(context, target, times)
    const finish = (result: unknown) => {
      const error = fieldOf(status, 'error') ?? null
      const ended = displayValue(fieldOf(status, 'status')).trim()
      if (output.json) {
        output.document({ branchName: started.branchName, error, result, status: ended, syncJobId, workflowId })
      }
    }
    const failure = syncFailure(status, target, effects.platform)
    if (failure !== null) {
      finish(null)
      throw failure
    }
    const { client } = await context.session()
    try {
      const result = await waitForOutcome(
        context,
        times,
        'dbt sync result',
        'result not available yet',
        async signal => {
          const found = await orAbsent(client.getDbtSyncResult({ params: target }, signal))
          return isResult(found) ? found : undefined
        },
      )
      finish(result)
      if (output.json) return
      output.success(`dbt sync ${syncJobId} completed on ${shown}`)
      printResult(output, result)
      hint()
      if (!isBlank(started.branchName)) {
        output.next(`hedron validate ${deployment} --branch ${shellQuote(started.branchName, effects.platform)}`)
      }
    } catch (error) {
      finish(null)
      throw new Failure('dbt_result_unread', {
        message: `dbt sync ${syncJobId} completed on ${shown}, but its result could not be read. The sync itself succeeded — read the result with 'hedron dbt result ${job}': ${reportOf(error).line}`,
      })
    }
  },
})
