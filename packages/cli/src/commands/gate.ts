import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { type Comparison, compareQueries, type NamedQuery } from '../compare/compare-queries.ts'
import { comparisonLines, comparisonMarkdown } from '../compare/show-comparisons.ts'
import { collectFiles, hashFiles } from '../deploy/collect-files.ts'
import { planDeploy } from '../deploy/plan.ts'
import { uploadFiles } from '../deploy/upload.ts'
import { type Context, command } from '../framework/command.ts'
import { Failure, usage } from '../framework/failure.ts'
import { branchName, duration, flag, nonBlank, optional, withDefault } from '../framework/parameter.ts'
import { oneReason, printable } from '../framework/text.ts'
import { type GateBranch, onGateBranch } from '../gate/gate-branch.ts'
import { readQueries, readReportQueries } from '../gate/read-queries.ts'
import { onSyncBranch } from '../gate/sync-branch.ts'
import { deploymentArgument } from './shared/arguments.ts'

export const gate = command({
  details:
    'Puts a project, a branch, or what a dbt sync makes, onto a branch of its own, compiles it, asks named queries there and in production, and shows which numbers differ. Ends with 1 when the model does not compile, a query fails or a number differs. The branch is removed again, also after Ctrl-C. Give it an API key of its own with SchemaRead, SchemaUpdate, SchemaUpdateDevBranches and DeploymentRead.',
  examples: [
    'hedron gate 1 --directory . --queries gate.json',
    'hedron gate 1 --branch new-metrics --reports --markdown gate.md',
    'hedron gate 1 --sync --ref new-models --queries gate.json',
  ],
  arguments: { deployment: deploymentArgument },
  options: {
    directory: optional(nonBlank('path', 'names no folder'), 'folder of the project to try'),
    branch: optional(branchName, 'branch to try; with --directory: branch that the folder is put onto'),
    sync: flag('sync the dbt repository of the deployment, and try what becomes of it'),
    ref: optional(nonBlank('branch-or-tag', 'names no branch or tag'), 'with --sync: branch or tag of the repository'),
    manifest: optional(nonBlank('path', 'names no file'), 'sync this target/manifest.json of dbt, and try that'),
    queries: optional(
      nonBlank('file', 'names no file to read'),
      'JSON file of names to queries, or - for the standard input',
    ),
    reports: flag('ask the queries of all saved reports'),
    allowDifferences: flag('end with 0 though numbers differ'),
    markdown: optional(nonBlank('file', 'names no file'), 'also write the table to this file, in Markdown'),
    timeout: withDefault(duration, '5m', 'give up waiting for one query after this long'),
  },
  exclusive: [
    ['sync', 'manifest'],
    ['sync', 'directory'],
    ['sync', 'branch'],
    ['manifest', 'directory'],
    ['manifest', 'branch'],
  ],
  check({ directory, branch, sync, ref, manifest, queries, reports }) {
    const isSync = sync || manifest !== undefined
    if (directory === undefined && branch === undefined && !isSync) {
      throw usage('give --directory, --branch or both, or --sync, or --manifest')
    }
    if (ref !== undefined && !sync) throw usage('--ref needs --sync')
    if (queries === undefined && !reports) throw usage('give --queries, --reports or both')
  },
  next({ deployment, directory, branch, ref, manifest }, quote) {
    if (directory !== undefined) return `hedron deploy ${deployment} --directory ${quote(directory)}`
    if (branch !== undefined) return `hedron data-model merge-to-default ${deployment} --branch ${quote(branch)}`
    if (manifest !== undefined) return `hedron dbt sync ${deployment} --manifest ${quote(manifest)} --wait`
    return `hedron dbt sync ${deployment}${ref === undefined ? '' : ` --ref ${quote(ref)}`} --wait`
  },
  async run(input, context) {
    const { deployment, directory, branch, allowDifferences, markdown, timeout } = input
    const { effects, output } = context
    const { client } = await context.session()
    const queries: readonly NamedQuery[] = [
      ...(input.queries === undefined ? [] : await readQueries(input.queries, effects)),
      ...(input.reports ? await readReportQueries(client, deployment) : []),
    ]
    const tryBranch = (from: string | undefined) =>
      onGateBranch(context, deployment, from, async gateBranch => {
        if (directory !== undefined) await putProject(context, deployment, resolve(directory), gateBranch)
        const validation = await client.validateDataModel({
          params: { deploymentId: deployment },
          query: { branchName: gateBranch.dev },
        })
        const numbers = validation.valid ? await askBoth(context, deployment, gateBranch, queries, timeout) : []
        return { valid: validation.valid, errors: validation.errors, numbers }
      })
    const { sync, ref, manifest } = input
    const result =
      sync || manifest !== undefined
        ? await onSyncBranch(context, deployment, { manifest, ref }, tryBranch)
        : await tryBranch(branch)
    const passed = result.valid && result.numbers.every(({ status }) => isFine(status, allowDifferences))
    const title = passed ? 'Gate passed' : 'Gate failed'
    const errors = result.errors.map(({ fileName, message }) =>
      printable(`${fileName === null ? '' : `${fileName}: `}${oneReason(message)}`),
    )
    if (markdown !== undefined) {
      const body = result.valid ? comparisonMarkdown(result.numbers) : ['```', ...errors, '```']
      await writeMarkdown(markdown, [`### ${title}`, '', ...body, ''])
    }
    output.result({ passed, ...result }, () => {
      if (result.valid) for (const line of comparisonLines(result.numbers)) output.line(printable(line))
      else for (const error of errors) output.progress(`  ${error}`, 'red')
      if (passed) output.success(title)
    })
    if (!passed) throw new Failure('gate_failed', { message: failureOf(result, allowDifferences) })
  },
})

const isFine = (status: Comparison['status'], allowDifferences: boolean): boolean =>
  status === 'same' || status === 'mended' || (status === 'different' && allowDifferences)

function failureOf(
  { valid, errors, numbers }: { valid: boolean; errors: readonly unknown[]; numbers: readonly Comparison[] },
  allowDifferences: boolean,
): string {
  if (!valid) return `gate failed: the data model has ${errors.length} compilation error(s)`
  const count = numbers.filter(({ status }) => !isFine(status, allowDifferences)).length
  return `gate failed: ${count} of ${numbers.length} queries fail or answer other numbers`
}

/** Makes the branch hold what the folder holds; as edits of the dev branch, which are never committed. */
async function putProject(context: Context, deployment: number, directory: string, { dev }: GateBranch): Promise<void> {
  const { effects, output } = context
  const session = await context.session()
  const { client } = session
  const params = { deploymentId: deployment }
  const { transaction } = await client.startUpload({ params, body: { branchName: dev } })
  const [hashes, files] = await Promise.all([
    client.fileHashes({ params, query: { branchName: dev } }),
    collectFiles(directory).then(found => hashFiles(found, effects.signal)),
  ])
  const plan = planDeploy(files, hashes, false)
  const upload = [...plan.added, ...plan.changed]
  output.progress(`gate: uploading ${upload.length} changed file(s) of ${files.length}`)
  const sent = await uploadFiles(session, effects, {
    deploymentId: deployment,
    transaction,
    files: upload,
    onProgress: () => {},
  })
  const listed = Object.fromEntries(files.map(({ path, hash }) => [path, { hash: sent.get(path) ?? hash }]))
  await client.finishUpload({ params, body: { branchName: dev, transaction, files: listed, autoRemoveFiles: true } })
}

async function askBoth(
  context: Context,
  deployment: number,
  { dev }: GateBranch,
  queries: readonly NamedQuery[],
  timeout: number,
): Promise<readonly Comparison[]> {
  const { client } = await context.session()
  const params = { deploymentId: deployment }
  const [{ deploymentUrl }, { cubeApiToken }] = await Promise.all([
    client.getDeployment({ params }),
    client.deploymentToken({ params }),
  ])
  const production = deploymentUrl.replace(/\/+$/, '')
  const after = `${production}/dev-mode/${encodeURIComponent(dev)}`
  return compareQueries(context, queries, { before: production, after, token: cubeApiToken, timeout })
}

async function writeMarkdown(path: string, lines: readonly string[]): Promise<void> {
  try {
    await writeFile(path, lines.join('\n'))
  } catch (error) {
    throw new Failure('file_unwritable', { path }, error)
  }
}
