import { readManifest } from '../../dbt/manifest.ts'
import { startSync, unclear, verifyManifestSource } from '../../dbt/start-sync.ts'
import {
  defaultTimes,
  orAbsent,
  syncFailure,
  waitForOutcome,
  waitForSync,
  waitOptions,
} from '../../dbt/wait-for-sync.ts'
import { checkFiles, compareFiles, type Drift, writeFiles } from '../../dbt/write-files.ts'
import { command } from '../../framework/command.ts'
import { Failure } from '../../framework/failure.ts'
import { rowsOf } from '../../framework/json.ts'
import { flag, nonBlank, required, withDefault } from '../../framework/parameter.ts'
import { isBlank } from '../../framework/text.ts'
import { deploymentArgument } from '../shared/arguments.ts'

export const generateDbt = command({
  details: 'Makes cubes of a dbt manifest and writes them into your working copy; nothing is committed anywhere.',
  examples: [
    'hedron dbt generate 1 --manifest target/manifest.json --out .',
    'hedron dbt generate 1 --manifest target/manifest.json --check',
  ],
  arguments: { deployment: deploymentArgument },
  options: {
    manifest: required(nonBlank('path', 'names no file'), 'target/manifest.json of dbt, or - for the standard input'),
    out: withDefault(nonBlank('folder', 'names no folder'), '.', 'root of the project to write into'),
    check: flag('write nothing; fail when the files differ from what is there'),
    ...waitOptions,
  },
  async run({ deployment, manifest, out, check, timeout, poll }, context) {
    const { effects, output } = context
    const document = await readManifest(manifest, effects)
    const { syncJobId, branchName } = await startSync(context, deployment, {
      source: 'manifest',
      output: 'files',
      manifest: document,
    })
    if (isBlank(syncJobId)) throw unclear('the dbt generate run was started but the server returned no sync job id')
    if (!isBlank(branchName)) {
      throw unclear(
        `the server ignored output 'files' and writes to the branch ${branchName}: delete that branch if it is unwanted, and update the server`,
      )
    }
    await verifyManifestSource(context, deployment, syncJobId)
    output.progress(`dbt generate ${syncJobId} started`)
    const target = { deploymentId: deployment, syncJobId }
    const times = { timeout: timeout ?? defaultTimes.timeout, poll: poll ?? defaultTimes.poll }
    const say = (outcome: string, files: readonly string[] = [], differing: readonly Drift[] = []) => {
      if (!output.json) return
      const more = differing.length === 0 ? {} : { differing }
      output.document({ fileCount: files.length, files, outcome, outputDir: out, syncJobId, ...more })
    }
    const failed = (failure: Failure): Failure => {
      say('failed')
      return failure
    }
    const failure = syncFailure(await waitForSync(context, target, times), target, effects.platform)
    if (failure !== null) throw failed(failure)

    const { client } = await context.session()
    const listed = await waitForOutcome(context, times, 'dbt generated files', 'files not available yet', signal =>
      orAbsent(client.getDbtSyncGeneratedFiles({ params: target }, signal)),
    )
    const rows = rowsOf(listed)
    if (rows.length === 0) {
      throw failed(
        new Failure('dbt_files_refused', {
          message: `dbt sync ${syncJobId} generated no cubes. Most likely its manifest had no models to convert, or the deployment's options filtered them all out. (Generated files are also dropped a while after a run finishes.)`,
        }),
      )
    }
    const files = checkAll()
    const paths = files.map(({ path }) => path)

    if (!check) {
      await writeFiles(files, out)
      say('written', paths)
      if (output.json) return
      output.success(`wrote ${files.length} generated file(s) under ${out}`)
      for (const path of paths) output.line(`  ${path}`)
      output.line('Nothing was committed — review and commit these through your own workflow.')
      return
    }
    const drifts = await compareFiles(files, out)
    say(drifts.length === 0 ? 'matched' : 'differing', paths, drifts)
    if (drifts.length === 0) {
      if (!output.json) output.success(`all ${files.length} generated file(s) match what is committed`)
      return
    }
    if (!output.json) {
      for (const { path, status } of drifts)
        output.progress(`  ${out}/${path} ${status === 'missing' ? 'is missing' : status}`)
    }
    throw new Failure('dbt_files_refused', {
      message: `${drifts.length} of ${files.length} generated file(s) do not match what is committed. Re-run without --check to write them, then commit the result`,
    })

    function checkAll() {
      try {
        return checkFiles(rows, syncJobId, out)
      } catch (error) {
        throw error instanceof Failure ? failed(error) : error
      }
    }
  },
})
