import type { Client } from '@hedron/contract/client'
import type { Context } from '../framework/command.ts'
import { Failure } from '../framework/failure.ts'
import { reportOf } from '../framework/report.ts'

/** Branches that a gate works on: a shared one of its own, and the personal one that dev mode forked from that. */
export interface GateBranch {
  readonly shared: string
  /** Its data API is asked, and its files can be written. */
  readonly dev: string
}

/** Milliseconds that cleaning up may take, also after Ctrl-C. */
const cleanUpTimeout = 30_000

/**
 * Opens a branch of the gate's own, does `work` on it, and removes it again, whatever happens: also when the work fails, and
 * when the run is interrupted. The dev-mode session of the credential goes with it, so a credential that has one is refused.
 *
 * @throws {Failure} `gate_failed`
 */
export async function onGateBranch<T>(
  context: Context,
  deploymentId: number,
  from: string | undefined,
  work: (branch: GateBranch) => Promise<T>,
): Promise<T> {
  const { effects, output } = context
  const { client } = await context.session()
  const params = { deploymentId }
  await refuseOpenSession(client, deploymentId)
  const shared = `gate-${effects.randomId()}`
  let dev: string | null = null
  try {
    await client.createBranch({ params, body: { name: shared, ...(from === undefined ? {} : { from }) } })
    dev = (await client.startDevMode({ params, body: { branchName: shared } })).branchName
    if (dev === null) throw new Failure('gate_failed', { message: `the server opened no dev branch on ${shared}` })
    output.progress(`gate: working on ${dev}`)
    return await work({ shared, dev })
  } finally {
    // What was interrupted sends nothing more; this has to.
    const lasting = await context.session(AbortSignal.timeout(cleanUpTimeout))
    // A fork whose answer did not come any more may be there all the same.
    dev ??= await forkOf(lasting.client, deploymentId, shared).catch(() => null)
    for (const branchName of dev === null ? [shared] : [dev, shared]) {
      await lasting.client.removeBranch({ params, query: { branchName } }).catch((error: unknown) => {
        const { line } = reportOf(error)
        output.progress(`warning: branch ${branchName} of deployment ${deploymentId} could not be removed: ${line}`)
      })
    }
  }
}

/** @throws {Failure} `gate_failed` where somebody works with this credential */
async function refuseOpenSession(client: Client, deploymentId: number): Promise<void> {
  const status = await client.buildStatus({ params: { deploymentId }, query: {} })
  if (status.mode !== 'dev_mode') return
  throw new Failure('gate_failed', {
    message: `this credential has an open dev-mode session on ${status.branchName}: give the gate an API key of its own, or run \`hedron data-model exit-dev-mode ${deploymentId}\``,
  })
}

/** The dev branch that this credential works on, if it was forked from the branch named; else null. */
async function forkOf(client: Client, deploymentId: number, shared: string): Promise<string | null> {
  const params = { deploymentId }
  const { mode, branchName } = await client.buildStatus({ params, query: {} })
  if (mode !== 'dev_mode') return null
  for (let after: string | undefined; ; ) {
    const { items, pageInfo } = await client.listBranches({
      params,
      query: { first: 100, ...(after === undefined ? {} : { after }) },
    })
    const found = items.find(({ name }) => name === branchName)
    if (found !== undefined) return found.parentBranch === shared ? found.name : null
    if (!pageInfo?.hasNextPage || pageInfo.endCursor == null) return null
    after = pageInfo.endCursor
  }
}
