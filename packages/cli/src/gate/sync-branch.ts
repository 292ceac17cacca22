import type { Client } from '@hedron/contract/client'
import { readManifest } from '../dbt/manifest.ts'
import { startSync, unclear, verifyManifestSource } from '../dbt/start-sync.ts'
import { defaultTimes, orAbsent, syncFailure, waitForSync } from '../dbt/wait-for-sync.ts'
import type { Context } from '../framework/command.ts'
import { reportOf } from '../framework/report.ts'
import { isBlank } from '../framework/text.ts'

/** What a gate syncs: a manifest, or the dbt repository at a branch or tag. */
export interface GateSync {
  readonly manifest: string | undefined
  readonly ref: string | undefined
}

/** Milliseconds that cleaning up may take, also after Ctrl-C. */
const cleanUpTimeout = 30_000

/**
 * Syncs a dbt project onto a new branch, does `work` with it, and removes it again, whatever happens. A sync that still runs when it
 * is interrupted is cancelled, so that it writes no branch afterwards.
 *
 * @throws {Failure} what `hedron dbt sync --wait` fails with
 */
export async function onSyncBranch<T>(
  context: Context,
  deploymentId: number,
  { manifest, ref }: GateSync,
  work: (branch: string) => Promise<T>,
): Promise<T> {
  const { effects, output } = context
  const document = manifest === undefined ? undefined : await readManifest(manifest, effects)
  // Named here, so that the sync is found also by who was interrupted before its answer came.
  const branchName = `dbt-sync/gate-${effects.randomId()}`
  let syncJobId: string | null = null
  let hasEnded = false
  try {
    const started = await startSync(context, deploymentId, {
      branchName,
      ...(ref === undefined ? {} : { ref }),
      ...(document === undefined ? {} : { source: 'manifest', manifest: document }),
    })
    if (isBlank(started.syncJobId)) throw unclear('a dbt sync was started, but the server returned no sync job id')
    syncJobId = started.syncJobId
    if (document !== undefined) await verifyManifestSource(context, deploymentId, syncJobId)
    output.progress(`gate: dbt sync ${syncJobId} on ${branchName}`)
    const target = { deploymentId, syncJobId }
    const status = await waitForSync(context, target, defaultTimes)
    hasEnded = true
    const failure = syncFailure(status, target, effects.platform)
    if (failure !== null) throw failure
    return await work(branchName)
  } finally {
    await removeSync(context, deploymentId, { syncJobId, branchName, hasEnded })
  }
}

async function removeSync(
  { session, output }: Pick<Context, 'session' | 'output'>,
  deploymentId: number,
  { syncJobId, branchName, hasEnded }: { syncJobId: string | null; branchName: string; hasEnded: boolean },
): Promise<void> {
  // What was interrupted sends nothing more; this has to.
  const { client } = await session(AbortSignal.timeout(cleanUpTimeout))
  try {
    // Cancelled, or ended meanwhile: either way it writes nothing from here on.
    const running = hasEnded ? null : (syncJobId ?? (await findSync(client, deploymentId, branchName)))
    if (running !== null) await client.cancelDbtSync({ params: { deploymentId, syncJobId: running } }).catch(() => {})
    await orAbsent(client.removeBranch({ params: { deploymentId }, query: { branchName } }))
  } catch (error) {
    const { line } = reportOf(error)
    output.progress(`warning: branch ${branchName} of deployment ${deploymentId} could not be removed: ${line}`)
  }
}

/** The sync that writes to a branch, among the newest; null where there is none. */
async function findSync(client: Client, deploymentId: number, branchName: string): Promise<string | null> {
  const { items } = await client.listDbtSyncs({ params: { deploymentId }, query: { first: 100 } })
  return items.find(sync => sync.branchName === branchName)?.syncJobId ?? null
}
