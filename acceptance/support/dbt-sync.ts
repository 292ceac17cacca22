import { type Api, eventually } from './api.ts'
import { connect } from './contract-client.ts'
import { manifestOf } from './dbt-manifest.ts'

const manifest = manifestOf(['customers', 'items', 'orders', 'products', 'shops'])

/** Syncs a project into files. @returns id of the sync, when it has ended */
export async function prepareDbtSync(admin: Api, deploymentId: number): Promise<string> {
  const client = connect(admin)
  const params = { deploymentId }
  const { syncJobId } = await client.startDbtSync({ params, body: { source: 'manifest', output: 'files', manifest } })
  await eventually(
    () => client.getDbtSyncStatus({ params: { deploymentId, syncJobId } }),
    ({ status }) => status === 'COMPLETED',
    30_000,
  )
  return syncJobId
}
