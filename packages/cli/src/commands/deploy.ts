import { resolve } from 'node:path'
import { collectFiles, type HashedFile, hashFiles } from '../deploy/collect-files.ts'
import { keepDeployed, readDeployed, refuseMoved } from '../deploy/deployed-state.ts'
import { hashesIn, planDeploy } from '../deploy/plan.ts'
import { uploadFiles } from '../deploy/upload.ts'
import { command } from '../framework/command.ts'
import { usage } from '../framework/failure.ts'
import { duration, flag, nonBlank, optional, text, withDefault } from '../framework/parameter.ts'
import { branchLabel } from '../framework/text.ts'
import { showPlan } from '../plan/show-plan.ts'
import { deploymentArgument } from './shared/arguments.ts'
import { buildFailure, buildPoll, buildTimeout, waitForBuild } from './shared/wait-for-build.ts'

export const deploy = command({
  details:
    'Uploads the files that differ from the branch, removes those that are gone, in one commit and with one build. Without --branch: your open dev-mode branch, else the deploy branch. The deployment must have deploy mode cli, unless it goes to a dev branch.',
  examples: [
    "hedron deploy 1 --directory . -m 'Count delayed flights'",
    'hedron deploy 1 --branch main --wait',
    'hedron deploy 1 --plan',
  ],
  arguments: { deployment: deploymentArgument },
  options: {
    directory: withDefault(nonBlank('path', 'names no folder'), '.', 'folder of the project'),
    branch: optional(text('branch'), 'branch to deploy to'),
    keepMissing: flag('do not remove files that the folder does not have'),
    message: optional(text('text'), 'message of the commit', { short: 'm' }),
    plan: flag('show files, members, numbers, reports and dashboards that would change, and change nothing'),
    force: flag('also overwrite what others changed on the branch since this folder was deployed to it'),
    wait: flag('wait until the build has ended; a failed one ends with exit code 1'),
    timeout: optional(duration, 'give up waiting after this long (default: 15m)'),
    poll: optional(duration, 'time between two looks at the build (default: 5s)'),
  },
  exclusive: [['plan', 'wait']],
  check({ wait, timeout, poll }) {
    if (!wait && (timeout !== undefined || poll !== undefined)) throw usage('--timeout and --poll need --wait')
  },
  next: ({ deployment, directory, branch, plan, wait }, quote) => {
    // Without --wait the result itself says how to follow the build.
    if (!plan) return wait ? `hedron logs ${deployment}` : null
    return `hedron deploy ${deployment} --directory ${quote(directory)}${branch === undefined ? '' : ` --branch ${quote(branch)}`}`
  },
  async run({ deployment, directory, branch, keepMissing, message, plan: planOnly, force, ...waiting }, context) {
    const { effects, output } = context
    const session = await context.session()
    const { client } = session
    const params = { deploymentId: deployment }
    const root = resolve(directory)
    const found = await collectFiles(root)
    const target = branch === undefined ? {} : { branchName: branch }
    // Begun first: what the branch holds from here on is what is compared, or the server refuses to finish.
    const started = await client.startUpload({ params, body: target })
    const { transaction } = started
    const [hashes, files] = await Promise.all([
      client.fileHashes({ params, query: { branchName: branch } }),
      hashFiles(found, effects.signal),
    ])
    const plan = planDeploy(files, hashes, keepMissing)
    const place = { url: session.url, deploymentId: deployment, branchName: started.branchName ?? branch ?? '' }
    const overwritten = [...plan.changed.map(({ path }) => path), ...plan.removed]
    if (!force) refuseMoved(place.branchName, await readDeployed(root, place), plan.remote, overwritten)

    const upload = [...plan.added, ...plan.changed]
    output.progress(`Uploading ${upload.length} changed file(s) of ${files.length} to deployment ${deployment}…`)
    const arrived = hashesIn(started.uploaded)
    const missing = upload.filter(({ path, hash }) => arrived.get(path) !== hash)
    const before = upload.length - missing.length
    if (before > 0)
      output.progress(`  ${before} of ${upload.length} arrived before, for a plan or a deploy that was not finished`)
    const sent = await uploadFiles(session, effects, {
      deploymentId: deployment,
      transaction,
      files: missing,
      onProgress: count => output.progress(`  ${before + count} of ${upload.length}`),
    })
    const body = {
      ...target,
      transaction,
      files: hashTable(files, sent),
      autoRemoveFiles: !keepMissing,
      ...(started.filesHash === undefined ? {} : { filesHash: started.filesHash }),
      ...(message === undefined ? {} : { commitMessage: message }),
    }
    if (planOnly) {
      await showPlan(context, deployment, await client.planUpload({ params, body }))
      return
    }
    const finished = await client.finishUpload({ params, body })
    const kept = keepMissing ? [...plan.remote] : []
    const now = new Map([...kept, ...files.map(({ path, hash }) => [path, sent.get(path) ?? hash] as const)])
    if (!(await keepDeployed(effects, root, place, now))) {
      output.progress(`warning: ${root} cannot be written to, so the next deploy will not notice changes of others`)
    }

    const counts = `${files.length} file(s) (${upload.length} uploaded, ${plan.removed.length} removed)`
    if (!waiting.wait) {
      output.result(finished, () =>
        output.success(`Deployed ${counts}. Check progress with \`hedron deployments build-status ${deployment}\``),
      )
      return
    }
    if (!output.json) output.success(`Deployed ${counts}`)
    const build = await waitForBuild(context, {
      deploymentId: deployment,
      branchName: branch,
      timeout: waiting.timeout ?? buildTimeout,
      interval: waiting.poll ?? buildPoll,
    })
    const failure = buildFailure(build)
    if (output.json) output.document({ ...finished, build })
    else if (failure === null) output.success(`Built branch ${branchLabel(build.branchName)}`)
    if (failure !== null) throw failure
  },
})

/** Every file of the project with the hash of the bytes that the server has of it. */
const hashTable = (files: readonly HashedFile[], sent: ReadonlyMap<string, string>): Record<string, { hash: string }> =>
  Object.fromEntries(files.map(({ path, hash }) => [path, { hash: sent.get(path) ?? hash }]))
