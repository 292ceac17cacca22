import type { Context } from '../framework/command.ts'
import { Failure } from '../framework/failure.ts'
import { displayValue, fieldOf, type JsonRecord, rowsOf } from '../framework/json.ts'
import { reportOf } from '../framework/report.ts'
import { isBlank, shellQuote } from '../framework/text.ts'

export interface StartedSync {
  /** The answer as it was received. */
  readonly document: unknown
  readonly syncJobId: string
  readonly branchName: string
  readonly workflowId: string
}

/**
 * Starts a sync. Of an uploaded manifest it is checked that the server took it: one that does not know manifests would begin with its own
 * repository instead (contract/cli-core.md section 18.2).
 *
 * @throws {Failure} `dbt_start_unclear`
 */
export async function startSync(context: Context, deploymentId: number, body: JsonRecord): Promise<StartedSync> {
  const { request } = await context.session()
  const document = await request('POST', `/api/v1/deployments/${deploymentId}/dbt-sync`, { body })
  const text = (name: string) => displayValue(fieldOf(document, name))
  return { document, syncJobId: text('syncJobId'), branchName: text('branchName'), workflowId: text('workflowId') }
}

/** @throws {Failure} `dbt_start_unclear` */
export async function verifyManifestSource(context: Context, deploymentId: number, syncJobId: string): Promise<void> {
  const { effects, session } = context
  try {
    const { client } = await session()
    const history = await client.listDbtSyncs({ params: { deploymentId }, query: { first: 100 } })
    const row = rowsOf(history).find(it => fieldOf(it, 'syncJobId') === syncJobId)
    if (row === undefined) throw unclear(`dbt sync ${syncJobId} was not found among the 100 most recent syncs`)
    const source = displayValue(fieldOf(row, 'source'))
    if (source === 'manifest') return
    const said = isBlank(source)
      ? 'did not report a source at all'
      : `reported source '${source}' instead of 'manifest'`
    throw unclear(
      `this server did not confirm dbt manifest upload support: dbt sync ${syncJobId} ${said}; update the server before retrying with '--manifest'`,
    )
  } catch (error) {
    throw unclear(
      `dbt sync ${syncJobId} was started, but the CLI could not confirm it used the uploaded manifest. Cancel the in-flight sync with 'hedron dbt cancel ${deploymentId} ${shellQuote(syncJobId, effects.platform)}'. Source verification requires 'SchemaRead' access: ${reportOf(error).line}`,
    )
  }
}

export const unclear = (message: string) => new Failure('dbt_start_unclear', { message })
